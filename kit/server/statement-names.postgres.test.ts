import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeDatabase, type OwnDatabase } from '#testing/database.ts'
import { type Database, openDatabase } from './db.ts'

let own: OwnDatabase
let database: Database
beforeAll(async () => {
  own = await makeDatabase(process.env['DATABASE_URL'] ?? '')
  database = await openDatabase({ url: own.url, keepsStatements: true })
  await sql`create table birds (name text)`.execute(database.db)
})
afterAll(async () => {
  await database?.close()
  await own?.drop()
})

const threeTimes = async (ask: () => Promise<unknown>): Promise<void> => {
  for (let time = 0; time < 3; time++) await ask()
}

test('a connection keeps what is asked again and again, and a column more does no harm to any of it', async () => {
  await database.db.connection().execute(async (db) => {
    const some = () => sql`select name from birds where name = ${'kea'}`.execute(db)
    const all = () => sql`select * from "birds" where "name" = ${'kea'}`.execute(db)
    await threeTimes(some)
    await threeTimes(all)
    const { rows } = await sql<{ statement: string }>`
      select statement from pg_prepared_statements order by length(statement)`.execute(db)
    expect(rows.map(({ statement }) => statement)).toEqual([
      'select name from birds where name = $1',
      'select "name" from "birds" where "name" = $1',
    ])
    await sql`alter table birds add column can_fly boolean`.execute(db)
    await sql`insert into birds (name) values ('kea')`.execute(db)
    expect((await some()).rows).toEqual([{ name: 'kea' }])
    expect((await all()).rows).toEqual([{ name: 'kea' }])
  })
})

test('a column less is told once, and then asked for no more', async () => {
  await sql`create table bats (name text, can_walk boolean)`.execute(database.db)
  const all = () => sql`select * from "bats" where "name" = ${'pekapeka'}`.execute(database.db)
  await threeTimes(all)
  await sql`insert into bats values ('pekapeka', true)`.execute(database.db)
  await sql`alter table bats drop column can_walk`.execute(database.db)
  await expect(all()).rejects.toMatchObject({ code: '42703' })
  expect((await all()).rows).toEqual([{ name: 'pekapeka' }])
})
