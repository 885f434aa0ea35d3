import { makeDatabase } from '../database.ts'
import { furnish } from './furnish.ts'

/** Before tests on PostgreSQL: `makeDatabase()` copies this one. */
export default async function setup(): Promise<() => Promise<void>> {
  const database = await makeDatabase(process.env['DATABASE_URL'] ?? '')
  await furnish({ url: database.url })
  process.env['TEMPLATE_DATABASE'] = new URL(database.url).pathname.slice(1)
  return database.drop
}
