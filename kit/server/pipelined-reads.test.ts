import { describe, expect, test } from 'vitest'
import { isPlainRead } from './pipelined-reads.ts'
import { allowing, forManyRows } from './statement-bounds.ts'

describe('a plain read', () => {
  test.each([
    'select "id" from "sessions" where "token_hash" = $1',
    'SELECT 1',
    ' select coalesce(json_agg(found), \'[]\') from (select "updated_at" from "orders") as found',
  ])('is %s', (statement) => expect(isPlainRead(statement)).toBe(true))

  test.each([
    'update "orders" set "state" = $1',
    'insert into "orders" ("id") values ($1) returning "id"',
    'with moved as (delete from "jobs" returning "id") select * from moved',
    'select "id" from "orders" where "id" = $1 for update',
    'select "id" from "orders" for no key update skip locked',
    'select "id" from "orders" for share',
    'select pg_advisory_xact_lock($1)',
    'select pg_sleep(120)',
    "select set_config('statement_timeout', $1, false)",
    "select nextval('orders_id_seq')",
    'select "id" into temp kept from "orders"',
    'begin; set local statement_timeout = 4200',
    'begin',
    'commit',
  ])('is not %s', (statement) => expect(isPlainRead(statement)).toBe(false))

  test('is none that may take longer than usual', () => {
    const statement = 'select "id" from "services"'
    expect(allowing(forManyRows, () => isPlainRead(statement))).toBe(false)
    expect(isPlainRead(statement)).toBe(true)
  })
})
