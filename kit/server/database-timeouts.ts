import { AsyncLocalStorage } from 'node:async_hooks'
import { CompiledQuery } from 'kysely'

/**
 * Maximum wait for a database connection, in milliseconds. All maximum times for the database together are shorter than the 12 seconds that
 * a visitor waits for any response: 2 s for the visitor's own other calls, 3.5 s for a connection, 4.5 s for a statement, and 1.5 s to
 * check the host.
 */
export const connectMs = 3_500
/**
 * After a statement's timeout, the host has this many milliseconds to accept a login on another connection. Otherwise it counts as gone.
 */
export const graceMs = 1_500

export type DatabaseTimeouts = {
  statementMs: number
  /** Maximum wait for another transaction's lock. It is shorter than `statementMs`, so that the server names the cause. */
  lockMs: number
  /** Maximum time that a transaction may run no statement. Its process is then suspended, and others wait for its locks. */
  idleMs: number
}

const defaultTimeouts: DatabaseTimeouts = { statementMs: 4_500, lockMs: 3_500, idleMs: 8_000 }

const timeoutStorage = new AsyncLocalStorage<DatabaseTimeouts>()

export const currentTimeouts = (): DatabaseTimeouts => timeoutStorage.getStore() ?? defaultTimeouts

export const isBulkWork = (): boolean => currentTimeouts().statementMs > defaultTimeouts.statementMs

export const withTimeouts = <T>(bounds: Partial<DatabaseTimeouts>, work: () => T): T =>
  timeoutStorage.run({ ...currentTimeouts(), ...bounds }, work)

const hourMs = 3_600_000
/**
 * Timeouts of migrations. They are long, because an index may be built over all past sales, and one process waits while another builds it.
 */
export const migrationTimeouts: DatabaseTimeouts = { statementMs: hourMs, lockMs: hourMs, idleMs: hourMs }
export const bulkTimeouts: Partial<DatabaseTimeouts> = { statementMs: 60_000 }

/**
 * Timeouts that the server enforces. The server ends a statement a little before its caller stops waiting, so that the caller gets the
 * server's error.
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
 * Builds the query that sets these timeouts until the end of a transaction. After that, a pooler may give the connection to another
 * session.
 */
export const localTimeoutQuery = (bounds: DatabaseTimeouts): CompiledQuery =>
  CompiledQuery.raw(
    `select set_config('statement_timeout', $1, true), set_config('lock_timeout', $2, true), ` +
      `set_config('idle_in_transaction_session_timeout', $3, true)`,
    Object.values(timeoutSettings(bounds)),
  )
