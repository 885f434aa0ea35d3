import type { DatabaseOutageLog } from '#kit/server/database-unavailable.ts'
import type { Db } from '#kit/server/db.ts'
import { logOutages } from '#kit/server/log-outages.ts'
import type { Log } from '#kit/server/log.ts'
import { createExternalCallEmitter, type ExternalCallEmitter } from '#kit/server/external-calls.ts'
import type { Thresholds } from '#kit/server/thresholds.ts'
import { createOutageMonitor } from '#features/operator-tasks/server/outage-monitor.ts'
import { createProviderMinuteRecorder } from '#features/operator-tasks/server/provider-minute-recorder.ts'
import { retryWaitingMessages } from './relay-outages.ts'
import { type MonitoredClocks, monitorClocks } from './monitor-clocks.ts'

export async function monitorProviders(
  { db, log, away }: { db: Db; log: Log; away: DatabaseOutageLog },
  thresholds: Thresholds,
): Promise<ExternalCallEmitter & { clocks: MonitoredClocks; stop(): Promise<void> }> {
  const calls = createExternalCallEmitter((error) =>
    log.error({ err: error }, 'a call to an outside service was not counted'),
  )
  calls.listen(logOutages(log, thresholds.remindMs))
  const clocks = await monitorClocks({ db, log, away }, thresholds)
  const onError = (error: unknown): void => {
    if (!away.note(error)) log.error({ err: error }, 'the results of calls to outside services could not be stored')
  }
  const outageRecorder = createOutageMonitor({ db, thresholds, onError, onEnd: retryWaitingMessages })
  const minuteRecorder = createProviderMinuteRecorder({ db, thresholds, onError })
  calls.listen(outageRecorder.recordCall)
  calls.listen(minuteRecorder.recordCall)
  return {
    ...calls,
    clocks,
    stop: async () => void (await Promise.all([outageRecorder.stop(), minuteRecorder.stop(), clocks.stop()])),
  }
}
