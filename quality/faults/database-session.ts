import pg from 'pg'
import type { FaultDatabase } from './injector.ts'

/** Runs `act` with a connection that bypasses the proxies and leads to the current primary, then closes the connection. */
export async function withSession<T>(database: FaultDatabase, act: (session: pg.Client) => Promise<T>): Promise<T> {
  const session = new pg.Client({ connectionString: database.direct(), connectionTimeoutMillis: 5_000 })
  // Ignore connection errors here, because the caller's own query fails as well.
  session.on('error', () => {})
  try {
    await session.connect()
    return await act(session)
  } finally {
    await session.end().catch(() => {})
  }
}

/** Returns a fault run's database. @throws if the run uses the embedded database */
export function requireDatabase({ database }: { database: FaultDatabase | null }): FaultDatabase {
  if (!database) throw new Error('there is no PostgreSQL here')
  return database
}
