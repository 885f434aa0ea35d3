import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { Kysely, type Logger, PGliteDialect, PostgresDialect, type Transaction } from 'kysely'
import pg from 'pg'
import { type Db as JobDb, fromPglite } from 'pg-boss'

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
  /** What the job queue needs to run on the same database. */
  jobDb: { db: JobDb } | { connectionString: string }
  /** How the connections are used; null where there is one only. */
  pool(): { total: number; idle: number; waiting: number } | null
  close(): Promise<void>
}

/**
 * Opens PostgreSQL at `url`, or the embedded database in `folder` (`null`: in memory). `hear` is told of each statement.
 * @throws when it cannot be reached
 */
export async function openDatabase(
  place: { url: string } | { folder: string | null },
  hear?: HearQuery,
): Promise<Database> {
  const log = hear && { log: loggerFor(hear) }
  return 'url' in place ? openPostgres(place.url, log) : openEmbedded(place.folder, log)
}

const loggerFor =
  (hear: HearQuery): Logger =>
  ({ query, queryDurationMillis: ms }) =>
    hear({ statement: query.sql, ms })

async function openEmbedded(folder: string | null, log?: { log: Logger }): Promise<Database> {
  if (folder) mkdirSync(folder, { recursive: true })
  const pglite = await PGlite.create(folder ? join(folder, 'pg') : 'memory://')
  const db: Db = new Kysely({ dialect: new PGliteDialect({ pglite }), ...log })
  return { db, embedded: true, jobDb: { db: fromPglite(pglite) }, pool: () => null, close: () => pglite.close() }
}

async function openPostgres(url: string, log?: { log: Logger }): Promise<Database> {
  const pool = new pg.Pool({ connectionString: url, max: 12, connectionTimeoutMillis: 10_000 })
  // A connection that the server closes is replaced on the next query, and the caller that was using it is told by its own query;
  // without a listener, for idle connections and for those in use, it would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  const db: Db = new Kysely({ dialect: new PostgresDialect({ pool }), ...log })
  return {
    db,
    embedded: false,
    jobDb: { connectionString: url },
    pool: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close: () => db.destroy(),
  }
}

/**
 * Above this a transaction is holding others up: a call in it left the building, or it waits for itself. Shorter than a provider
 * may take to answer, and longer than twenty at once wait for each other on a machine that has other things to do.
 */
const longestTransactionMs = 6_000

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
  const stack = new Error('A transaction has been open for 6 seconds')
  const then: (() => void)[] = []
  const outcome = await db.transaction().execute(async (trx) => {
    followUps.set(trx, then)
    const alarm = setTimeout(() => console.error(stack), longestTransactionMs)
    try {
      return await work(trx)
    } finally {
      clearTimeout(alarm)
    }
  })
  for (const act of then) act()
  return outcome
}

/** Another transaction has locked a row that was asked for without waiting. */
export const isLockTaken = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '55P03'

/** True for "this key exists already", with the constraint's name when one is asked for. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  if (!(error instanceof Error) || !('code' in error) || error.code !== '23505') return false
  return !constraint || ('constraint' in error && error.constraint === constraint)
}
