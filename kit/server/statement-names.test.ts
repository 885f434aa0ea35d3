import { describe, expect, test } from 'vitest'
import { createStatementNames } from './statement-names.ts'

type Names = ReturnType<typeof createStatementNames>

const thirdTime = (statement: string, names: Names = createStatementNames()): string | undefined => {
  names.of(statement)
  names.of(statement)
  return names.of(statement)?.name
}

/** What a statement is kept as whose answer has these columns. */
function keptAs(statement: string, columns = ['id', 'version']): string | undefined {
  const names = createStatementNames()
  for (let time = 0; time < 2; time++) {
    names.of(statement)
    names.answered(statement, () => columns)
  }
  return names.of(statement)?.text
}

describe('a statement has a name', () => {
  test('from the third time on, and always the same', () => {
    const names = createStatementNames()
    const statement = 'select "id" from "orders" where "id" = $1'
    expect([1, 2, 3, 4].map(() => names.of(statement)?.name)).toEqual([undefined, undefined, 's1', 's1'])
    expect(thirdTime('update "orders" set "version" = $1', names)).toBe('s2')
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
    const names = createStatementNames()
    for (let at = 0; at < 400; at++) thirdTime(`select ${at}`, names)
    expect(thirdTime('select 400', names)).toBeUndefined()
    expect(names.of('select 399')?.name).toBe('s400')
  })

  test('however many others there were in between', () => {
    const names = createStatementNames()
    for (let at = 0; at < 20_000; at++) names.of(`select ${at}`)
    expect(thirdTime('select "id"', names)).toBe('s1')
  })
})

describe('a statement for all columns', () => {
  test.each([
    ['select * from "orders" where "id" = $1', 'select "id", "version" from "orders" where "id" = $1'],
    [
      'select * from "orders" where exists (select * from "users") for update',
      'select "id", "version" from "orders" where exists (select * from "users") for update',
    ],
    [
      'insert into "orders" ("id") values ($1) returning *',
      'insert into "orders" ("id") values ($1) returning "id", "version"',
    ],
    [
      'update "orders" set "version" = $1 where "id" = $2 returning *',
      'update "orders" set "version" = $1 where "id" = $2 returning "id", "version"',
    ],
  ])('is kept as one for those it has answered with: %s', (statement, kept) => expect(keptAs(statement)).toBe(kept))

  test.each([
    'select * from "orders" inner join "users" on "users"."id" = "orders"."user_id"',
    'select * from "orders" as "o", "users"',
    'select "orders".*, 1 as "one" from "orders"',
    'update "orders" set "version" = $1 from "users" where "users"."id" = $2 returning *',
    'with "a" as (select 1) select * from "a"',
  ])('is not, where it may be more than one table: %s', (statement) => expect(keptAs(statement)).toBeUndefined())

  test('is not before it is known which those are', () => {
    expect(thirdTime('select * from "orders" where "id" = $1')).toBeUndefined()
  })

  test('is asked as it was written once one of them is gone', () => {
    const names = createStatementNames()
    const statement = 'select * from "orders" where "id" = $1'
    const look = () => names.of(statement)?.text
    look()
    names.answered(statement, () => ['id'])
    expect([look(), look()]).toEqual([undefined, 'select "id" from "orders" where "id" = $1'])
    names.refuse(statement)
    expect([look(), look(), look()]).toEqual([undefined, undefined, undefined])
  })

  test('leaves its name to no other when it is gone', () => {
    const names = createStatementNames()
    const statement = 'select * from "orders" where "id" = $1'
    names.of(statement)
    names.answered(statement, () => ['id'])
    names.of(statement)
    expect([names.of(statement)?.name, thirdTime('select 1', names)]).toEqual(['s1', 's2'])
    names.refuse(statement)
    expect(thirdTime('select 2', names)).toBe('s3')
  })
})
