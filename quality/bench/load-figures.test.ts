import { expect, test } from 'vitest'
import { summariseRounds, computeMedian, computePercentile, alternateOrder } from './load-figures.ts'

test('a percentile is always one of the measured values', () => {
  const hundred = Array.from({ length: 100 }, (_, at) => at + 1)
  expect([0, 0.5, 0.99, 1].map((part) => computePercentile(hundred, part))).toEqual([1, 50, 99, 100])
  expect([0, 0.5, 0.99, 1].map((part) => computePercentile([7], part))).toEqual([7, 7, 7, 7])
  expect(() => computePercentile([], 0.5)).toThrow('nothing was measured')
})

test('the results of several benchmark rounds are pooled, so longer rounds carry more weight', () => {
  const rounds = [
    { times: [1, 2, 3, 4], seconds: 2 },
    { times: Float64Array.from([10, 30]), seconds: 4 },
  ]
  expect(summariseRounds(rounds)).toEqual({ calls: 6, perSecond: 1, p50: 3, p99: 30, between: [0.5, 2] })
})

test('for an even number of values, the median is the lower of the two in the middle', () => {
  expect(computeMedian([9, 1, 5])).toBe(5)
  expect(computeMedian([9, 1, 5, 6])).toBe(5)
})

test('every second benchmark round measures its subjects in reverse order', () => {
  expect(alternateOrder(['a', 'b', 'c'], 3)).toEqual(['a', 'b', 'c', 'c', 'b', 'a', 'a', 'b', 'c'])
})
