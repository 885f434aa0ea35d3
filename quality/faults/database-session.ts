import pg from 'pg'
import type { FaultDatabase } from './injector.ts'

/** Runs `act` with a connection to the current primary that bypasses the proxies, and then closes the connection. */
export async function withSession<T>(database: FaultDatabase, act: (session: pg.Client) => Promise<T>): Promise<T> {
  const session = new pg.Client({ connectionString: database.direct(), connectionTimeoutMillis: 5_000 })
  // Ignore connection errors here, because the caller's own query fails too.
  session.on('error', () => {})
  try {
    await session.connect()
    return await act(session)
  } finally {
    await session.end().catch(() => {})
  }
}

/** Returns the database of a fault run. @throws when the run uses the embedded database */
export function requireDatabase({ database }: { database: FaultDatabase | null }): FaultDatabase {
  if (!database) throw new Error('there is no PostgreSQL here')
  return database
}
