import { Kysely, type Logger, PGliteDialect, type Transaction } from 'kysely'
import { startSuspendAwareTimer } from './suspend-aware-timer.ts'
import { isTimeout } from './statement-timeout.ts'
import { parseHosts } from './database-hosts.ts'
import { openEmbeddedDatabase } from './embedded-database.ts'
import { prepareStatements } from './embedded-statements.ts'
import { connectPostgres } from './postgres.ts'
import { getCurrentTimeouts, isBulkWork } from './database-timeouts.ts'

/** The database's tables. Each feature declares its own tables by declaration merging, next to the SQL that uses them. */
// oxlint-disable-next-line typescript/no-empty-object-type
export interface Tables {}

export type Db = Kysely<Tables>
export type Trx = Transaction<Tables>

/** A completed query: its SQL without the parameters, and its duration in milliseconds. */
export type CompletedQuery = { statement: string; ms: number }
export type QueryListener = (query: CompletedQuery) => void

export type Database = {
  db: Db
  /** True for the embedded database. It has one process and one connection, so no other process can hold a lease on a row. */
  embedded: boolean
  /** Whether the embedded database's folder exists. Always true for PostgreSQL. */
  hasFiles(): boolean
  pool(): { total: number; idle: number; waiting: number } | null
  close(): Promise<void>
}

/**
 * Which database to open: PostgreSQL, with or without prepared statements, or an embedded database in a folder. If the folder is `null`,
 * the embedded database is kept in memory.
 */
export type DatabaseLocation = { url: string; keepsStatements?: boolean } | { folder: string | null }

/**
 * Opens the database. `hear` is called with each completed statement.
 * @throws if the database cannot be opened
 */
export async function openDatabase(place: DatabaseLocation, hear?: QueryListener): Promise<Database> {
  const log = hear && { log: createQueryLogger(hear) }
  return 'url' in place ? openPostgres(place, log) : openEmbedded(place.folder, log)
}

const createQueryLogger =
  (hear: QueryListener): Logger =>
  ({ query, queryDurationMillis: ms }) =>
    hear({ statement: query.sql, ms })

async function openEmbedded(folder: string | null, log?: { log: Logger }): Promise<Database> {
  const embeddedDatabase = await openEmbeddedDatabase(folder)
  const pglite = prepareStatements(embeddedDatabase.pglite)
  const db: Db = new Kysely({ dialect: new PGliteDialect({ pglite }), ...log })
  return {
    db,
    embedded: true,
    hasFiles: embeddedDatabase.hasFiles,
    pool: () => null,
    close: embeddedDatabase.close,
  }
}

async function openPostgres(
  { url, keepsStatements = false }: Extract<DatabaseLocation, { url: string }>,
  log?: { log: Logger },
): Promise<Database> {
  const hosts = parseHosts(url)
  if ('fault' in hosts) throw new Error(`The address of the database ${hosts.fault}`)
  const { dialect, pool } = connectPostgres(hosts.urls, { keepsStatements })
  const db: Db = new Kysely({ dialect, ...log })
  return { db, embedded: false, hasFiles: () => true, pool, close: () => db.destroy() }
}

/**
 * Maximum duration of a transaction in milliseconds. A longer transaction blocks others, and is probably calling an external service or
 * waiting for itself. The limit is below a provider's maximum response time, but above the time that twenty transactions wait for each
 * other on a busy machine.
 */
const maxTransactionMs = 6_000
const getTransactionLimitMs = (): number => (isBulkWork() ? getCurrentTimeouts().statementMs : maxTransactionMs)

const afterCommitCallbacks = new WeakMap<Db | Trx, (() => void)[]>()

/** Runs `act` once the transaction has been committed, or immediately if there is no transaction. */
export function afterCommit(db: Db | Trx, act: () => void): void {
  const callbacks = afterCommitCallbacks.get(db)
  if (callbacks) callbacks.push(act)
  else act()
}

/**
 * Runs `work` in a transaction. Inside it, use only `trx`: the embedded database has a single connection, so any other query would wait
 * forever for the open transaction. A transaction that takes too long is logged to the console, which fails the test that caused it.
 */
export async function transact<T>(db: Db, work: (trx: Trx) => Promise<T>): Promise<T> {
  const ms = getTransactionLimitMs()
  const stack = new Error(`A transaction has been open for ${ms / 1_000} seconds`)
  const then: (() => void)[] = []
  const outcome = await db.transaction().execute(async (trx) => {
    afterCommitCallbacks.set(trx, then)
    const warningTimer = startSuspendAwareTimer(ms, () => console.error(stack))
    try {
      return await work(trx)
    } finally {
      warningTimer.clear()
    }
  })
  for (const act of then) act()
  return outcome
}

/**
 * Whether the error means that another transaction has locked a row that was requested with NOWAIT. A lock timeout has the same error code
 * but does not count.
 */
export const isRowLocked = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '55P03' && !isTimeout(error)

export const isForeignKeyViolation = (error: unknown, constraint: string): boolean =>
  error instanceof Error &&
  'code' in error &&
  error.code === '23503' &&
  'constraint' in error &&
  error.constraint === constraint

export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  if (!(error instanceof Error) || !('code' in error) || error.code !== '23505') return false
  return !constraint || ('constraint' in error && error.constraint === constraint)
}
