import { describe, expect, test } from 'vitest'
import { buildCopyStatement, type CopyOptions, mapIdentifiersToSql, quoteSql, type TemplateRow } from './copy-sql.ts'
import type { Column } from './schema.ts'

const column = (table: string, name: string, type: string, change: Partial<Column> = {}): Column => ({
  table,
  column: name,
  type,
  made: false,
  alone: false,
  ...change,
})
const columns: Column[] = [
  column('users', 'id', 'uuid', { alone: true }),
  column('users', 'email', 'text'),
  column('users', 'first_name', 'text'),
  column('orders', 'id', 'uuid', { alone: true }),
  column('orders', 'order_code', 'text', { alone: true }),
  column('orders', 'user_id', 'uuid'),
  column('orders', 'session_id', 'uuid'),
  column('orders', 'created_at', 'timestamp with time zone'),
  column('attempts', 'nth', 'bigint', { made: true }),
  column('attempts', 'reference', 'text', { alone: true }),
  column('attempts', 'idempotency_key', 'text', { alone: true }),
  column('attempts', 'card', 'jsonb'),
]
const user: TemplateRow = { table: 'users', values: { id: 'u-1', email: 'ana@example.nz', first_name: "O'Neil" } }
const order: TemplateRow = {
  table: 'orders',
  values: { id: 'o-1', order_code: 'FT1', user_id: 'u-1', session_id: 's-1', created_at: '2026-11-26 09:00+13' },
}
const attempt: TemplateRow = {
  table: 'attempts',
  values: { nth: '7', reference: 'FT1-1', idempotency_key: 'a-key-that-nobody-can-guess', card: '{"of":"u-1 FT1"}' },
}
const copying: CopyOptions = { columns, zone: 'Pacific/Auckland', days: 30, otherwise: { 'orders.session_id': 'null' } }
const names = mapIdentifiersToSql([user, order, attempt], columns)

test('the SQL for copying a customer gives every copy different identifying values', () => {
  expect([...names]).toEqual([
    ['u-1', `md5('u-1' || n)::uuid::text`],
    ['ana@example.nz', `'c' || n || '@bench.example'`],
    ['o-1', `md5('o-1' || n)::uuid::text`],
    ['FT1', `'B0' || lpad(n::text, 8, '0')`],
    ['a-key-that-nobody-can-guess', `md5('a-key-that-nobody-can-guess' || n)`],
  ])
})

describe('the SQL for copying a database row', () => {
  const from = ' from generate_series($1::int, $2::int) as copy (n)'

  test('a copied database row keeps values that do not identify a customer', () => {
    expect(buildCopyStatement(user, names, copying)).toBe(
      `insert into "users" ("id", "email", "first_name") select (md5('u-1' || n)::uuid::text)::uuid, ` +
        `('c' || n || '@bench.example')::text, 'O''Neil'::text${from}`,
    )
  })

  test('a copied database row gets new identifiers, a shifted date, and null in the columns configured for it', () => {
    expect(buildCopyStatement(order, names, copying)).toContain(
      `(md5('u-1' || n)::uuid::text)::uuid, null, ('2026-11-26 09:00+13'::timestamptz at time zone 'Pacific/Auckland' ` +
        `- make_interval(days => n % 30)) at time zone 'Pacific/Auckland'${from}`,
    )
  })

  test('identifiers that occur inside a copied row’s values are replaced too, and generated columns are left out', () => {
    expect(buildCopyStatement(attempt, names, copying)).toBe(
      `insert into "attempts" ("reference", "idempotency_key", "card") select ` +
        `(replace('FT1-1', 'FT1', 'B0' || lpad(n::text, 8, '0')))::text, (md5('a-key-that-nobody-can-guess' || n))::text, ` +
        `(replace(replace('{"of":"u-1 FT1"}', 'u-1', md5('u-1' || n)::uuid::text), 'FT1', 'B0' || lpad(n::text, 8, '0')))::jsonb${from}`,
    )
  })
})

test('a quotation mark in a copied value is escaped for SQL', () => expect(quoteSql("O'Neil's")).toBe("'O''Neil''s'"))
