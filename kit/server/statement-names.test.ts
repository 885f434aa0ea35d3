import { describe, expect, test } from 'vitest'
import { createStatementNames } from './statement-names.ts'

type Names = ReturnType<typeof createStatementNames>

const thirdTime = (statement: string, names: Names = createStatementNames()): string | undefined => {
  names.of(statement)
  names.of(statement)
  return names.of(statement)
}

describe('names for prepared statements', () => {
  test('an SQL statement gets a prepared-statement name from its third use on, and the same name in every process', () => {
    const names = createStatementNames()
    const statement = 'select "id" from "orders" where "id" = $1'
    const name = thirdTime(statement)
    expect([1, 2, 3, 4].map(() => names.of(statement))).toEqual([undefined, undefined, name, name])
    expect(thirdTime('update "orders" set "version" = $1', names)).not.toBe(name)
  })

  test('the name of a prepared statement fits into the 63 characters that PostgreSQL distinguishes', () => {
    expect(thirdTime(`select ${'"id", '.repeat(200)} 1`)?.length).toBeLessThan(64)
  })

  test.each([
    'with a as (select * from "orders") select 1',
    'delete from "orders"',
    'SELECT count(*)::int from "orders"',
    'select (select json_agg(a) from (select * from "orders") as a) as "orders"',
  ])('names a statement that lists its result columns: %s', (statement) => {
    expect(thirdTime(statement)).toEqual(expect.any(String))
  })

  test.each([
    'select * from "orders"',
    'insert into "orders" ("id") values ($1) returning *',
    'select "orders".* from "orders"',
    'select distinct on ("id") "orders".* from "orders"',
    'with a as (select 1) select * from a',
  ])('does not name a statement that returns all columns: %s', (statement) => {
    expect(thirdTime(statement)).toBeUndefined()
  })

  test('gives prepared-statement names to at most 400 SQL statements', () => {
    const names = createStatementNames()
    for (let at = 0; at < 400; at++) thirdTime(`select ${at}`, names)
    expect(thirdTime('select 400', names)).toBeUndefined()
    expect(names.of('select 399')).toEqual(expect.any(String))
  })

  test('still gives a frequent SQL statement a prepared-statement name after thousands of one-off statements', () => {
    const names = createStatementNames()
    for (let at = 0; at < 20_000; at++) names.of(`select ${at}`)
    expect(thirdTime('select "id"', names)).toEqual(expect.any(String))
  })

  test('never gives an SQL statement a prepared-statement name again once the server has rejected its prepared form', () => {
    const names = createStatementNames()
    thirdTime('select "id"', names)
    names.refuse('select "id"')
    expect(thirdTime('select "id"', names)).toBeUndefined()
  })
})
