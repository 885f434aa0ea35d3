import { hostname } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { realNow } from '#kit/server/clock.ts'
import { type ClockReading, followDatabaseTime, learnDatabaseTime } from '#kit/server/database-clock.ts'
import type { AwayLog } from '#kit/server/database-away.ts'
import type { Db } from '#kit/server/db.ts'
import type { Log } from '#kit/server/log.ts'
import type { Thresholds } from '#kit/server/thresholds.ts'
import type { GatewayClock } from '#providers/card/adyen-client.ts'
import { type ClocksAhead, watchClocks } from '#features/operator-tasks/server/clocks.ts'

const stopMs = 1_000

export type FollowedClocks = {
  hearGateway(told: GatewayClock): void
  ahead(): ClocksAhead
  stop(): Promise<void>
}

export async function followClocks(
  { db, log, away }: { db: Db; log: Log; away: AwayLog },
  thresholds: Thresholds,
): Promise<FollowedClocks> {
  const onError = (error: unknown): void => {
    if (!away.note(error)) log.error({ err: error }, 'the clocks could not be compared')
  }
  const clocks = watchClocks({ db, log, host: hostname(), thresholds, onError })
  clocks.hearHost(await learnDatabaseTime(db))
  const following = followDatabaseTime(db, { hear: clocks.hearHost, onError })
  return {
    hearGateway: (told) => clocks.hearGateway(readingOf(told)),
    ahead: clocks.ahead,
    async stop() {
      clocks.stop()
      // An unavailable database must not delay the stop.
      await Promise.race([following.stop().then(clocks.written), pause(stopMs)])
    },
  }
}

/** The gateway reports whole seconds, and reads its clock at some time between request and response. */
function readingOf({ at, askedMs, answeredMs }: GatewayClock): ClockReading {
  const ago = performance.now() - (askedMs + answeredMs) / 2
  const ours = realNow().epochMilliseconds - ago
  return { aheadMs: at.epochMilliseconds + 500 - ours, uncertainMs: 500 + (answeredMs - askedMs) / 2 }
}
