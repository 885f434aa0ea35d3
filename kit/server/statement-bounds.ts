import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * How long the database may take. In all they are shorter than a visitor is to wait for any answer, 12 seconds: two for others of
 * their own, three and a half for a connection, four and a half for a statement, and one and a half until a server that does not
 * answer is given up.
 */
export const connectMs = 3_500
/** Once a statement has taken as long as it may, its server is asked to end it; a server that does not answer that is gone. */
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
export const isUsual = (bounds: StatementBounds): boolean => bounds === usual

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

/** What a transaction begins with: they end with it, so that a pooler may give the connection to another. */
export const localBounds = ({ statementMs, lockMs, idleMs }: StatementBounds) => ({
  statement:
    `select set_config('statement_timeout', $1, true), set_config('lock_timeout', $2, true), ` +
    `set_config('idle_in_transaction_session_timeout', $3, true)`,
  values: [statementMs - 300, lockMs, idleMs],
})
