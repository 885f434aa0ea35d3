import { setGatewayOffset } from '#kit/server/clock.ts'
import type { ClockReading } from '#kit/server/database-clock.ts'
import type { Db } from '#kit/server/db.ts'
import { createFailureLog } from '#kit/server/failure-log.ts'
import type { Log } from '#kit/server/log.ts'
import type { Thresholds } from '#kit/server/thresholds.ts'
import { endMatchingTasks, createTask } from './operator-tasks.store.ts'

type ClockMonitorDeps = {
  db: Db
  log: Log
  host: string
  thresholds: Pick<Thresholds, 'clockMs' | 'calmMs' | 'remindMs'>
  onError(error: unknown): void
  /** Returns a monotonic time in milliseconds. */
  now?(): number
}

/** Seconds by which this host's clock is ahead of the database's and the card gateway's clock; `null` while unknown. */
export type ClockOffsets = { database: number | null; card_gateway: number | null }

export type ClockMonitor = {
  hearHost(reading: ClockReading): void
  hearGateway(reading: ClockReading): void
  ahead(): ClockOffsets
  /** Stops the monitor. Later readings are ignored, because a call in flight may end after the database is closed. */
  stop(): void
  written(): Promise<void>
}

type MonitoredClock = {
  subject: string
  /**
   * The reason of the task. It does not mention the direction and the size of the difference, so that one task remains
   * while they change. The log contains both.
   */
  reason: string
  /** The log field for the number of seconds by which this clock is ahead of the database's clock. */
  field: string
  learn?(aheadMs: number, isWrong: boolean): void
}

/**
 * Compares the clocks of this host and of the card gateway with the database's clock, which all processes use. Only
 * real clocks are compared, not the demo's. A wrong clock is logged at once and then every minute. Its task ends when
 * the clock has been right for a while. Imprecise readings are ignored. A single wrong reading is ignored as well,
 * because a proxy may have answered in the gateway's place.
 */
export function createClockMonitor(deps: ClockMonitorDeps): ClockMonitor {
  const seconds = deps.thresholds.clockMs / 1_000
  const clockDifferenceText = (one: string, other: string): string =>
    `the clocks of ${one} and of ${other} differ by more than ${seconds} seconds`
  const hostClock = monitorClock(deps, {
    subject: `host ${deps.host}`,
    reason: clockDifferenceText(`host ${deps.host}`, 'the database'),
    field: 'host_ahead_seconds',
  })
  let appliedOffsetMs = 0
  const gatewayClock = monitorClock(deps, {
    subject: 'database',
    // The task names the database's clock, because that is the clock that the operator can correct.
    reason: clockDifferenceText('the database', 'the card gateway'),
    field: 'gateway_ahead_seconds',
    learn(aheadMs, isWrong) {
      // The gateway's time has a precision of one second. Small changes are ignored, so that the time sent to browsers does not fluctuate.
      if (isWrong && Math.abs(aheadMs - appliedOffsetMs) < 5_000) return
      appliedOffsetMs = isWrong ? aheadMs : 0
      setGatewayOffset(appliedOffsetMs)
    },
  })
  return {
    hearHost: hostClock.hear,
    hearGateway: gatewayClock.hear,
    ahead() {
      const [hostMs, gatewayMs] = [hostClock.aheadMs(), gatewayClock.aheadMs()]
      return {
        database: hostMs === null ? null : hostMs / 1_000,
        card_gateway: hostMs === null || gatewayMs === null ? null : (hostMs - gatewayMs) / 1_000,
      }
    },
    stop() {
      hostClock.stop()
      gatewayClock.stop()
    },
    written: async () => void (await Promise.all([hostClock.written(), gatewayClock.written()])),
  }
}

/** Consecutive wrong readings after which a clock counts as wrong. */
const wrongReadingsNeeded = 2

function monitorClock(deps: ClockMonitorDeps, { subject, reason, field, learn = () => {} }: MonitoredClock) {
  const { db, log, thresholds, now = () => performance.now() } = deps
  const failures = failureLog(log, thresholds.remindMs, now)
  let lastOffsetMs: number | null = null
  let consecutiveWrong = 0
  let correctSince: number | null = null
  // The stored state is unknown at the start, because an earlier process on this host may have left a task behind.
  let storedState: 'nothing known' | 'right' | 'wrong' = 'nothing known'
  let storedAt = 0
  let pendingWrite: Promise<void> = Promise.resolve()
  let isStopped = false

  function storeState(newState: 'right' | 'wrong', change: () => Promise<void>): void {
    // A wrong clock is stored again regularly: another process on this host may have ended the task, or staff may have closed it too early.
    const isDue = newState === 'wrong' && now() - storedAt >= thresholds.remindMs
    if (isStopped || (storedState === newState && !isDue)) return
    const previousState = storedState
    storedState = newState
    storedAt = now()
    pendingWrite = pendingWrite.then(change).catch((error: unknown) => {
      if (storedState === newState) storedState = previousState
      deps.onError(error)
    })
  }

  return {
    aheadMs: () => lastOffsetMs,
    stop: () => void (isStopped = true),
    written: () => pendingWrite,
    hear({ aheadMs, uncertainMs }: ClockReading): void {
      const difference = Math.abs(aheadMs)
      const isWrong = difference - uncertainMs > thresholds.clockMs
      if (!isWrong && difference + uncertainMs > thresholds.clockMs) return
      lastOffsetMs = aheadMs
      if (!isWrong) {
        consecutiveWrong = 0
        correctSince ??= now()
        learn(aheadMs, false)
        failures.succeeded(subject)
        if (now() - correctSince >= thresholds.calmMs)
          storeState('right', () => endMatchingTasks(db, { kind: 'clock', subject }))
        return
      }
      correctSince = null
      consecutiveWrong += 1
      if (consecutiveWrong < wrongReadingsNeeded) return
      learn(aheadMs, true)
      failures.failed(subject, { reason, [field]: Math.round(aheadMs / 1_000) })
      storeState('wrong', () => createTask(db, { kind: 'clock', subject, reason }))
    },
  }
}

function failureLog(log: Log, remindMs: number, now: () => number) {
  const logLine = (clock: string, cause: unknown): [object, string] => {
    const { reason, ...seconds } = cause as { reason: string }
    return [{ clock, ...seconds }, reason]
  }
  return createFailureLog(
    {
      begins: (clock, _failing, cause) => log.error(...logLine(clock, cause)),
      goesOn: (clock, _failing, cause) => log.error(...logLine(clock, cause)),
      ends: (clock, { seconds }) => log.info({ clock, seconds }, 'a clock is right again'),
    },
    remindMs,
    now,
  )
}
