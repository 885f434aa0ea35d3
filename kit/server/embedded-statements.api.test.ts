import { rmSync } from 'node:fs'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { PGlite } from '@electric-sql/pglite'
import { createDataFolder } from '#quality/support/data-folder.ts'
import { type Database, openDatabase } from './db.ts'

const home = createDataFolder()
let database: Database
beforeAll(async () => {
  database = await openDatabase({ folder: home })
})
afterAll(async () => {
  await database.close()
  rmSync(home, { recursive: true, force: true })
})

async function kept(like: string): Promise<number> {
  const found = await sql<{ count: number }>`
    select count(*)::int as count from pg_prepared_statements where statement like ${like}`.execute(database.db)
  return found.rows[0]?.count ?? 0
}
const rowsOf = async (statement: string) => (await sql.raw(statement).execute(database.db)).rows

test('prepares an SQL statement once and then only executes it with new parameters', async () => {
  const ask = vi.spyOn(PGlite.prototype, 'execProtocolStream')
  const doubled = async (value: number) => (await sql`select ${value}::int * 2 as doubled`.execute(database.db)).rows
  expect(await doubled(1)).toEqual([{ doubled: 2 }])
  const first = ask.mock.calls.length
  expect(await doubled(21)).toEqual([{ doubled: 42 }])
  expect({ first, second: ask.mock.calls.length - first }).toEqual({ first: 2, second: 1 })
  expect(await kept('%as doubled')).toBe(1)
})

test('returns dates, bytes, lists, JSON and other values as they were written', async () => {
  const at = new Date('2026-11-25T01:02:03.004Z')
  const bytes = new Uint8Array([0, 127, 255])
  const { rows } = await sql`
    select ${at}::timestamptz as at, ${bytes}::bytea as bytes, ${['a', 'b"', '{}']}::text[] as texts, ${null}::text as nothing,
      ${{ a: ['ā', null] }}::jsonb as json, ${true}::boolean as yes, ${'9007199254740993'}::int8 as big, ''::text as empty
  `.execute(database.db)
  expect(rows).toEqual([
    {
      at,
      bytes,
      texts: ['a', 'b"', '{}'],
      nothing: null,
      json: { a: ['ā', null] },
      yes: true,
      big: 9007199254740993n,
      empty: '',
    },
  ])
})

test('reports the number of rows that an SQL statement wrote, which is 0 for a query', async () => {
  await sql`create table counted (id int primary key)`.execute(database.db)
  const write = await sql`insert into counted values (1), (2) returning id`.execute(database.db)
  expect(write).toEqual({ numAffectedRows: 2n, rows: [{ id: 1 }, { id: 2 }] })
  expect((await sql`select id from counted`.execute(database.db)).numAffectedRows).toBe(0n)
  expect((await sql`delete from counted where id = 7`.execute(database.db)).numAffectedRows).toBe(0n)
})

test('a failing SQL statement reports its error, and the next statement works', async () => {
  await sql`create table single (id int constraint only_once unique)`.execute(database.db)
  const insert = () => sql`insert into single values (1)`.execute(database.db)
  await insert()
  for (let time = 0; time < 2; time++)
    await expect(insert()).rejects.toMatchObject({ code: '23505', constraint: 'only_once' })
  await expect(rowsOf('select nothing from nowhere')).rejects.toMatchObject({ code: '42P01' })
  expect(await rowsOf('select id from single')).toEqual([{ id: 1 }])
})

test('prepares an SQL statement again after its table has changed, and after that change has been rolled back', async () => {
  const all = () => rowsOf('select * from changing')
  await rowsOf('create table changing (a int)')
  await rowsOf('insert into changing values (1)')
  expect(await all()).toEqual([{ a: 1 }])
  await rowsOf('alter table changing add column b int')
  expect(await all()).toEqual([{ a: 1, b: null }])
  const failed = database.db.transaction().execute(async (trx) => {
    await sql`alter table changing add column c int`.execute(trx)
    expect((await sql.raw('select * from changing').execute(trx)).rows).toEqual([{ a: 1, b: null, c: null }])
    throw new Error('on purpose')
  })
  await expect(failed).rejects.toThrow('on purpose')
  expect(await all()).toEqual([{ a: 1, b: null }])
})

test('a failed transaction is rolled back completely, and other SQL statements never see its changes', async () => {
  await rowsOf('create table whole (id int)')
  const { promise: isIn, resolve: enter } = Promise.withResolvers<void>()
  const { promise: leave, resolve: mayLeave } = Promise.withResolvers<void>()
  const failing = database.db.transaction().execute(async (trx) => {
    await sql`insert into whole values (1)`.execute(trx)
    enter()
    await leave
    throw new Error('on purpose')
  })
  await isIn
  const beside = rowsOf('select count(*)::int as count from whole')
  mayLeave()
  await expect(failing).rejects.toThrow('on purpose')
  expect(await beside).toEqual([{ count: 0 }])

  const swallowed = database.db.transaction().execute(async (trx) => {
    await sql`insert into whole values (2)`.execute(trx)
    await sql`select 1 / 0`.execute(trx).catch(() => {})
  })
  await expect(swallowed).rejects.toThrow(/aborted|rolled back/i)
  expect(await rowsOf('select id from whole')).toEqual([])
})

test('keeps at most 256 prepared statements', async () => {
  for (let index = 0; index < 300; index++) expect(await rowsOf(`select ${index} as one_of_many`)).toHaveLength(1)
  expect(await kept('%as one_of_many')).toBe(255)
  expect(await rowsOf('select 0 as one_of_many')).toEqual([{ one_of_many: 0 }])
})

test('prepares an SQL statement again after a thousand executions', async () => {
  const namesOf = async () =>
    (await rowsOf("select name from pg_prepared_statements where statement like '%as often'"))[0]
  await rowsOf('select 1 as often')
  const first = await namesOf()
  for (let run = 0; run < 1_000; run++) await rowsOf('select 1 as often')
  expect(await namesOf()).not.toEqual(first)
})
