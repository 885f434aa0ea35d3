import { describe, expect, test } from 'vitest'
import { createStatementNames } from './statement-names.ts'

const thirdTime = (statement: string, nameOf = createStatementNames()): string | undefined => {
  nameOf(statement)
  nameOf(statement)
  return nameOf(statement)
}

describe('a statement has a name', () => {
  test('from the third time on, and always the same', () => {
    const nameOf = createStatementNames()
    const statement = 'select "id" from "orders" where "id" = $1'
    expect([1, 2, 3, 4].map(() => nameOf(statement))).toEqual([undefined, undefined, 's1', 's1'])
    expect(thirdTime('update "orders" set "version" = $1', nameOf)).toBe('s2')
  })

  test.each([
    'with a as (select * from "orders") select 1',
    'delete from "orders"',
    'SELECT count(*)::int from "orders"',
    'select (select json_agg(a) from (select * from "orders") as a) as "orders"',
  ])('such as %s', (statement) => expect(thirdTime(statement)).toBe('s1'))

  test.each([
    'select * from "orders"',
    'insert into "orders" ("id") values ($1) returning *',
    'select "orders".* from "orders"',
    'select distinct on ("id") "orders".* from "orders"',
    'with a as (select 1) select * from a',
    'begin; set local statement_timeout = 4200',
    'commit',
    'lock table migrations in exclusive mode',
  ])('but for %s', (statement) => expect(thirdTime(statement)).toBeUndefined())

  test('but for those that come once the server has enough of them', () => {
    const nameOf = createStatementNames()
    for (let at = 0; at < 250; at++) thirdTime(`select ${at}`, nameOf)
    expect(thirdTime('select 250', nameOf)).toBeUndefined()
    expect(nameOf('select 249')).toBe('s250')
  })

  test('however many others there were in between', () => {
    const nameOf = createStatementNames()
    for (let at = 0; at < 20_000; at++) nameOf(`select ${at}`)
    expect(thirdTime('select "id"', nameOf)).toBe('s1')
  })
})
