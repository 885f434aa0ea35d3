import { expect, test } from 'vitest'
import { batchLoader } from './batch-loader.ts'

function doubling({ bad = -1, most }: { bad?: number; most?: number } = {}) {
  const asked: number[][] = []
  const held: (() => void)[] = []
  const double = batchLoader<number, number>(async (items) => {
    asked.push([...items])
    await new Promise<void>((resolve) => held.push(resolve))
    if (items.includes(bad)) throw new Error(`${bad} is bad`)
    return items.map((item) => 2 * item)
  }, most)
  const goOn = async (): Promise<void> => {
    await expect.poll(() => held.length).toBeGreaterThan(0)
    held.shift()?.()
  }
  return { double, asked, goOn }
}

test("combines requests made in the same event loop turn into one batch, and returns each request's own result", async () => {
  const { double, asked, goOn } = doubling()
  const answers = Promise.all([1, 2, 3].map(double))
  await goOn()
  expect(await answers).toEqual([2, 4, 6])
  expect(asked).toEqual([[1, 2, 3]])
})

test('requests that arrive during a batch go into the next batch', async () => {
  const { double, asked, goOn } = doubling()
  const first = double(1)
  await expect.poll(() => asked.length).toBe(1)
  const others = Promise.all([2, 3].map(double))
  await goOn()
  expect(await first).toBe(2)
  await goOn()
  expect(await others).toEqual([4, 6])
  expect(asked).toEqual([[1], [2, 3]])
})

test('limits the number of requests in a batch', async () => {
  const { double, asked, goOn } = doubling({ most: 2 })
  const answers = Promise.all([1, 2, 3].map(double))
  await goOn()
  await goOn()
  expect(await answers).toEqual([2, 4, 6])
  expect(asked).toEqual([[1, 2], [3]])
})

test('a failing request does not affect the others in its batch', async () => {
  const { double, asked, goOn } = doubling({ bad: 2 })
  const answers = Promise.allSettled([1, 2, 3].map(double))
  for (let times = 0; times < 4; times++) await goOn()
  expect((await answers).map((each) => (each.status === 'fulfilled' ? each.value : String(each.reason)))).toEqual([
    2,
    'Error: 2 is bad',
    6,
  ])
  expect(asked).toEqual([[1, 2, 3], [1], [2], [3]])
  const after = double(4)
  await goOn()
  expect(await after).toBe(8)
})
