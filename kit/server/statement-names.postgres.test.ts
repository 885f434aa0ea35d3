import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeDatabase, type TestDatabase } from '#quality/support/database.ts'
import { type Database, openDatabase } from './db.ts'

let own: TestDatabase
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

test('frequent SQL statements are prepared unless they select *, and both kinds still work after a column has been added', async () => {
  await database.db.connection().execute(async (db) => {
    const some = () => sql`select name from birds where name = ${'kea'}`.execute(db)
    const all = () => sql`select * from "birds" where "name" = ${'kea'}`.execute(db)
    await threeTimes(some)
    await threeTimes(all)
    const { rows } = await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(db)
    expect(rows.map(({ statement }) => statement)).toEqual(['select name from birds where name = $1'])
    await sql`alter table birds add column can_fly boolean`.execute(db)
    await sql`insert into birds (name) values ('kea')`.execute(db)
    expect((await some()).rows).toEqual([{ name: 'kea' }])
    expect((await all()).rows).toEqual([{ name: 'kea', can_fly: null }])
  })
})

test('a prepared SQL statement whose column changes type fails once and then returns the new type', async () => {
  await sql`create table bats (name text, age int)`.execute(database.db)
  await sql`insert into bats values ('pekapeka', 7)`.execute(database.db)
  await database.db.connection().execute(async (db) => {
    const ages = () => sql`select age from bats where name = ${'pekapeka'}`.execute(db)
    await threeTimes(ages)
    await sql`alter table bats alter column age type text`.execute(db)
    await expect(ages()).rejects.toMatchObject({ code: '0A000' })
    expect((await ages()).rows).toEqual([{ age: '7' }])
  })
})
