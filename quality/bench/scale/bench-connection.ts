import pg from 'pg'
import { openEmbeddedDatabase } from '#kit/server/embedded-database.ts'
import type { Place } from '../world/world.ts'

export type BenchConnection = {
  ask<Row = Record<string, string | null>>(text: string, values?: unknown[]): Promise<Row[]>
  close(): Promise<void>
}

export async function openBenchConnection(place: Place): Promise<BenchConnection> {
  if ('folder' in place) {
    const embeddedDatabase = await openEmbeddedDatabase(place.folder)
    return {
      ask: async <Row>(text: string, values?: unknown[]) =>
        (await embeddedDatabase.pglite.query<Row>(text, values)).rows,
      close: () => embeddedDatabase.close(),
    }
  }
  const client = new pg.Client({ connectionString: place.url })
  await client.connect()
  // Commits need not be durable: if the database server crashes, the benchmark starts over anyway.
  await client.query('set synchronous_commit = off')
  return {
    ask: async <Row>(text: string, values?: unknown[]) => (await client.query(text, values)).rows as Row[],
    close: () => client.end(),
  }
}
