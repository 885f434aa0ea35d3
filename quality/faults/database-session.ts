import pg from 'pg'
import type { FaultDatabase } from './injector.ts'

/** Runs `act` with a connection to the current primary that bypasses the lines. The connection is closed afterwards. */
export async function withSession<T>(database: FaultDatabase, act: (session: pg.Client) => Promise<T>): Promise<T> {
  const session = new pg.Client({ connectionString: database.direct(), connectionTimeoutMillis: 5_000 })
  // The caller learns of the error from its own query.
  session.on('error', () => {})
  try {
    await session.connect()
    return await act(session)
  } finally {
    await session.end().catch(() => {})
  }
}

/** The database of a world. @throws where an injector needs PostgreSQL and there is none */
export function requireDatabase({ database }: { database: FaultDatabase | null }): FaultDatabase {
  if (!database) throw new Error('there is no PostgreSQL here')
  return database
}
