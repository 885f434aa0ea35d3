import { expect, test, vi } from 'vitest'
import { isDatabaseUnavailable } from './database-unavailable.ts'
import { withConnectionQuota, createConnectionQuotas } from './connection-quota.ts'

type Whose = Parameters<typeof withConnectionQuota>[0]

const refusal = () => new Error('not now')

const as = <T>(whose: Whose, work: () => Promise<T>): Promise<T> => {
  const { promise, resolve } = Promise.withResolvers<T>()
  withConnectionQuota(whose, refusal, () => resolve(work()))
  return promise
}

test.each([
  [{ session: 'a' }, 4],
  [{ address: '203.0.113.9' }, 8],
])(
  'the visitor %o gets at most %i connections at a time, and other visitors are not affected',
  async (whose, share) => {
    const shares = createConnectionQuotas()
    const leaves = await Promise.all(Array.from({ length: share }, () => as(whose, shares.enter)))
    let isIn = false
    const next = as(whose, shares.enter).then((leave) => ((isIn = true), leave))
    ;(await as({ session: 'b' }, shares.enter))()
    ;(await shares.enter())()
    expect(isIn).toBe(false)
    leaves.pop()?.()
    leaves.push(await next)
    for (const leave of leaves) leave()
    expect(shares.size()).toBe(0)
  },
)

test('after two seconds without a database connection, a request is rejected, or fails as in an outage if it already had one', async () => {
  vi.useFakeTimers()
  try {
    const shares = createConnectionQuotas()
    const whose = { session: 'a' }
    const begun = as(whose, async () => {
      ;(await shares.enter())()
      await goOn
      return shares.enter().catch((error: unknown) => error)
    })
    const { promise: goOn, resolve } = Promise.withResolvers<void>()
    await vi.advanceTimersByTimeAsync(0)
    const leaves = await Promise.all(Array.from({ length: 4 }, () => as(whose, shares.enter)))
    resolve()
    const late = as(whose, shares.enter).catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(1_900)
    await vi.advanceTimersByTimeAsync(200)
    expect(await late).toEqual(refusal())
    expect(await begun).not.toEqual(refusal())
    expect(isDatabaseUnavailable(await begun)).toBe(true)
    for (const leave of leaves) leave()
    expect(shares.size()).toBe(0)
  } finally {
    vi.useRealTimers()
  }
})

test("rejects a visitor's request immediately if too many of their requests are waiting for a database connection", async () => {
  const shares = createConnectionQuotas()
  const calls = Array.from({ length: 100 }, () => as({ session: 'a' }, shares.enter).catch((error: unknown) => error))
  expect(await calls.at(-1)).toEqual(refusal())
  const leave = async (call: Promise<unknown>) => {
    const outcome = await call
    if (typeof outcome === 'function') outcome()
  }
  await Promise.all(calls.map(leave))
  expect(shares.size()).toBe(0)
})
