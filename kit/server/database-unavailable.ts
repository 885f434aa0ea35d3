import { sql } from 'kysely'
import { isTimeout } from './statement-timeout.ts'
import type { Db } from './db.ts'
import type { Log } from './log.ts'

// Operating system errors for an unreachable server, and PostgreSQL errors for one that is starting, stopping, full or a standby.
const unreachableCodes = /^(?:ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/
const unavailableCodes = /^(?:08\w{3}|57P0[1-3]|53\d{3}|58030|25006|28\w{3}|3D000)$/
const brokenConnectionMessages = new RegExp(
  `^(?:${[
    'Connection terminated',
    'timeout exceeded when trying to connect',
    'timeout expired',
    'Query read timeout',
    'Client has encountered a connection error',
    'Client was closed',
    'Cannot use a pool after calling end',
    'Postgres connection has been discarded',
  ].join('|')})`,
)

export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (brokenConnectionMessages.test(error.message)) return true
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  // A visitor who disconnects also causes an ECONNRESET. The database's errors differ in that they come from a failed system call.
  return unavailableCodes.test(code) || (unreachableCodes.test(code) && ('syscall' in error || 'errors' in error))
}

/** Returns the reason for an error as text that never contains a URL with a password. */
export function getErrorReason(error: unknown): string {
  if (error instanceof AggregateError && error.message === '')
    return error.errors.map((each: unknown) => getErrorReason(each)).join('; ')
  return error instanceof Error ? error.message : String(error)
}

/** Whether the database accepts writes. A standby that has not been promoted answers queries but rejects writes. */
export const acceptsWrites = async (db: Db): Promise<boolean> =>
  (await sql<{ takes: boolean }>`select current_setting('transaction_read_only') = 'off' as takes`.execute(db)).rows[0]
    ?.takes === true

const reminderIntervalMs = 60_000
const checkIntervalMs = 1_000

export type DatabaseOutageLog = {
  /** Returns true if the database is unavailable or a statement waited too long. The error has then been logged or counted. */
  note(error: unknown): boolean
  stop(): void
}

export function createDatabaseOutageLog(db: Db, log: Log): DatabaseOutageLog {
  let wentAt: number | null = null
  let toldAt = 0
  let failures = 0
  let timeoutsLoggedAt = -Infinity
  let timeouts = 0
  let timer: NodeJS.Timeout | undefined
  const secondsUnavailable = () => Math.round((performance.now() - (wentAt ?? 0)) / 1_000)

  async function checkDatabase(): Promise<void> {
    if (!(await acceptsWrites(db).catch(() => false))) return scheduleCheck()
    log.info({ seconds: secondsUnavailable(), failures }, 'the database is back')
    wentAt = null
  }
  const scheduleCheck = (): void => {
    timer = setTimeout(() => void checkDatabase(), checkIntervalMs)
    timer.unref()
  }
  // A timeout is not an outage: one caller holds a resource that others wait for, until it releases the resource or is cancelled.
  function countTimeout(error: unknown): true {
    const now = performance.now()
    timeouts += 1
    if (now - timeoutsLoggedAt >= reminderIntervalMs) {
      log.warn({ reason: getErrorReason(error), times: timeouts }, 'the database kept something waiting for too long')
      ;[timeoutsLoggedAt, timeouts] = [now, 0]
    }
    return true
  }
  return {
    note(error) {
      if (isTimeout(error)) return countTimeout(error)
      if (!isDatabaseUnavailable(error)) return false
      const now = performance.now()
      const isFirstFailure = wentAt === null
      if (wentAt === null) {
        ;[wentAt, failures] = [now, 0]
        scheduleCheck()
      }
      failures += 1
      if (isFirstFailure || now - toldAt >= reminderIntervalMs) {
        toldAt = now
        log.error({ reason: getErrorReason(error), seconds: secondsUnavailable(), failures }, 'the database is away')
      }
      return true
    },
    stop: () => clearTimeout(timer),
  }
}
