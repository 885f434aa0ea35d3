import { join } from 'node:path'
import { sql } from 'kysely'
import { createClock } from '#kit/server/clock.ts'
import { type Database, openDatabase } from '#kit/server/db.ts'
import { migrate } from '#kit/server/migrate.ts'
import { applyCatalogueAtStartup } from '#features/plans/server/catalogue.ts'
import { loadOrCreatePrivateKey } from '#simulators/gateway/keys.ts'
import { fantailProvider } from '#quality/support/provider.ts'

/**
 * Creates the tables, the catalogue and the gateway's key in a template. Copying it is much faster than creating all of these for each test
 * file.
 */
export async function fillTemplate(place: { url: string } | { folder: string }, dataDir: string): Promise<void> {
  loadOrCreatePrivateKey(join(dataDir, 'gateway'))
  const root = join(import.meta.dirname, '../..')
  const database = await openDatabase(place)
  await migrate(database, join(root, 'db/migrations'))
  await migrate(database, join(root, 'demo/migrations'))
  await applyCatalogueAtStartup({ db: database.db, clock: createClock() }, fantailProvider.catalogue)
  if (database.embedded) await dropEmptyDatabases(database)
  await database.close()
}

/**
 * Drops the two template databases, which would account for two thirds of the files in each copy. Nothing creates further databases in the
 * embedded server, so they are not needed.
 */
async function dropEmptyDatabases({ db }: Database): Promise<void> {
  for (const name of ['template0', 'template1'].map((each) => sql.id(each))) {
    await sql`alter database ${name} is_template false`.execute(db)
    await sql`drop database ${name}`.execute(db)
  }
}
