import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { ConfigError } from './config.ts'
import type { Database, Db, Trx } from './db.ts'
import { type Migration, readMigrations, getLatestNumber } from './migration-files.ts'
import { readCompletedMigrations, ensureLedger, assertOwnsTables, findSchemaFault } from './migration-ledger.ts'
import { grantPrivileges, type RolePrivileges } from './privileges.ts'

type Options = {
  rights?: RolePrivileges
  /** Set if no other process is running. Changes that older versions cannot work with may then run immediately. */
  alone?: boolean
  say?(line: string): void
  /**
   * `lockMs` is the maximum wait for locks and `pauseMs` the pause between attempts, both in milliseconds. `tries` is the maximum number of
   * attempts. While a migration waits for locks, the application's statements wait behind it.
   */
  patience?: { lockMs: number; pauseMs: number; tries: number }
}

/*
 * Maximum waits of a migration. While it waits for a lock on a table, all statements on that table wait behind it. It therefore gives up
 * well before the server checks for deadlocks (`deadlock_timeout`, one second). That check might cancel a customer's transaction instead of
 * the migration.
 */
const defaultLockRetries = { lockMs: 400, pauseMs: 3_000, tries: 40 }

/**
 * Runs a folder's numbered `.sql` files that have not run yet, while other processes keep serving. Concurrent calls take turns.
 * @throws ConfigError if the schema is too new for this version, if the database role may not migrate, if a version was skipped, or if a
 * file never gets its locks
 */
export async function migrate(
  database: Pick<Database, 'db' | 'embedded'>,
  folder: string,
  options: Options = {},
): Promise<void> {
  const { db, embedded } = database
  const files = readMigrations(folder)
  const completedMigrations = await readCompletedMigrations(db)
  const fault = findSchemaFault(completedMigrations, getLatestNumber(files))
  if (fault) throw new ConfigError([fault])
  const pending = files.filter(({ name }) => !completedMigrations.has(name))
  if (pending.length === 0) return
  await assertOwnsTables(db, `lacks ${pending[0]?.name}`)
  const skippedVersionError =
    embedded || options.alone ? undefined : findSkippedVersion(pending, [...completedMigrations.keys()])
  if (skippedVersionError) throw new ConfigError([skippedVersionError])
  await ensureLedger(db)
  for (const file of pending)
    await (file.isWhole ? runInTransaction(db, file, options) : runWithoutTransaction(database, file))
}

/**
 * Returns a message if the update would skip a version. Processes of the previous version may still be running, and the migrations are safe
 * for them only if the database already has the migrations named in `needs`.
 */
function findSkippedVersion(pending: Migration[], ran: string[]): string | undefined {
  const breakingMigration = pending.find(({ needs }) => needs && !ran.some((name) => name.startsWith(needs)))
  if (!breakingMigration || ran.length === 0) return undefined
  return (
    `${breakingMigration.name} removes something that versions before ${breakingMigration.needs} ` +
    `need, and the database belongs to such a version: start a version ` +
    'in between first, or stop every process and run `npm run migrate -- --alone`.'
  )
}

/** Runs a migration in one transaction. If it does not get its locks soon, it lets other statements pass and tries again. */
async function runInTransaction(
  db: Db,
  file: Migration,
  { rights, say, patience: { lockMs, pauseMs, tries } = defaultLockRetries }: Options,
): Promise<void> {
  for (let tried = 1; ; tried++) {
    try {
      await db.transaction().execute(async (trx) => {
        if (!(await lockPendingMigration(trx, file))) return
        const end = performance.now() + lockMs
        for (const statement of file.statements) {
          const left = Math.max(10, Math.round(end - performance.now()))
          await sql`select set_config('lock_timeout', ${`${left}ms`}, true)`.execute(trx)
          await sql.raw(statement).execute(trx)
        }
        await recordMigration(trx, file)
        if (rights) await grantPrivileges(trx, rights)
      })
      return
    } catch (error) {
      if (!isLockConflict(error)) throw error
      if (tried >= tries)
        throw new ConfigError([
          `${file.name} could not get its locks in ${tries} attempts, because other transactions kept its tables locked.`,
        ])
      if (tried === 1)
        say?.(
          `${file.name} could not get its locks at once. It will try again later, so that no other statement has to wait for it.`,
        )
    }
    await pause(pauseMs * (0.5 + Math.random()))
  }
}

/** Whether a migration timed out waiting for a lock, or was cancelled to resolve a deadlock. */
const isLockConflict = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === '55P03' || error.code === '40P01')

/** Runs statements that cannot run in a transaction, or that should not hold their locks until a transaction ends. */
async function runWithoutTransaction(
  { db, embedded }: Pick<Database, 'db' | 'embedded'>,
  file: Migration,
): Promise<void> {
  const runAllMigrations = async (): Promise<void> => {
    for (const statement of file.statements) await repeatUntilUnchanged(db, statement)
  }
  if (embedded) {
    await runAllMigrations()
    return recordMigration(db, file)
  }
  // The lock is held by a separate transaction, because a session-level lock would be lost behind a transaction pooler.
  await db.transaction().execute(async (trx) => {
    if (!(await lockPendingMigration(trx, file))) return
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(trx)
    await runAllMigrations()
    await recordMigration(trx, file)
  })
}

/** Repeats a statement until it changes no more rows. Files without a transaction change a limited number of rows at a time. */
async function repeatUntilUnchanged(db: Db, statement: string): Promise<void> {
  await dropInvalidIndexes(db, statement)
  let changed: bigint | undefined
  do changed = (await sql.raw(statement).execute(db)).numAffectedRows
  while (changed)
}

/** Drops indexes named in this statement whose build was interrupted. They are never used, but `if not exists` would keep them. */
async function dropInvalidIndexes(db: Db, statement: string): Promise<void> {
  const { rows: unfinished } = await sql<{ name: string }>`
    select relname as name from pg_index join pg_class on pg_class.oid = indexrelid
    where not indisvalid and pg_table_is_visible(indexrelid)`.execute(db)
  const statementTokens = new Set(statement.split(/\s/))
  for (const { name } of unfinished)
    if (statementTokens.has(name)) await sql`drop index concurrently if exists ${sql.id(name)}`.execute(db)
}

/**
 * Locks the migrations table. Returns false if another process has already run the file. A table lock is used because, unlike a row lock,
 * it takes no snapshot, and building an index waits for snapshots.
 */
async function lockPendingMigration(trx: Trx, { name }: Migration): Promise<boolean> {
  await sql`lock table migrations in exclusive mode`.execute(trx)
  const done = await sql`select 1 from migrations where name = ${name}`.execute(trx)
  return done.rows.length === 0
}

async function recordMigration(db: Db | Trx, { name, needs }: Migration): Promise<void> {
  await sql`insert into migrations (name, needs) values (${name}, ${needs})`.execute(db)
}
