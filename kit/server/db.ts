import { Kysely, type Logger, PGliteDialect, type Transaction } from 'kysely'
import { whenAwakeFor } from './awake-timer.ts'
import { isTimeout } from './statement-timeout.ts'
import { hostsOf } from './database-hosts.ts'
import { openEmbeddedIn } from './embedded.ts'
import { prepareStatements } from './embedded-statements.ts'
import { connectPostgres } from './postgres.ts'
import { boundsInForce, isForManyRows } from './statement-bounds.ts'

/** All tables. Each slice adds its own by declaration merging, beside the SQL that uses them. */
// oxlint-disable-next-line typescript/no-empty-object-type
export interface Tables {}

export type Db = Kysely<Tables>
export type Trx = Transaction<Tables>

/** A statement that has come to its end; its parameters are not in it. */
export type QueryTold = { statement: string; ms: number }
export type HearQuery = (query: QueryTold) => void

export type Database = {
  db: Db
  /** One process, one connection: no other process can hold a lease on our rows. */
  embedded: boolean
  /** Whether the embedded database’s folder exists. Always true for PostgreSQL. */
  hasFiles(): boolean
  /** How the connections are used; null where there is one only. */
  pool(): { total: number; idle: number; waiting: number } | null
  close(): Promise<void>
}

/** PostgreSQL, with statements kept on its connections or not, or the embedded database in a folder; `null`: in memory. */
export type DatabasePlace = { url: string; keepsStatements?: boolean } | { folder: string | null }

/**
 * Opens the database. `hear` is told of each statement.
 * @throws when it cannot be reached
 */
export async function openDatabase(place: DatabasePlace, hear?: HearQuery): Promise<Database> {
  const log = hear && { log: loggerFor(hear) }
  return 'url' in place ? openPostgres(place, log) : openEmbedded(place.folder, log)
}

const loggerFor =
  (hear: HearQuery): Logger =>
  ({ query, queryDurationMillis: ms }) =>
    hear({ statement: query.sql, ms })

async function openEmbedded(folder: string | null, log?: { log: Logger }): Promise<Database> {
  const opened = await openEmbeddedIn(folder)
  const pglite = prepareStatements(opened.pglite)
  const db: Db = new Kysely({ dialect: new PGliteDialect({ pglite }), ...log })
  return {
    db,
    embedded: true,
    hasFiles: opened.hasFiles,
    pool: () => null,
    close: opened.close,
  }
}

async function openPostgres(
  { url, keepsStatements = false }: Extract<DatabasePlace, { url: string }>,
  log?: { log: Logger },
): Promise<Database> {
  const hosts = hostsOf(url)
  if ('fault' in hosts) throw new Error(`The address of the database ${hosts.fault}`)
  const { dialect, pool } = connectPostgres(hosts.urls, { keepsStatements })
  const db: Db = new Kysely({ dialect, ...log })
  return { db, embedded: false, hasFiles: () => true, pool, close: () => db.destroy() }
}

/**
 * Above this a transaction is holding others up: a call in it left the building, or it waits for itself. Shorter than a provider
 * may take to answer, and longer than twenty at once wait for each other on a machine that has other things to do.
 */
const longestTransactionMs = 6_000
/** What has said that it takes longer may take as long as it has said. */
const longestMs = (): number => (isForManyRows() ? boundsInForce().statementMs : longestTransactionMs)

/** What waits for the commit of a transaction under way. */
const followUps = new WeakMap<Db | Trx, (() => void)[]>()

/** Has something done once the transaction is committed; at once where there is none. */
export function afterCommit(db: Db | Trx, act: () => void): void {
  const waiting = followUps.get(db)
  if (waiting) waiting.push(act)
  else act()
}

/**
 * Runs `work` in one transaction. Inside it only `trx` may be used: the embedded database has one connection,
 * so a query beside an open transaction would wait for ever. A long one is reported, which fails the test that caused it.
 */
export async function transact<T>(db: Db, work: (trx: Trx) => Promise<T>): Promise<T> {
  const ms = longestMs()
  const stack = new Error(`A transaction has been open for ${ms / 1_000} seconds`)
  const then: (() => void)[] = []
  const outcome = await db.transaction().execute(async (trx) => {
    followUps.set(trx, then)
    const alarm = whenAwakeFor(ms, () => console.error(stack))
    try {
      return await work(trx)
    } finally {
      alarm.clear()
    }
  })
  for (const act of then) act()
  return outcome
}

/** Another transaction has locked a row that was asked for without waiting. That it was waited for too long is another matter. */
export const isLockTaken = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '55P03' && !isTimeout(error)

/** Whether a row that a statement refers to is gone. */
export const isMissingReference = (error: unknown, constraint: string): boolean =>
  error instanceof Error &&
  'code' in error &&
  error.code === '23503' &&
  'constraint' in error &&
  error.constraint === constraint

/** Whether a row with the same key already exists; with `constraint`, whether it violates that constraint. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  if (!(error instanceof Error) || !('code' in error) || error.code !== '23505') return false
  return !constraint || ('constraint' in error && error.constraint === constraint)
}
