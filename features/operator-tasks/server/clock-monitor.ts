import { setGatewayClockOffset } from '#kit/server/clock.ts'
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

/** How many seconds this host's clock is ahead of the database's clock and of the card gateway's; `null` while unknown. */
export type ClockOffsets = { database: number | null; card_gateway: number | null }

export type ClockMonitor = {
  hearHost(reading: ClockReading): void
  hearGateway(reading: ClockReading): void
  ahead(): ClockOffsets
  /** Stops the monitor. Readings in flight may arrive after the database has been closed, so they are ignored. */
  stop(): void
  written(): Promise<void>
}

type MonitoredClock = {
  subject: string
  /**
   * The task's reason. It leaves out the direction and size of the difference, which the log contains, because a changed
   * reason would create a new task.
   */
  reason: string
  /** The log field that says how many seconds this clock is ahead of the database's clock. */
  field: string
  learn?(aheadMs: number, isWrong: boolean): void
}

/**
 * Compares this host's clock and the card gateway's clock with the database's clock, which all processes use. Only real clocks are
 * compared, not the demo's. A wrong clock is logged immediately and then every minute. Its task ends once the clock has been right for
 * `calmMs`. Imprecise readings are ignored. A single wrong reading is also ignored, because a proxy may have responded in place of the
 * gateway.
 */
export function createClockMonitor(deps: ClockMonitorDeps): ClockMonitor {
  const thresholdSeconds = deps.thresholds.clockMs / 1_000
  const describeClockDifference = (one: string, other: string): string =>
    `the clocks of ${one} and of ${other} differ by more than ${thresholdSeconds} seconds`
  const hostClock = monitorClock(deps, {
    subject: `host ${deps.host}`,
    reason: describeClockDifference(`host ${deps.host}`, 'the database'),
    field: 'host_ahead_seconds',
  })
  let appliedOffsetMs = 0
  const gatewayClock = monitorClock(deps, {
    subject: 'database',
    // The task's subject is the database, because the operator can correct only the database's clock.
    reason: describeClockDifference('the database', 'the card gateway'),
    field: 'gateway_ahead_seconds',
    learn(aheadMs, isWrong) {
      // The gateway reports whole seconds. Ignore small changes, so that the time sent to browsers does not fluctuate.
      if (isWrong && Math.abs(aheadMs - appliedOffsetMs) < 5_000) return
      appliedOffsetMs = isWrong ? aheadMs : 0
      setGatewayClockOffset(appliedOffsetMs)
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

/** The number of consecutive wrong readings after which a clock counts as wrong. */
const minWrongReadings = 2

function monitorClock(deps: ClockMonitorDeps, { subject, reason, field, learn = () => {} }: MonitoredClock) {
  const { db, log, thresholds, now = () => performance.now() } = deps
  const failures = createClockFailureLog(log, thresholds.remindMs, now)
  let lastOffsetMs: number | null = null
  let consecutiveWrong = 0
  let correctSince: number | null = null
  // The stored state is unknown at startup, because an earlier process on this host may have left a task behind.
  let storedState: 'nothing known' | 'right' | 'wrong' = 'nothing known'
  let storedAt = 0
  let pendingWrite: Promise<void> = Promise.resolve()
  let isStopped = false

  function storeState(newState: 'right' | 'wrong', change: () => Promise<void>): void {
    // Store repeatedly that a clock is wrong: another process on this host may have ended its task, or staff may have closed it too soon.
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
      const isClockWrong = difference - uncertainMs > thresholds.clockMs
      if (!isClockWrong && difference + uncertainMs > thresholds.clockMs) return
      lastOffsetMs = aheadMs
      if (!isClockWrong) {
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
      if (consecutiveWrong < minWrongReadings) return
      learn(aheadMs, true)
      failures.failed(subject, { reason, [field]: Math.round(aheadMs / 1_000) })
      storeState('wrong', () => createTask(db, { kind: 'clock', subject, reason }))
    },
  }
}

function createClockFailureLog(log: Log, remindMs: number, now: () => number) {
  const formatLogEntry = (clock: string, cause: unknown): [object, string] => {
    const { reason, ...seconds } = cause as { reason: string }
    return [{ clock, ...seconds }, reason]
  }
  return createFailureLog(
    {
      begins: (clock, _failing, cause) => log.error(...formatLogEntry(clock, cause)),
      goesOn: (clock, _failing, cause) => log.error(...formatLogEntry(clock, cause)),
      ends: (clock, { seconds }) => log.info({ clock, seconds }, 'a clock is right again'),
    },
    remindMs,
    now,
  )
}
