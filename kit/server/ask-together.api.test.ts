// @module-tag slow
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { askTogether, untilNextTurn } from './ask-together.ts'
import { type Database, openDatabase } from './db.ts'

let database: Database
const statements: string[] = []
beforeAll(async () => {
  database = await openDatabase({ folder: null }, ({ statement }) => void statements.push(statement))
}, 60_000)
afterAll(() => database?.close())

const asked = (): string[] => statements.splice(0)

test('what is asked in one moment is one statement, the same whatever order it comes in', async () => {
  const { db } = database
  const birds = () => askTogether(db, 'birds', sql<string[]>`array['kea', 'kiwi']`)
  const eggs = () => askTogether(db, 'eggs', sql<number>`3`)
  expect(await Promise.all([birds(), eggs()])).toEqual([['kea', 'kiwi'], 3])
  expect(await Promise.all([eggs(), birds()])).toEqual([3, ['kea', 'kiwi']])
  const [first, ...more] = asked()
  expect(more).toEqual([first])
  expect(await eggs()).toBe(3)
  expect(asked()).toHaveLength(1)
})

test('one question that cannot be answered keeps no other from its answer', async () => {
  const { db } = database
  const [birds, nests] = await Promise.allSettled([
    askTogether(db, 'birds', sql<number>`2`),
    askTogether(db, 'nests', sql<number>`(select count(*) from nests)`),
  ])
  expect(birds).toEqual({ status: 'fulfilled', value: 2 })
  expect(nests).toMatchObject({ status: 'rejected', reason: { message: expect.stringContaining('nests') } })
  await expect(askTogether(db, 'nests', sql`(select from nests)`)).rejects.toThrow('nests')
})

test('turns of one pace are at the same moment, whenever somebody asks for the next', () => {
  const turns = Array.from({ length: 50 }, () => performance.now() + untilNextTurn(60_000))
  for (const turn of turns) expect(Math.abs(turn - turns[0]!)).toBeLessThan(1)
})
