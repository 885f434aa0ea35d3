import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { ConfigFault } from './config.ts'
import type { Database, Db, Trx } from './db.ts'
import { type Migration, migrationsIn, newestOf } from './migration-files.ts'
import { haveRun, makeLedger, mustOwn, schemaFaultOf } from './migration-ledger.ts'
import { grantTo, type Rights } from './rights.ts'

type Options = {
  /** What the role of the product is given in the same transaction, where the migrations run as another. */
  rights?: Rights
  /** No other process is running: what older versions cannot serve with may come at once. */
  alone?: boolean
  /** Told when a migration is held up. */
  say?(line: string): void
  /** For how long a migration may wait for locks, which is how long the product waits behind it, and how often it tries. */
  patience?: { lockMs: number; pauseMs: number; tries: number }
}

// All statements about a table wait behind a migration that waits for it. It gives up well before the server looks for a
// deadlock (`deadlock_timeout`, a second): who has waited longer is ended then, and that would be a customer's transaction.
const usualPatience = { lockMs: 400, pauseMs: 3_000, tries: 40 }

/**
 * Runs the numbered `.sql` files of a folder that have not run yet, beside processes that serve. Two that start at once
 * take turns.
 * @throws ConfigFault where the schema is newer than this version can serve, or may not be migrated like this
 */
export async function migrate(
  database: Pick<Database, 'db' | 'embedded'>,
  folder: string,
  options: Options = {},
): Promise<void> {
  const { db, embedded } = database
  const files = migrationsIn(folder)
  const ran = await haveRun(db)
  const fault = schemaFaultOf(ran, newestOf(files))
  if (fault) throw new ConfigFault([fault])
  const pending = files.filter(({ name }) => !ran.has(name))
  if (pending.length === 0) return
  await mustOwn(db, `lacks ${pending[0]?.name}`)
  const jump = embedded || options.alone ? undefined : jumpOver(pending, [...ran.keys()])
  if (jump) throw new ConfigFault([jump])
  await makeLedger(db)
  for (const file of pending) await (file.isWhole ? runWhole(db, file, options) : runInParts(database, file))
}

/** Processes of the version before may still be running: the migrations are safe beside it only when it has what they need. */
function jumpOver(pending: Migration[], ran: string[]): string | undefined {
  const before = pending.find(({ needs }) => needs && !ran.some((name) => name.startsWith(needs)))
  if (!before || ran.length === 0) return undefined
  return (
    `${before.name} ends what versions before ${before.needs} can serve with, and the database is of such a version: start one ` +
    'in between first, or stop every process and run `npm run migrate -- --alone`.'
  )
}

/** A file is done whole or not at all. One that does not get its locks soon lets the product pass, and tries again. */
async function runWhole(
  db: Db,
  file: Migration,
  { rights, say, patience: { lockMs, pauseMs, tries } = usualPatience }: Options,
): Promise<void> {
  for (let tried = 1; ; tried++) {
    try {
      await db.transaction().execute(async (trx) => {
        if (!(await takeTurn(trx, file))) return
        const end = performance.now() + lockMs
        for (const statement of file.statements) {
          const left = Math.max(10, Math.round(end - performance.now()))
          await sql`select set_config('lock_timeout', ${`${left}ms`}, true)`.execute(trx)
          await sql.raw(statement).execute(trx)
        }
        await record(trx, file)
        if (rights) await grantTo(trx, rights)
      })
      return
    } catch (error) {
      if (!isHeldUp(error)) throw error
      if (tried >= tries)
        throw new ConfigFault([
          `${file.name} did not get its locks in ${tries} tries: something holds its tables for long.`,
        ])
      if (tried === 1) say?.(`${file.name} waits for its locks and tries again, so that nothing waits for it.`)
    }
    await pause(pauseMs * (0.5 + Math.random()))
  }
}

/** No lock within the time, or a deadlock with the product, which goes on. */
const isHeldUp = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === '55P03' || error.code === '40P01')

/** Statements that can't run in a transaction, or should not hold their locks until the end of one. */
async function runInParts({ db, embedded }: Pick<Database, 'db' | 'embedded'>, file: Migration): Promise<void> {
  const runAll = async (): Promise<void> => {
    for (const statement of file.statements) await runRepeatable(db, statement)
  }
  if (embedded) {
    await runAll()
    return record(db, file)
  }
  // The turn is held in a transaction beside: a lock of a session would be lost behind a pooler of transactions.
  await db.transaction().execute(async (trx) => {
    if (!(await takeTurn(trx, file))) return
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(trx)
    await runAll()
    await record(trx, file)
  })
}

/** A file without a transaction changes a limited number of rows at a time: each statement is repeated until it changes none. */
async function runRepeatable(db: Db, statement: string): Promise<void> {
  await dropUnfinished(db, statement)
  let changed: bigint | undefined
  do changed = (await sql.raw(statement).execute(db)).numAffectedRows
  while (changed)
}

/** Drops indexes that this statement names and whose build was killed: nothing uses them, and `if not exists` would keep them. */
async function dropUnfinished(db: Db, statement: string): Promise<void> {
  const { rows: unfinished } = await sql<{ name: string }>`
    select relname as name from pg_index join pg_class on pg_class.oid = indexrelid
    where not indisvalid and pg_table_is_visible(indexrelid)`.execute(db)
  const words = new Set(statement.split(/\s/))
  for (const { name } of unfinished)
    if (words.has(name)) await sql`drop index concurrently if exists ${sql.id(name)}`.execute(db)
}

/** False when another process has run it. A lock of the table, for it takes no snapshot: an index that is being built waits for those. */
async function takeTurn(trx: Trx, { name }: Migration): Promise<boolean> {
  await sql`lock table migrations in exclusive mode`.execute(trx)
  const done = await sql`select 1 from migrations where name = ${name}`.execute(trx)
  return done.rows.length === 0
}

async function record(db: Db | Trx, { name, needs }: Migration): Promise<void> {
  await sql`insert into migrations (name, needs) values (${name}, ${needs})`.execute(db)
}
