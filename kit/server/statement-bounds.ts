import { AsyncLocalStorage } from 'node:async_hooks'
import { CompiledQuery } from 'kysely'

/**
 * How long the database may take. The sum is shorter than the 12 seconds that a visitor waits for any answer: two for the visitor's own
 * other calls, three and a half for a connection, four and a half for a statement, one and a half to find out whether the host is there.
 */
export const connectMs = 3_500
/** After a statement's bound the host has this long to accept a login on another connection. Otherwise it counts as gone. */
export const graceMs = 1_500

export type StatementBounds = {
  /** For a statement. */
  statementMs: number
  /** For a lock that another transaction has; shorter, so that the server says what it was. */
  lockMs: number
  /** For a transaction in which nothing is asked: its process stands still, and others wait for what it has locked. */
  idleMs: number
}

const usual: StatementBounds = { statementMs: 4_500, lockMs: 3_500, idleMs: 8_000 }

const inForce = new AsyncLocalStorage<StatementBounds>()

export const boundsInForce = (): StatementBounds => inForce.getStore() ?? usual

/** Whether what is asked now reads or changes many rows. */
export const isForManyRows = (): boolean => boundsInForce().statementMs > usual.statementMs

/** Runs what legitimately takes longer, with bounds of its own. */
export const allowing = <T>(bounds: Partial<StatementBounds>, work: () => T): T =>
  inForce.run({ ...boundsInForce(), ...bounds }, work)

const hourMs = 3_600_000
/** An index is built over all that was ever sold, and one process waits while another does. */
export const forMigrations: StatementBounds = { statementMs: hourMs, lockMs: hourMs, idleMs: hourMs }
/** Many thousands of rows are read or changed at once; nobody waits for them meanwhile. */
export const forManyRows: Partial<StatementBounds> = { statementMs: 60_000 }

/** The server ends a statement a little before its caller stops waiting, so that the caller gets the server's error. */
const settings = ({ statementMs, lockMs, idleMs }: StatementBounds) => ({
  statement_timeout: statementMs - 300,
  lock_timeout: lockMs,
  idle_in_transaction_session_timeout: idleMs,
})

/** What a connection is made with. */
export const sessionParameters = settings(usual)

/** Statements that set these bounds for a session. */
export const sessionBounds = (bounds: StatementBounds): string =>
  Object.entries(settings(bounds))
    .map(([name, ms]) => `set ${name} = ${ms}`)
    .join('; ')
export const usualBounds = sessionBounds(usual)

/** Sets these bounds until the end of a transaction: then a pooler may give the connection to another session. */
export const localBounds = (bounds: StatementBounds): CompiledQuery =>
  CompiledQuery.raw(
    `select set_config('statement_timeout', $1, true), set_config('lock_timeout', $2, true), ` +
      `set_config('idle_in_transaction_session_timeout', $3, true)`,
    Object.values(settings(bounds)),
  )
