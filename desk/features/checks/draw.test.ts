import { expect, test } from 'vitest'
import { draw } from './server/draw.ts'

const hundred = Array.from({ length: 100 }, (_, at) => at)

test('as many are drawn as are wanted, none twice, and what they are drawn of stays as it is', () => {
  for (let time = 0; time < 200; time += 1) {
    const drawn = draw(hundred, 10)
    expect(new Set(drawn).size).toBe(10)
    expect(drawn.every((each) => hundred.includes(each))).toBe(true)
  }
  expect(hundred).toEqual(Array.from({ length: 100 }, (_, at) => at))
})

test('where there are fewer, all of them are', () => {
  expect(draw([1, 2, 3], 10).toSorted()).toEqual([1, 2, 3])
  expect(draw([], 10)).toEqual([])
})

test('each has its chance', () => {
  const times = new Map<number, number>()
  for (let time = 0; time < 3_000; time += 1)
    for (const each of draw(hundred, 10)) times.set(each, (times.get(each) ?? 0) + 1)
  // Expected 300 of each, give or take 16: ten times that is never met.
  for (const each of hundred) expect(Math.abs((times.get(each) ?? 0) - 300)).toBeLessThan(140)
})
