import { join } from 'node:path'
import { sql } from 'kysely'
import { ConfigFault, type DatabaseConfig } from '#kit/server/config.ts'
import { isDatabaseAway, reasonOf, takesWrites } from '#kit/server/database-away.ts'
import { type Database, type Db, type HearQuery, openDatabase } from '#kit/server/db.ts'
import { migrate } from '#kit/server/migrate.ts'
import { migrationsIn, newestOf } from '#kit/server/migration-files.ts'
import { mustOwn, schemaFault } from '#kit/server/migration-ledger.ts'
import { grantTo, type Rights } from '#kit/server/rights.ts'
import { allowing, forMigrations } from '#kit/server/statement-bounds.ts'
import type { Upkeep } from '#kit/server/sweeps.ts'

export const migrations = join(import.meta.dirname, '../db/migrations')
const newest = newestOf(migrationsIn(migrations))
const demoMigrations = join(import.meta.dirname, '../demo/migrations')

export const rightsByTable: Rights['only'] = {
  access_log: ['select', 'insert', 'delete'],
  anonymous_failures: ['select', 'insert', 'update'],
  audit_events: ['select', 'insert'],
  gateway_notifications: ['select', 'insert'],
  // Joining two accounts changes the owner.
  invoices: ['select', 'insert', 'update'],
  migrations: ['select'],
}

/** @throws ConfigFault as `prepareDatabase` does */
export async function openPrepared(
  config: DatabaseConfig & { dataDir: string },
  hearQuery?: HearQuery,
): Promise<Database> {
  const { databaseUrl: url, keepsStatements } = config
  const place = url ? { url, keepsStatements } : { folder: config.dataDir }
  const database = await openDatabase(place, hearQuery)
  try {
    await prepareDatabase(database, config, { say: (line) => console.log(line) })
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}

type Options = { alone?: boolean; say?(line: string): void }

/**
 * Migrates the database to this version. If the role that owns the tables is configured, that role migrates and grants the product's role
 * its rights.
 * Otherwise the product's own role migrates.
 * @throws ConfigFault if this version cannot work with the database, or may not migrate it
 */
export async function prepareDatabase(
  database: Database,
  config: DatabaseConfig,
  options: Options = {},
): Promise<void> {
  await refuseWithout(database)
  await allowing(forMigrations, () => bringUp(database, config, options))
}

async function bringUp(database: Database, config: DatabaseConfig, options: Options): Promise<void> {
  const folders = config.mode === 'demo' ? [migrations, demoMigrations] : [migrations]
  if (!config.migrationDatabaseUrl) {
    for (const folder of folders) await migrate(database, folder, options)
    return
  }
  const role = await roleOf(database)
  const owners = await openDatabase({ url: config.migrationDatabaseUrl })
  try {
    if ((await roleOf(owners)) === role)
      throw new ConfigFault([
        'MIGRATION_DATABASE_URL must use the role that owns the tables, which must not be the role of DATABASE_URL.',
      ])
    await mustOwn(owners.db, 'needs to be migrated')
    const rights: Rights = { role, only: rightsByTable }
    for (const folder of folders) await migrate(owners, folder, { ...options, rights })
    // Needed even without a new migration, because the role may be new.
    await grant(owners, rights)
  } finally {
    await owners.close()
  }
}

/** @throws ConfigFault if the database cannot be reached or is read-only */
async function refuseWithout({ db }: Database): Promise<void> {
  const takes = await takesWrites(db).catch((error: unknown) => {
    throw isDatabaseAway(error) ? new ConfigFault([`The database cannot be reached: ${reasonOf(error)}.`]) : error
  })
  if (!takes) throw new ConfigFault(['The database is read-only: it is a standby, or was set to read-only.'])
}

async function grant({ db }: Database, rights: Rights): Promise<void> {
  await db.transaction().execute(async (trx) => {
    // The lock serialises concurrent grants, which would fail otherwise.
    await sql`lock table migrations in exclusive mode`.execute(trx)
    await grantTo(trx, rights)
  })
}

async function roleOf({ db }: Database): Promise<string> {
  const { rows } = await sql<{ role: string }>`select current_user as role`.execute(db)
  return rows[0]?.role ?? ''
}

export const cannotServe = (db: Db): Promise<string | null> => schemaFault(db, newest)

export const schemaUpkeep = (db: Db): Upkeep => ({
  name: 'schema',
  everyMs: 15_000,
  async run() {
    const fault = await cannotServe(db)
    if (fault) throw new Error(fault)
  },
})
