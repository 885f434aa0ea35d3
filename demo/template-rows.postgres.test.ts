import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { readConfig } from '#kit/server/config.ts'
import { type Database, openDatabase } from '#kit/server/db.ts'
import { makeDatabase, type TestDatabase } from '#quality/support/database.ts'
import { advanceWizardTo } from '#quality/support/activation-journey.ts'
import { findFaultsWhenIdle } from '#quality/support/reconciliation.ts'
import { useWorld } from '#quality/support/world.ts'
import { fillFromTemplate, rowsFile } from './template.ts'
import { readRows, type DatabaseRows } from './template-rows.ts'

const world = useWorld()
const home = mkdtempSync(join(tmpdir(), 'fantail-rows-'))
const template = join(home, 'template')
let own: TestDatabase
let database: Database
let rows: DatabaseRows
beforeAll(async () => {
  const ana = await advanceWizardTo(world(), 'PAYMENT')
  await ana.pay()
  await ana.arriveAt('SUCCESSFUL')
  await findFaultsWhenIdle(world())
  rows = await readRows(world().db)
  mkdirSync(join(template, 'pg'), { recursive: true })
  writeFileSync(join(template, 'secret'), 'a'.repeat(64))
  own = await makeDatabase(process.env['DATABASE_URL'] ?? '')
  database = await openDatabase({ url: own.url })
})
afterAll(async () => {
  await database?.close()
  await own?.drop()
  rmSync(home, { recursive: true, force: true })
})

const dataDir = (name: string): string => join(home, name)
async function fill(name: string, told: DatabaseRows, env: Record<string, string> = {}): Promise<void> {
  writeFileSync(join(template, rowsFile), JSON.stringify(told))
  const config = readConfig({ DATA_DIR: dataDir(name), DATABASE_URL: 'postgres://db.example/demo', ...env })
  await fillFromTemplate(database.db, config, () => template)
}
const filesOf = (name: string): string[] =>
  readdirSync(home).flatMap((each) => (each === name ? readdirSync(dataDir(name)) : []))

/** Sort each table's rows, because different databases may return them in a different order. */
const sorted = (all: DatabaseRows) =>
  Object.fromEntries(Object.entries(all).map(([table, each]) => [table, each.map((row) => JSON.stringify(row)).sort()]))

test.each([
  ['of another market', { MARKET: 'AU' }],
  ['that only runs the web role', { ROLE: 'web', SECRET_KEY: 'b'.repeat(64) }],
  ['with another role for its tables', { MIGRATION_DATABASE_URL: 'postgres://owner@db.example/demo' }],
])('a demo %s starts without the prepared rows', async (_, env) => {
  await fill('other', rows, env)
  expect([filesOf('other'), (await readRows(database.db))['users']]).toEqual([[], undefined])
})

test('if prepared demo data does not match the database’s tables, the data is not used and a one-line message says so', async () => {
  const said = vi.spyOn(console, 'log').mockImplementation(() => {})
  await fill('wrong', { ...rows, nests: [{ id: 1 }] })
  expect(said.mock.calls).toEqual([[expect.stringMatching(/^The prepared demo can’t be used: .*nests/)]])
  said.mockRestore()
  expect([filesOf('wrong'), (await readRows(database.db))['users']]).toEqual([[], undefined])
  expect(readdirSync(home).filter((name) => name.startsWith('.'))).toEqual([])
})

test('an unused database is filled with the prepared demo data, and the data folder gets the secret key for that data', async () => {
  mkdirSync(dataDir('first'))
  writeFileSync(join(dataDir('first'), 'unfilled'), '')
  await fill('first', rows)
  const has = await readRows(database.db)
  expect(Object.keys(has)).toEqual(expect.arrayContaining(['users', 'orders', 'services', 'invoices', 'demo_messages']))
  expect(sorted(has)).toEqual(sorted(rows))
  expect(filesOf('first')).toEqual(['secret'])
  expect(readFileSync(join(dataDir('first'), 'secret'), 'utf8')).toBe('a'.repeat(64))
})

test('new order events get higher ids than the order events in the prepared demo data', async () => {
  const { rows: next } = await sql<{ is_free: boolean }>`
    select nextval(pg_get_serial_sequence('order_events', 'id')) > (select max(id) from order_events) as is_free`.execute(
    database.db,
  )
  expect(next).toEqual([{ is_free: true }])
})

test('prepared demo data does not change a database that is already in use', async () => {
  await fill('second', { users: [] })
  expect([filesOf('second'), sorted(await readRows(database.db))]).toEqual([[], sorted(rows)])
})
