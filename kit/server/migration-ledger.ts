import { sql } from 'kysely'
import { ConfigError } from './config.ts'
import type { Db } from './db.ts'

/** Completed migrations by name. The value is the migration that a version must include to serve from then on; `null` means none. */
type CompletedMigrations = ReadonlyMap<string, string | null>

/** Returns the completed migrations; none if the database has no tables. It only reads, because not every role may write. */
export async function readCompletedMigrations(db: Db): Promise<CompletedMigrations> {
  const columns = await readLedgerColumns(db)
  if (columns.length === 0) return new Map()
  const needs = columns.includes('needs') ? sql`needs` : sql`null`
  const { rows } = await sql<{
    name: string
    needs: string | null
  }>`select name, ${needs} as needs from migrations`.execute(db)
  return new Map(rows.map((row) => [row.name, row.needs]))
}

export async function ensureLedger(db: Db): Promise<void> {
  if ((await readLedgerColumns(db)).includes('needs')) return
  await db.transaction().execute(async (trx) => {
    // Without this lock, two processes creating the table at once would collide, because `if not exists` checks before it waits.
    await sql`select pg_advisory_xact_lock(hashtextextended('fantail migrations', 0))`.execute(trx)
    await sql`create table if not exists migrations (name text primary key, run_at timestamptz not null default now())`.execute(
      trx,
    )
    await sql`alter table migrations add column if not exists needs text`.execute(trx)
  })
}

/**
 * Checks that the connection's role may change the schema: it must own the tables, or be able to create the first one.
 * @throws ConfigError that says what the database needs
 */
export async function assertOwnsTables(db: Db, wants: string): Promise<void> {
  const { rows } = await sql<{ role: string; may: boolean | null }>`
    select current_user as role, coalesce(
      (select pg_has_role(relowner, 'member') from pg_class where oid = to_regclass('migrations')),
      has_schema_privilege(current_schema(), 'create')) as may`.execute(db)
  if (rows[0]?.may) return
  throw new ConfigError([
    `The database ${wants}, and the role ${rows[0]?.role} does not own its tables: ` +
      'run `npm run migrate` with the MIGRATION_DATABASE_URL of their owner.',
  ])
}

export async function readSchemaFault(db: Db, newest: string): Promise<string | null> {
  return findSchemaFault(await readCompletedMigrations(db), newest)
}

export function findSchemaFault(ran: CompletedMigrations, newest: string): string | null {
  const [newerMigration] = [...ran].filter(([, needs]) => needs && needs > newest).sort(([a], [b]) => (a < b ? 1 : -1))
  if (!newerMigration) return null
  const [name, needs] = newerMigration
  return (
    `The database belongs to a newer version, and this version cannot use it: ${name} needs migration ${needs}, ` +
    `and this version ends with ${newest}. Start the newer version.`
  )
}

async function readLedgerColumns(db: Db): Promise<string[]> {
  const { rows } = await sql<{ attname: string }>`
    select attname from pg_attribute where attrelid = to_regclass('migrations') and attnum > 0 and not attisdropped`.execute(
    db,
  )
  return rows.map(({ attname }) => attname)
}
