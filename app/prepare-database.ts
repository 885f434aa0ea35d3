import { join } from 'node:path'
import { sql } from 'kysely'
import { ConfigError, type DatabaseConfig } from '#kit/server/config.ts'
import { isDatabaseUnavailable, getErrorReason, acceptsWrites } from '#kit/server/database-unavailable.ts'
import { type Database, type Db, type QueryListener, openDatabase } from '#kit/server/db.ts'
import { migrate } from '#kit/server/migrate.ts'
import { readMigrations, getLatestNumber } from '#kit/server/migration-files.ts'
import { assertOwnsTables, readSchemaFault } from '#kit/server/migration-ledger.ts'
import { grantPrivileges, type RolePrivileges } from '#kit/server/privileges.ts'
import { withTimeouts, migrationTimeouts } from '#kit/server/database-timeouts.ts'
import type { Upkeep } from '#kit/server/sweeps.ts'

export const migrations = join(import.meta.dirname, '../db/migrations')
const newestMigration = getLatestNumber(readMigrations(migrations))
const demoMigrations = join(import.meta.dirname, '../demo/migrations')

export const privilegesByTable: RolePrivileges['only'] = {
  access_log: ['select', 'insert', 'delete'],
  anonymous_failures: ['select', 'insert', 'update'],
  audit_events: ['select', 'insert'],
  gateway_notifications: ['select', 'insert'],
  // Merging two accounts changes the owner of their invoices, which needs the update privilege.
  invoices: ['select', 'insert', 'update'],
  migrations: ['select'],
}

/**
 * Opens and prepares the database.
 * @throws ConfigError for the same reasons as `prepareDatabase`
 */
export async function openPreparedDatabase(
  config: DatabaseConfig & { dataDir: string },
  hearQuery?: QueryListener,
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
 * Migrates the database to this version. If a separate role owns the tables, that role runs the migrations and grants privileges to the
 * application's role. Otherwise the application's own role runs the migrations.
 * @throws ConfigError if this version cannot work with the database, or its role may not migrate it
 */
export async function prepareDatabase(
  database: Database,
  config: DatabaseConfig,
  options: Options = {},
): Promise<void> {
  await checkAcceptsWrites(database)
  await withTimeouts(migrationTimeouts, () => migrateToLatest(database, config, options))
}

async function migrateToLatest(database: Database, config: DatabaseConfig, options: Options): Promise<void> {
  const folders = config.mode === 'demo' ? [migrations, demoMigrations] : [migrations]
  if (!config.migrationDatabaseUrl) {
    for (const folder of folders) await migrate(database, folder, options)
    return
  }
  const role = await findRole(database)
  const ownerDatabase = await openDatabase({ url: config.migrationDatabaseUrl })
  try {
    if ((await findRole(ownerDatabase)) === role)
      throw new ConfigError([
        'MIGRATION_DATABASE_URL must use the role that owns the tables, and DATABASE_URL must use a different role.',
      ])
    await assertOwnsTables(ownerDatabase.db, 'needs to be migrated')
    const privileges: RolePrivileges = { role, only: privilegesByTable }
    for (const folder of folders) await migrate(ownerDatabase, folder, { ...options, rights: privileges })
    // Privileges are granted even if no migration ran, because the application's role may be new.
    await grantRolePrivileges(ownerDatabase, privileges)
  } finally {
    await ownerDatabase.close()
  }
}

/** Checks that the database accepts writes. @throws ConfigError if the database cannot be reached or is read-only */
async function checkAcceptsWrites({ db }: Database): Promise<void> {
  const isWritable = await acceptsWrites(db).catch((error: unknown) => {
    throw isDatabaseUnavailable(error)
      ? new ConfigError([`The database cannot be reached: ${getErrorReason(error)}.`])
      : error
  })
  if (!isWritable) throw new ConfigError(['The database is read-only: it is a standby, or was set to read-only.'])
}

async function grantRolePrivileges({ db }: Database, rights: RolePrivileges): Promise<void> {
  await db.transaction().execute(async (trx) => {
    // Concurrent GRANT statements would fail, so this lock makes processes run them one after the other.
    await sql`lock table migrations in exclusive mode`.execute(trx)
    await grantPrivileges(trx, rights)
  })
}

async function findRole({ db }: Database): Promise<string> {
  const { rows } = await sql<{ role: string }>`select current_user as role`.execute(db)
  return rows[0]?.role ?? ''
}

export const findSchemaFault = (db: Db): Promise<string | null> => readSchemaFault(db, newestMigration)

export const schemaUpkeep = (db: Db): Upkeep => ({
  name: 'schema',
  everyMs: 15_000,
  async run() {
    const fault = await findSchemaFault(db)
    if (fault) throw new Error(fault)
  },
})
