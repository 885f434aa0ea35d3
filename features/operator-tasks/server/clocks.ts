import { learnGatewayTime } from '#kit/server/clock.ts'
import type { ClockReading } from '#kit/server/database-clock.ts'
import type { Db } from '#kit/server/db.ts'
import { createFailureLog } from '#kit/server/failure-log.ts'
import type { Log } from '#kit/server/log.ts'
import type { Thresholds } from '#kit/server/thresholds.ts'
import { endTasksAbout, reportToOperator } from './operator-tasks.store.ts'

type Deps = {
  db: Db
  log: Log
  host: string
  thresholds: Pick<Thresholds, 'clockMs' | 'calmMs' | 'remindMs'>
  onError(error: unknown): void
  /** Monotonic time in milliseconds. */
  now?(): number
}

/** Seconds by which this host's clock is ahead of the other clock; `null` while unknown. */
export type ClocksAhead = { database: number | null; card_gateway: number | null }

export type Clocks = {
  hearHost(reading: ClockReading): void
  hearGateway(reading: ClockReading): void
  ahead(): ClocksAhead
  /** Ignores all later readings, because a call in flight may end after the database is closed. */
  stop(): void
  written(): Promise<void>
}

type Watched = {
  subject: string
  /**
   * Excludes the direction and the size of the difference, so that the same task persists as they change. The log has
   * both.
   */
  reason: string
  /** The log field for the seconds by which the clock is ahead of the database's. */
  field: string
  learn?(aheadMs: number, isWrong: boolean): void
}

/**
 * Compares real clocks, never the demo's. The clocks of the host and the gateway are each compared with the database's
 * clock, which all processes use.
 * A wrong clock is logged at once and every minute, and has a task until it has been right for a while. Readings that
 * are too inexact are ignored. A single wrong reading is not believed, because a proxy may have answered in the
 * gateway's place.
 */
export function watchClocks(deps: Deps): Clocks {
  const seconds = deps.thresholds.clockMs / 1_000
  const between = (one: string, other: string): string =>
    `the clocks of ${one} and of ${other} differ by more than ${seconds} seconds`
  const hosts = watchClock(deps, {
    subject: `host ${deps.host}`,
    reason: between(`host ${deps.host}`, 'the database'),
    field: 'host_ahead_seconds',
  })
  let toldAheadMs = 0
  const gateways = watchClock(deps, {
    subject: 'database',
    // The task names the database's clock, because the operator can correct that clock.
    reason: between('the database', 'the card gateway'),
    field: 'gateway_ahead_seconds',
    learn(aheadMs, isWrong) {
      // The gateway reports whole seconds. Small changes are ignored, so that the time sent to browsers does not
      // fluctuate.
      if (isWrong && Math.abs(aheadMs - toldAheadMs) < 5_000) return
      toldAheadMs = isWrong ? aheadMs : 0
      learnGatewayTime(toldAheadMs)
    },
  })
  return {
    hearHost: hosts.hear,
    hearGateway: gateways.hear,
    ahead() {
      const [hostMs, gatewayMs] = [hosts.aheadMs(), gateways.aheadMs()]
      return {
        database: hostMs === null ? null : hostMs / 1_000,
        card_gateway: hostMs === null || gatewayMs === null ? null : (hostMs - gatewayMs) / 1_000,
      }
    },
    stop() {
      hosts.stop()
      gateways.stop()
    },
    written: async () => void (await Promise.all([hosts.written(), gateways.written()])),
  }
}

/** Number of consecutive wrong readings that are believed. */
const believed = 2

function watchClock(deps: Deps, { subject, reason, field, learn = () => {} }: Watched) {
  const { db, log, thresholds, now = () => performance.now() } = deps
  const failures = failureLog(log, thresholds.remindMs, now)
  let last: number | null = null
  let wrongInARow = 0
  let rightSince: number | null = null
  // Unknown at the start, because an earlier process on this host may have left a task.
  let written: 'nothing known' | 'right' | 'wrong' = 'nothing known'
  let writtenAt = 0
  let writing: Promise<void> = Promise.resolve()
  let stopped = false

  function write(wanted: 'right' | 'wrong', change: () => Promise<void>): void {
    // Repeated regularly: another process on this host may have ended the task, or staff may have closed it too early.
    const isDue = wanted === 'wrong' && now() - writtenAt >= thresholds.remindMs
    if (stopped || (written === wanted && !isDue)) return
    const before = written
    written = wanted
    writtenAt = now()
    writing = writing.then(change).catch((error: unknown) => {
      if (written === wanted) written = before
      deps.onError(error)
    })
  }

  return {
    aheadMs: () => last,
    stop: () => void (stopped = true),
    written: () => writing,
    hear({ aheadMs, uncertainMs }: ClockReading): void {
      const difference = Math.abs(aheadMs)
      const isWrong = difference - uncertainMs > thresholds.clockMs
      if (!isWrong && difference + uncertainMs > thresholds.clockMs) return
      last = aheadMs
      if (!isWrong) {
        wrongInARow = 0
        rightSince ??= now()
        learn(aheadMs, false)
        failures.succeeded(subject)
        if (now() - rightSince >= thresholds.calmMs) write('right', () => endTasksAbout(db, { kind: 'clock', subject }))
        return
      }
      rightSince = null
      wrongInARow += 1
      if (wrongInARow < believed) return
      learn(aheadMs, true)
      failures.failed(subject, { reason, [field]: Math.round(aheadMs / 1_000) })
      write('wrong', () => reportToOperator(db, { kind: 'clock', subject, reason }))
    },
  }
}

function failureLog(log: Log, remindMs: number, now: () => number) {
  const line = (clock: string, cause: unknown): [object, string] => {
    const { reason, ...seconds } = cause as { reason: string }
    return [{ clock, ...seconds }, reason]
  }
  return createFailureLog(
    {
      begins: (clock, _failing, cause) => log.error(...line(clock, cause)),
      goesOn: (clock, _failing, cause) => log.error(...line(clock, cause)),
      ends: (clock, { seconds }) => log.info({ clock, seconds }, 'a clock is right again'),
    },
    remindMs,
    now,
  )
}
