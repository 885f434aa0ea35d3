// @module-tag slow
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { aRig } from '#testing/rig.ts'
import { afterCommit, type Db, transact, type Trx } from './db.ts'
import { together } from './together.ts'

const rig = aRig(() => [])

const add = (db: Db | Trx, key: string, count: number) =>
  db
    .insertInto('rate_limits')
    .values({ key, count, window_started_at: new Date('2026-11-27T00:00:00Z') })
    .returning('key')
    .executeTakeFirst()
const count = async (db: Db | Trx, key: string): Promise<number | null> =>
  (await db.selectFrom('rate_limits').select('count').where('key', '=', key).executeTakeFirst())?.count ?? null
const raise = async (db: Db | Trx, key: string): Promise<bigint> =>
  (
    await db
      .updateTable('rate_limits')
      .set((row) => ({ count: row('count', '+', 1) }))
      .where('key', '=', key)
      .executeTakeFirst()
  ).numUpdatedRows

test('what is asked together is done in its order, and each hears its own answer', async () => {
  const { db } = rig()
  const answers = await transact(db, (trx) =>
    together(trx, (at) =>
      Promise.all([add(at, 'kea', 1), raise(at, 'kea'), raise(at, 'nobody'), count(at, 'kea'), count(at, 'nobody')]),
    ),
  )
  expect(answers).toEqual([{ key: 'kea' }, 1n, 0n, 2, null])
  expect(await count(db, 'kea')).toBe(2)
})

test('what depends on an answer is asked after it, in the same transaction', async () => {
  const { db } = rig()
  const seen = await transact(db, (trx) =>
    together(trx, async (at) => {
      const [, before] = await Promise.all([add(at, 'tui', 5), count(at, 'tui')])
      await raise(at, 'tui')
      return [before, await count(trx, 'tui')]
    }),
  )
  expect(seen).toEqual([5, 6])
})

test('one that fails fails all with its error, and nothing of the transaction stands', async () => {
  const { db } = rig()
  const outcomes: PromiseSettledResult<unknown>[] = []
  const failing = transact(db, (trx) =>
    together(trx, async (at) => {
      outcomes.push(...(await Promise.allSettled([add(at, 'moa', 1), sql`select 1 / 0`.execute(at), count(at, 'moa')])))
      await count(at, 'moa')
    }),
  )
  // Whoever goes on in a transaction that has failed is told so.
  await expect(failing).rejects.toMatchObject({ code: '25P02' })
  expect(outcomes.at(1)).toMatchObject({ status: 'rejected', reason: { code: '22012' } })
  expect(outcomes.at(2)).toMatchObject({ status: 'rejected' })
  expect(await count(db, 'moa')).toBeNull()
})

test('what is to be done after the commit is done then, whoever has asked for it', async () => {
  const { db } = rig()
  const told: string[] = []
  await transact(db, async (trx) => {
    await together(trx, async (at) => {
      afterCommit(at, () => told.push('committed'))
      await add(at, 'kaka', 1)
    })
    told.push('asked')
  })
  expect(told).toEqual(['asked', 'committed'])
})
