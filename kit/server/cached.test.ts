import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { cached } from './cached.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

test("a cache requests a value once for all callers within the value's lifetime, and again afterwards", async () => {
  let count = 0
  const ask = cached(
    () => 1_000,
    async () => ++count,
  )
  expect(await Promise.all([ask(), ask()])).toEqual([1, 1])
  vi.advanceTimersByTime(999)
  expect(await ask()).toBe(1)
  vi.advanceTimersByTime(1)
  expect(await ask()).toBe(2)
})

test("a cached value's lifetime starts when the value arrives, so all callers who wait for it share it", async () => {
  const answers: ((value: string) => void)[] = []
  const ask = cached(
    () => 0,
    () => new Promise<string>((resolve) => void answers.push(resolve)),
  )
  const [first, second] = [ask(), ask()]
  vi.advanceTimersByTime(5_000)
  const third = ask()
  answers[0]?.('the only one')
  expect(await Promise.all([first, second, third])).toEqual(['the only one', 'the only one', 'the only one'])
  const later = ask()
  answers[1]?.('another')
  expect(await later).toBe('another')
})

test('a failed request is not cached', async () => {
  let count = 0
  const ask = cached(
    () => 1_000,
    async () => {
      if (++count === 1) throw new Error('away')
      return count
    },
  )
  await expect(ask()).rejects.toThrow('away')
  expect(await ask()).toBe(2)
})
