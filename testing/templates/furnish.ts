import { join } from 'node:path'
import { createClock } from '#kit/server/clock.ts'
import { openDatabase } from '#kit/server/db.ts'
import { startJobs } from '#kit/server/jobs.ts'
import { migrate } from '#kit/server/migrate.ts'
import { startWithCatalogue } from '#features/plans/server/catalogue.ts'
import { queues } from '#app/worker.ts'
import { fantail } from '../provider.ts'

/** Makes the tables, the queues and the catalogue: to copy a database that has them is much quicker than to make another for each file. */
export async function furnish(place: { url: string } | { folder: string }): Promise<void> {
  const root = join(import.meta.dirname, '../..')
  const database = await openDatabase(place)
  await migrate(database, join(root, 'db/migrations'))
  await migrate(database, join(root, 'demo/migrations'))
  await startWithCatalogue({ db: database.db, clock: createClock() }, fantail.catalogue)
  const jobs = await startJobs(database, queues, { onError: (error) => console.error(error) })
  await jobs.stop()
  await database.close()
}
