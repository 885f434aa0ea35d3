import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { useRouteServer } from '#quality/support/route-server.ts'
import {
  countLimitUse,
  countFirstAvailableLimits,
  purgeOldLimitCounts,
  undoLimitUse,
  type Limit,
  computeSecondsUntilAllowed,
} from './limits.ts'
import { HttpError } from './http-error.ts'

const rig = useRouteServer(() => [])

const newLimit = (times: number, seconds = 900): Limit => ({
  key: `login:${crypto.randomUUID()}@example.nz`,
  times,
  seconds,
})
const rows = () => rig().db.selectFrom('rate_limits').selectAll().execute()

async function use(...limits: Limit[]): Promise<number> {
  try {
    await countLimitUse(rig().db, limits)
    return 200
  } catch (error) {
    if (error instanceof HttpError) return error.status
    throw error
  }
}

test('a rate limit allows the configured number of requests, then answers 429 with the number of seconds to wait', async () => {
  const limit = newLimit(3)
  expect([await use(limit), await use(limit), await use(limit), await use(limit)]).toEqual([200, 200, 200, 429])
  const refusal = await countLimitUse(rig().db, [limit]).catch((error: unknown) => error as HttpError)
  const seconds = Number((refusal as HttpError).headers['retry-after'])
  expect(seconds).toBeGreaterThan(890)
  expect(seconds).toBeLessThanOrEqual(900)
})

test("using up a rate limit does not affect another caller's limit", async () => {
  const [mine, yours] = [newLimit(1), newLimit(1)]
  expect([await use(mine), await use(mine), await use(yours)]).toEqual([200, 429, 200])
})

test('rejects a request if any of several rate limits is used up', async () => {
  const [narrow, wide] = [newLimit(1), newLimit(5)]
  expect([await use(narrow, wide), await use(narrow, wide), await use(wide)]).toEqual([200, 429, 200])
})

test('a rejected request does not count against any rate limit', async () => {
  const [broad, narrow] = [newLimit(1), newLimit(1)]
  await use(broad)
  const before = (await rows()).toSorted((a, b) => a.key.localeCompare(b.key))
  expect([await use(broad, narrow), await use(narrow, broad), await use(newLimit(5), broad)]).toEqual([429, 429, 429])
  expect((await rows()).toSorted((a, b) => a.key.localeCompare(b.key))).toEqual(before)
  expect(await use(narrow)).toBe(200)
})

test('answers 429 with the longest wait when several rate limits are used up', async () => {
  const [short, long] = [newLimit(0, 60), newLimit(0, 3_600)]
  for (const limits of [
    [short, long],
    [long, short],
  ]) {
    expect(await countLimitUse(rig().db, limits).catch((error: unknown) => error)).toMatchObject({
      headers: { 'retry-after': '3600' },
    })
  }
})

test('given several lists of rate limits, counts a request against the first list in which no limit is used up', async () => {
  const [shared, first, second] = [newLimit(10), newLimit(1), newLimit(1)]
  const lists = [
    [shared, first],
    [shared, second],
  ]
  expect([await countFirstAvailableLimits(rig().db, lists), await countFirstAvailableLimits(rig().db, lists)]).toEqual(
    lists,
  )
  await expect(countFirstAvailableLimits(rig().db, lists)).rejects.toMatchObject({ status: 429 })
  for (let time = 0; time < 8; time++) expect(await use(shared)).toBe(200)
  expect(await use(shared)).toBe(429)
})

test('concurrent requests never exceed a rate limit', async () => {
  const limit = newLimit(10)
  const statuses = await Promise.all(Array.from({ length: 30 }, () => use(limit)))
  expect(statuses.filter((status) => status === 200)).toHaveLength(10)
})

test('concurrent requests do not count against one rate limit if another rate limit rejects them', async () => {
  const [wide, tight] = [newLimit(20), newLimit(5)]
  const statuses = await Promise.all(Array.from({ length: 30 }, () => use(wide, tight)))
  expect(statuses.filter((status) => status === 200)).toHaveLength(5)
  for (let time = 0; time < 15; time++) expect(await use(wide)).toBe(200)
  expect(await use(wide)).toBe(429)
})

test('a rate limit starts a new count once its time window has passed', async () => {
  const limit = newLimit(1, 60)
  expect([await use(limit), await use(limit)]).toEqual([200, 429])
  await rig()
    .db.updateTable('rate_limits')
    .set({ window_started_at: new Date(Date.now() - 61_000) })
    .execute()
  expect([await use(limit), await use(limit)]).toEqual([200, 429])
})

test("a strict rate limit never allows more than its maximum number of requests in any period of its window's length", async () => {
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
  // The ordinary limit's window has passed, but the strict limit was last used 200 seconds ago.
  expect(await both()).toEqual([429, 200])
  expect(await computeSecondsUntilAllowed(rig().db, [strict, newLimit(1)])).toBeGreaterThan(690)
  await pass(701)
  expect(await computeSecondsUntilAllowed(rig().db, [strict, newLimit(1)])).toBeNull()
  expect(await use(strict)).toBe(200)
})

test('a request that is no longer counted against a rate limit can be made again, and the count never falls below zero', async () => {
  const limit = newLimit(1)
  for (let time = 0; time < 5; time++) {
    expect(await use(limit)).toBe(200)
    await undoLimitUse(rig().db, [limit])
    await undoLimitUse(rig().db, [limit])
  }
  await undoLimitUse(rig().db, [])
  expect([await use(limit), await use(limit)]).toEqual([200, 429])
})

test('stores no email addresses in the rate limit table, and deletes old counts', async () => {
  await use(newLimit(1))
  expect(JSON.stringify(await rows())).not.toContain('example.nz')
  await rig()
    .db.updateTable('rate_limits')
    .set({ window_started_at: new Date(Date.now() - 49 * 3_600_000) })
    .execute()
  const recent = newLimit(1)
  await use(recent)
  await purgeOldLimitCounts(rig().db)
  expect(await rows()).toHaveLength(1)
  expect(await use(recent)).toBe(429)
})
