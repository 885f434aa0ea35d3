import type { AwayLog } from '#kit/server/database-away.ts'
import type { Db } from '#kit/server/db.ts'
import { logOutages } from '#kit/server/log-outages.ts'
import type { Log } from '#kit/server/log.ts'
import { createOutsideCalls, type OutsideCalls } from '#kit/server/outside-calls.ts'
import type { Thresholds } from '#kit/server/thresholds.ts'
import { noteOutages } from '#features/operator-tasks/server/outages.ts'
import { noteProviderMinutes } from '#features/operator-tasks/server/provider-minutes.ts'
import { retryWaitingMessages } from './relay-outages.ts'
import { type FollowedClocks, followClocks } from './follow-clocks.ts'

export async function hearOutside(
  { db, log, away }: { db: Db; log: Log; away: AwayLog },
  thresholds: Thresholds,
): Promise<OutsideCalls & { clocks: FollowedClocks; stop(): Promise<void> }> {
  const calls = createOutsideCalls((error) => log.error({ err: error }, 'a call to an outside service was not counted'))
  calls.listen(logOutages(log, thresholds.remindMs))
  const clocks = await followClocks({ db, log, away }, thresholds)
  const onError = (error: unknown): void => {
    if (!away.note(error)) log.error({ err: error }, 'the results of calls to outside services could not be stored')
  }
  const outages = noteOutages({ db, thresholds, onError, onEnd: retryWaitingMessages })
  const minutes = noteProviderMinutes({ db, thresholds, onError })
  calls.listen(outages.hear)
  calls.listen(minutes.hear)
  return {
    ...calls,
    clocks,
    stop: async () => void (await Promise.all([outages.stop(), minutes.stop(), clocks.stop()])),
  }
}
