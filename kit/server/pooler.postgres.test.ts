import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeDatabase, type TestDatabase } from '#quality/support/database.ts'
import { type Pooler, startPooler } from '#quality/support/pgbouncer.ts'
import { isTimeout } from './statement-timeout.ts'
import { type Database, openDatabase, transact } from './db.ts'
import { withTimeouts, bulkTimeouts } from './database-timeouts.ts'

let own: TestDatabase
let pooler: Pooler
let database: Database
beforeAll(async () => {
  own = await makeDatabase(process.env['DATABASE_URL'] ?? '', { empty: true })
  pooler = await startPooler(own.url)
  database = await openDatabase({ url: pooler.url })
})
afterAll(async () => {
  await database?.close()
  await pooler?.stop()
  await own?.drop()
})

const bounds = sql<{ bounds: string[] }>`select array[current_setting('statement_timeout'),
  current_setting('lock_timeout'), current_setting('idle_in_transaction_session_timeout')] as bounds`
const none = ['0', '0', '0']
const boundsIn = async (db: Database['db']) => (await bounds.execute(db)).rows[0]?.bounds

test('each transaction has its own time limits behind a pooler that ignores session settings', async () => {
  const ignored = 'ignore_startup_parameters = statement_timeout, lock_timeout, idle_in_transaction_session_timeout'
  const ignoring = await startPooler(own.url, [ignored])
  const behind = await openDatabase({ url: ignoring.url })
  try {
    expect(await transact(behind.db, boundsIn)).toEqual(['4200ms', '3500ms', '8s'])
    expect(await withTimeouts(bulkTimeouts, () => transact(behind.db, boundsIn))).toEqual(['59700ms', '3500ms', '8s'])
    expect(await withTimeouts(bulkTimeouts, () => boundsIn(behind.db))).toEqual(none)
    expect(await boundsIn(behind.db)).toEqual(none)
  } finally {
    await behind.close()
    await ignoring.stop()
  }
})

describe('a pooler that rejects session settings', () => {
  test('each transaction has its own time limits behind a pooler that rejects session settings', async () => {
    expect(await transact(database.db, boundsIn)).toEqual(['4200ms', '3500ms', '8s'])
    expect(await withTimeouts(bulkTimeouts, () => transact(database.db, boundsIn))).toEqual(['59700ms', '3500ms', '8s'])
    expect(await boundsIn(database.db)).toEqual(none)
  })

  test('behind a connection pooler, an SQL statement outside a transaction stops at its time limit without delaying others', async () => {
    const slow = sql`select pg_sleep(120)`.execute(database.db)
    const failure = slow.then(
      () => null,
      (error: unknown) => error,
    )
    expect(await transact(database.db, boundsIn)).toBeDefined()
    expect(isTimeout(await failure)).toBe(true)
    expect(await boundsIn(database.db)).toEqual(none)
  })
})
