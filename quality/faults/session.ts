import pg from 'pg'
import type { FaultDatabase } from './injector.ts'

/** A connection of our own to the server that is the primary now, around the lines. It is closed when `act` has ended. */
export async function inSession<T>(database: FaultDatabase, act: (session: pg.Client) => Promise<T>): Promise<T> {
  const session = new pg.Client({ connectionString: database.direct(), connectionTimeoutMillis: 5_000 })
  // Who uses it is told by its own query.
  session.on('error', () => {})
  try {
    await session.connect()
    return await act(session)
  } finally {
    await session.end().catch(() => {})
  }
}

/** The fault of who needs PostgreSQL and was given none. */
export function databaseOf({ database }: { database: FaultDatabase | null }): FaultDatabase {
  if (!database) throw new Error('there is no PostgreSQL here')
  return database
}
