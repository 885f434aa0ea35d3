import { join } from 'node:path'
import { openDatabase } from '#kit/server/db.ts'
import { migrate } from '#kit/server/migrate.ts'
import { importCatalogue } from '#features/plans/server/plans.store.ts'
import { fantail } from '../provider.ts'

/** Makes the tables and the catalogue: to copy a database that has them is much quicker than to make another for each file. */
export async function furnish(place: { url: string } | { folder: string }): Promise<void> {
  const root = join(import.meta.dirname, '../..')
  const database = await openDatabase(place)
  await migrate(database.db, join(root, 'db/migrations'))
  await migrate(database.db, join(root, 'demo/migrations'))
  await importCatalogue(database.db, fantail.catalogue)
  await database.close()
}
