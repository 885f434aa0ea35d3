import { startLocalPostgres } from '#quality/support/local-postgres.ts'

export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env['DATABASE_URL']) return undefined
  const postgres = await startLocalPostgres()
  process.env['DATABASE_URL'] = postgres.url
  return async () => {
    delete process.env['DATABASE_URL']
    await postgres.giveBack()
  }
}
