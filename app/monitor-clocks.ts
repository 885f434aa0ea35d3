import { hostname } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { realNow } from '#kit/server/clock.ts'
import { type ClockReading, pollDatabaseTime, syncDatabaseTime } from '#kit/server/database-clock.ts'
import type { DatabaseOutageLog } from '#kit/server/database-unavailable.ts'
import type { Db } from '#kit/server/db.ts'
import type { Log } from '#kit/server/log.ts'
import type { Thresholds } from '#kit/server/thresholds.ts'
import type { GatewayClockReading } from '#providers/card/adyen-client.ts'
import { type ClockOffsets, createClockMonitor } from '#features/operator-tasks/server/clock-monitor.ts'

const stopTimeoutMs = 1_000

export type MonitoredClocks = {
  hearGateway(told: GatewayClockReading): void
  ahead(): ClockOffsets
  stop(): Promise<void>
}

export async function monitorClocks(
  { db, log, away }: { db: Db; log: Log; away: DatabaseOutageLog },
  thresholds: Thresholds,
): Promise<MonitoredClocks> {
  const onError = (error: unknown): void => {
    if (!away.note(error)) log.error({ err: error }, 'the clocks could not be compared')
  }
  const clocks = createClockMonitor({ db, log, host: hostname(), thresholds, onError })
  clocks.hearHost(await syncDatabaseTime(db))
  const databaseClock = pollDatabaseTime(db, { hear: clocks.hearHost, onError })
  return {
    hearGateway: (told) => clocks.hearGateway(computeClockReading(told)),
    ahead: clocks.ahead,
    async stop() {
      clocks.stop()
      // The application must be able to stop without delay while the database is unavailable.
      await Promise.race([databaseClock.stop().then(clocks.written), pause(stopTimeoutMs)])
    },
  }
}

/**
 * Estimates how far the gateway's clock is ahead of ours. The gateway reports its time in whole seconds, taken at some moment between our
 * request and its response.
 */
function computeClockReading({ at, askedMs, answeredMs }: GatewayClockReading): ClockReading {
  const ago = performance.now() - (askedMs + answeredMs) / 2
  const ours = realNow().epochMilliseconds - ago
  return { aheadMs: at.epochMilliseconds + 500 - ours, uncertainMs: 500 + (answeredMs - askedMs) / 2 }
}
