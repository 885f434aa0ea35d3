import { expect, test } from 'vitest'
import { drawSample } from './server/draw-sample.ts'

const hundred = Array.from({ length: 100 }, (_, at) => at)

test('a random draw returns the requested number of items without repeats, and leaves the original list unchanged', () => {
  for (let time = 0; time < 200; time += 1) {
    const drawn = drawSample(hundred, 10)
    expect(new Set(drawn).size).toBe(10)
    expect(drawn.every((each) => hundred.includes(each))).toBe(true)
  }
  expect(hundred).toEqual(Array.from({ length: 100 }, (_, at) => at))
})

test('a random draw returns every item if there are fewer items than requested', () => {
  expect(drawSample([1, 2, 3], 10).toSorted()).toEqual([1, 2, 3])
  expect(drawSample([], 10)).toEqual([])
})

test('over many random draws, every item is drawn about equally often', () => {
  const times = new Map<number, number>()
  for (let time = 0; time < 3_000; time += 1)
    for (const each of drawSample(hundred, 10)) times.set(each, (times.get(each) ?? 0) + 1)
  // Each item should be drawn about 300 times, with a standard deviation of 16.
  for (const each of hundred) expect(Math.abs((times.get(each) ?? 0) - 300)).toBeLessThan(140)
})
