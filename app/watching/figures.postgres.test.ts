import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createClock } from '#kit/server/clock.ts'
import { type Database, openDatabase } from '#kit/server/db.ts'
import { createFigureGroup } from './figures.ts'

let database: Database
beforeAll(async () => {
  database = await openDatabase({ url: process.env['DATABASE_URL'] ?? '' })
})
afterAll(() => database.close())

function groupAsking(question: string) {
  const failures: unknown[] = []
  const source = { db: database.db, clock: createClock(), onFailure: (error: unknown) => void failures.push(error) }
  const figure = { gauges: {}, ask: () => sql.raw<Record<string, number>>(question) }
  return { ...createFigureGroup(source, { figures: [figure], everyMs: 60_000 }), failures }
}

test('the database cancels a slow metrics query, and the caller gets an empty result within six seconds', async () => {
  const slow = groupAsking('select 1 as n from pg_sleep(60)')
  const began = performance.now()
  expect(await slow.readings()).toBeNull()
  expect(performance.now() - began).toBeLessThan(6_000)
  await slow.settle()
  expect(slow.failures).toMatchObject([{ code: '57014' }])
  // The statement timeout must apply to one transaction only, not to whatever uses the connection next.
  await sql`select pg_sleep(2.2)`.execute(database.db)
})

test('a metrics request returns within six seconds even if all database connections are in use', async () => {
  const group = groupAsking('select 7 as n')
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
  const holders = Array.from({ length: 12 }, () =>
    database.db.connection().execute(async (db) => {
      await sql`select 1`.execute(db)
      await held
    }),
  )
  const began = performance.now()
  expect(await group.readings()).toBeNull()
  expect(performance.now() - began).toBeLessThan(6_000)
  expect(database.pool()).toMatchObject({ total: 12, idle: 0, waiting: 1 })
  letGo()
  await Promise.all(holders)
  await group.settle()
  expect((await group.readings())?.[0]?.rows).toEqual([{ n: 7 }])
})
