import pg from 'pg'
import { makeDatabase } from '#quality/support/database.ts'
import type { FaultDatabase } from './injector.ts'

export async function runOn(url: string, statement: string, parameters: unknown[] = []) {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(statement, parameters)).rows as Record<string, unknown>[]
  } finally {
    await client.end().catch(() => {})
  }
}

export async function createFaultDatabase(serverUrl: string): Promise<FaultDatabase> {
  const own = await makeDatabase(serverUrl, { empty: true })
  return {
    url: own.url,
    run: (statement, parameters) => runOn(own.url, statement, parameters),
    direct: () => own.url,
    lines: [],
    cluster: null,
    pair: null,
    close: own.drop,
  }
}
