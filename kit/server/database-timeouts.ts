import { AsyncLocalStorage } from 'node:async_hooks'
import { CompiledQuery } from 'kysely'

/**
 * Maximum time to wait for a database connection, in milliseconds. Together, the maximum waits for the database stay below the 12 seconds
 * that a visitor waits for any response: 2 s for the visitor's own other requests, 3.5 s for a connection, 4.5 s for a statement, and 1.5 s
 * to check the host.
 */
export const connectTimeoutMs = 3_500
/**
 * After a statement times out, the host has this many milliseconds to accept a login on a different connection. Otherwise it counts as
 * gone.
 */
export const loginGraceMs = 1_500

export type DatabaseTimeouts = {
  statementMs: number
  /**
   * Maximum time to wait for a lock held by another transaction. It is shorter than `statementMs`, so that the server's error names the
   * cause.
   */
  lockMs: number
  /**
   * Maximum time that a transaction may sit idle. By then its process has probably been suspended, and other transactions are waiting for
   * its locks.
   */
  idleMs: number
}

const defaultTimeouts: DatabaseTimeouts = { statementMs: 4_500, lockMs: 3_500, idleMs: 8_000 }

const timeoutStorage = new AsyncLocalStorage<DatabaseTimeouts>()

export const getCurrentTimeouts = (): DatabaseTimeouts => timeoutStorage.getStore() ?? defaultTimeouts

export const isBulkWork = (): boolean => getCurrentTimeouts().statementMs > defaultTimeouts.statementMs

export const withTimeouts = <T>(bounds: Partial<DatabaseTimeouts>, work: () => T): T =>
  timeoutStorage.run({ ...getCurrentTimeouts(), ...bounds }, work)

const msPerHour = 3_600_000
/**
 * Timeouts for migrations. They are long because an index may have to be built over all past sales, and other processes wait while one
 * process builds it.
 */
export const migrationTimeouts: DatabaseTimeouts = { statementMs: msPerHour, lockMs: msPerHour, idleMs: msPerHour }
export const bulkTimeouts: Partial<DatabaseTimeouts> = { statementMs: 60_000 }

/**
 * Timeouts that the server enforces. The server cancels a statement shortly before its caller stops waiting, so that the caller receives
 * the server's error.
 */
const timeoutSettings = ({ statementMs, lockMs, idleMs }: DatabaseTimeouts) => ({
  statement_timeout: statementMs - 300,
  lock_timeout: lockMs,
  idle_in_transaction_session_timeout: idleMs,
})

export const sessionParameters = timeoutSettings(defaultTimeouts)

export const sessionTimeoutStatement = (bounds: DatabaseTimeouts): string =>
  Object.entries(timeoutSettings(bounds))
    .map(([name, ms]) => `set ${name} = ${ms}`)
    .join('; ')
export const defaultTimeoutStatement = sessionTimeoutStatement(defaultTimeouts)

/**
 * Builds a query that sets these timeouts until the transaction ends. After that, a pooler may hand the connection to a different session.
 */
export const localTimeoutQuery = (bounds: DatabaseTimeouts): CompiledQuery =>
  CompiledQuery.raw(
    `select set_config('statement_timeout', $1, true), set_config('lock_timeout', $2, true), ` +
      `set_config('idle_in_transaction_session_timeout', $3, true)`,
    Object.values(timeoutSettings(bounds)),
  )
