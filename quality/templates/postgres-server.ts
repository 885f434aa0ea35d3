import { borrowPostgres } from '#quality/support/local-postgres.ts'

/** Before tests on PostgreSQL: the server that `DATABASE_URL` names, or a local one of our own that ends with the tests. */
export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env['DATABASE_URL']) return undefined
  const postgres = await borrowPostgres()
  process.env['DATABASE_URL'] = postgres.url
  return async () => {
    delete process.env['DATABASE_URL']
    await postgres.giveBack()
  }
}
