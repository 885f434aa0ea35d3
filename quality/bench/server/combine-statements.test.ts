import { expect, test } from 'vitest'
import { combineStatements, groupByDepth } from './combine-statements.ts'

const trip = (statement: string, values: string[], depth = 1) => ({ statement, values, depth, name: '' })

test('database statements are combined into a single one that includes each of them once, with its own values', () => {
  const user = trip('select * from users where id = $1', ['ana'], 2)
  const card = trip('select * from cards where user_id = $2 and kind = $1', ['visa', 'ana'], 3)
  const one = combineStatements([user, { ...user, depth: 3 }, card])
  expect(one).toEqual({
    name: expect.stringMatching(/^[\da-f]{16}$/),
    statement:
      `select (select coalesce(json_agg(found), '[]') from (select * from cards where user_id = $2 and kind = $1) as found) as c0, ` +
      `(select coalesce(json_agg(found), '[]') from (select * from users where id = $3) as found) as c1`,
    values: ['visa', 'ana', 'ana'],
  })
  expect(combineStatements([card, user])).toEqual(one)
  expect(combineStatements([user])?.name).not.toBe(one?.name)
})

test('combineStatements returns null if the list is empty or contains a database statement that writes', () => {
  expect(combineStatements([trip('update sessions set last_seen_at = $1', ['now'])])).toBeNull()
  expect(combineStatements([])).toBeNull()
})

test('database statements sent simultaneously form one group, and statements that wait for them form the next', () => {
  const rows = groupByDepth([trip('session', [], 1), trip('card', [], 2), trip('phone', [], 2)])
  expect(rows.map((row) => row.map(({ statement }) => statement))).toEqual([['session'], ['card', 'phone']])
})
