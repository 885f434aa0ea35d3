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
  /** What this host is called. */
  host: string
  thresholds: Pick<Thresholds, 'clockMs' | 'calmMs' | 'remindMs'>
  onError(error: unknown): void
  /** Milliseconds that only go forward. */
  now?(): number
}

/** By how many seconds this host's clock is ahead of others; null where nothing is known yet. */
export type ClocksAhead = { database: number | null; card_gateway: number | null }

export type Clocks = {
  /** The host's clock beside the database's. */
  hearHost(reading: ClockReading): void
  /** The card gateway's beside the database's. */
  hearGateway(reading: ClockReading): void
  ahead(): ClocksAhead
  /** What is heard from now on is not written down: a call that was on its way may end when the database is closed already. */
  stop(): void
  /** Resolves when nothing is being written. */
  written(): Promise<void>
}

type Watched = {
  /** Of the tasks; the log calls it so, too. */
  subject: string
  /** Without which way and how far: it is one task, however it goes on. The log has both. */
  reason: string
  /** What the log calls the seconds by which it is ahead of the database's. */
  field: string
  /** Is told of each reading that is to be believed. */
  learn?(aheadMs: number, isWrong: boolean): void
}

/**
 * Compares real clocks, never the demo's: the host's and the gateway's, each with the database's, by which all processes go. One that
 * is wrong is in the log at once and every minute, and a task until it has been right for a while. Readings that are not exact enough
 * to say are left out, and one alone is not believed: a proxy may have answered in the gateway's place.
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
    // Of the two it is the one that somebody here can put right.
    reason: between('the database', 'the card gateway'),
    field: 'gateway_ahead_seconds',
    learn(aheadMs, isWrong) {
      // Its answers have whole seconds only: what browsers are told is not to go to and fro with them.
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

/** So many readings in a row are believed. */
const believed = 2

function watchClock(deps: Deps, { subject, reason, field, learn = () => {} }: Watched) {
  const { db, log, thresholds, now = () => performance.now() } = deps
  const failures = failureLog(log, thresholds.remindMs, now)
  let last: number | null = null
  let wrongInARow = 0
  let rightSince: number | null = null
  // A process of before, on this host, may have left a task.
  let written: 'nothing known' | 'right' | 'wrong' = 'nothing known'
  let writtenAt = 0
  let writing: Promise<void> = Promise.resolve()
  let stopped = false

  function write(wanted: 'right' | 'wrong', change: () => Promise<void>): void {
    // Another process of this host may have found otherwise meanwhile, or a person been done too early.
    const isDue = wanted === 'wrong' && now() - writtenAt >= thresholds.remindMs
    if (stopped || (written === wanted && !isDue)) return
    const before = written
    written = wanted
    writtenAt = now()
    writing = writing.then(change).catch((error: unknown) => {
      // The next reading tries again.
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
