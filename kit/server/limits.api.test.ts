import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { aRig } from '#quality/support/rig.ts'
import { countUse, countUseOfOne, purgeOldCounts, forgiveUse, type Limit, waitFor } from './limits.ts'
import { Refusal } from './refusal.ts'

const rig = aRig(() => [])

const newLimit = (times: number, seconds = 900): Limit => ({
  key: `login:${crypto.randomUUID()}@example.nz`,
  times,
  seconds,
})
const rows = () => rig().db.selectFrom('rate_limits').selectAll().execute()

/** What a use answers: 200, or the refusal's status. */
async function use(...limits: Limit[]): Promise<number> {
  try {
    await countUse(rig().db, limits)
    return 200
  } catch (error) {
    if (error instanceof Refusal) return error.status
    throw error
  }
}

test('so many uses are free, and the next one waits', async () => {
  const limit = newLimit(3)
  expect([await use(limit), await use(limit), await use(limit), await use(limit)]).toEqual([200, 200, 200, 429])
  const refusal = await countUse(rig().db, [limit]).catch((error: unknown) => error as Refusal)
  const seconds = Number((refusal as Refusal).headers['retry-after'])
  expect(seconds).toBeGreaterThan(890)
  expect(seconds).toBeLessThanOrEqual(900)
})

test('one who uses it up leaves the others theirs', async () => {
  const [mine, yours] = [newLimit(1), newLimit(1)]
  expect([await use(mine), await use(mine), await use(yours)]).toEqual([200, 429, 200])
})

test('several limits all have to hold', async () => {
  const [narrow, wide] = [newLimit(1), newLimit(5)]
  expect([await use(narrow, wide), await use(narrow, wide), await use(wide)]).toEqual([200, 429, 200])
})

test('what is refused writes nothing, and takes nothing from the limits that are not used up', async () => {
  const [broad, narrow] = [newLimit(1), newLimit(1)]
  await use(broad)
  const before = (await rows()).toSorted((a, b) => a.key.localeCompare(b.key))
  // In whatever order they are named.
  expect([await use(broad, narrow), await use(narrow, broad), await use(newLimit(5), broad)]).toEqual([429, 429, 429])
  expect((await rows()).toSorted((a, b) => a.key.localeCompare(b.key))).toEqual(before)
  expect(await use(narrow)).toBe(200)
})

test('of what is used up the longest wait is told', async () => {
  const [short, long] = [newLimit(0, 60), newLimit(0, 3_600)]
  for (const limits of [
    [short, long],
    [long, short],
  ]) {
    expect(await countUse(rig().db, limits).catch((error: unknown) => error)).toMatchObject({
      headers: { 'retry-after': '3600' },
    })
  }
})

test('of several lists the first that is not used up counts', async () => {
  const [shared, first, second] = [newLimit(10), newLimit(1), newLimit(1)]
  const lists = [
    [shared, first],
    [shared, second],
  ]
  expect([await countUseOfOne(rig().db, lists), await countUseOfOne(rig().db, lists)]).toEqual(lists)
  await expect(countUseOfOne(rig().db, lists)).rejects.toMatchObject({ status: 429 })
  // And those that were passed over count nothing.
  for (let time = 0; time < 8; time++) expect(await use(shared)).toBe(200)
  expect(await use(shared)).toBe(429)
})

test('everybody at once gets no more than in turn', async () => {
  const limit = newLimit(10)
  const statuses = await Promise.all(Array.from({ length: 30 }, () => use(limit)))
  expect(statuses.filter((status) => status === 200)).toHaveLength(10)
})

test('nor takes more of one limit than they got through with of the other', async () => {
  const [wide, tight] = [newLimit(20), newLimit(5)]
  const statuses = await Promise.all(Array.from({ length: 30 }, () => use(wide, tight)))
  expect(statuses.filter((status) => status === 200)).toHaveLength(5)
  for (let time = 0; time < 15; time++) expect(await use(wide)).toBe(200)
  expect(await use(wide)).toBe(429)
})

test('a window that is over begins anew', async () => {
  const limit = newLimit(1, 60)
  expect([await use(limit), await use(limit)]).toEqual([200, 429])
  await rig()
    .db.updateTable('rate_limits')
    .set({ window_started_at: new Date(Date.now() - 61_000) })
    .execute()
  expect([await use(limit), await use(limit)]).toEqual([200, 429])
})

test('a strict limit has no more uses in any period of its length', async () => {
  const [strict, usual]: [Limit, Limit] = [{ ...newLimit(2), isStrict: true }, newLimit(2)]
  const pass = async (seconds: number) => {
    await sql`update rate_limits set window_started_at = window_started_at - make_interval(secs => ${seconds})`.execute(
      rig().db,
    )
  }
  const both = async () => [await use(strict), await use(usual)]
  expect(await both()).toEqual([200, 200])
  await pass(800)
  expect(await both()).toEqual([200, 200])
  await pass(200)
  // The window of the usual limit is over; the last use of the strict one was 200 seconds ago.
  expect(await both()).toEqual([429, 200])
  expect(await waitFor(rig().db, [strict, newLimit(1)])).toBeGreaterThan(690)
  await pass(701)
  expect(await waitFor(rig().db, [strict, newLimit(1)])).toBeNull()
  expect(await use(strict)).toBe(200)
})

test('what turned out to be no failure is taken back, but never below nothing', async () => {
  const limit = newLimit(1)
  for (let time = 0; time < 5; time++) {
    expect(await use(limit)).toBe(200)
    await forgiveUse(rig().db, [limit])
    await forgiveUse(rig().db, [limit])
  }
  await forgiveUse(rig().db, [])
  expect([await use(limit), await use(limit)]).toEqual([200, 429])
})

test('the table has no names, and is purged', async () => {
  await use(newLimit(1))
  expect(JSON.stringify(await rows())).not.toContain('example.nz')
  await rig()
    .db.updateTable('rate_limits')
    .set({ window_started_at: new Date(Date.now() - 49 * 3_600_000) })
    .execute()
  const recent = newLimit(1)
  await use(recent)
  await purgeOldCounts(rig().db)
  expect(await rows()).toHaveLength(1)
  expect(await use(recent)).toBe(429)
})
