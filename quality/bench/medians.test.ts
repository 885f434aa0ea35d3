import { expect, test } from 'vitest'
import { compareMedians, findMedianFaults, computeMedian } from './medians.ts'

test.each([
  [[3], 3],
  [[3, 1, 2], 2],
  [[4, 1, 3, 2], 2.5],
  [[10, 1, 1, 1, 900], 1],
])('the median of %j is %d', (values, expected) => expect(computeMedian(values)).toBe(expected))

test('calculating the median of an empty list throws an error', () =>
  expect(() => computeMedian([])).toThrow('nothing was measured'))

test('a timing comparison contains both medians and the ratio of the larger to the smaller', () => {
  expect(compareMedians({ call: 'login', unknown: [10, 30, 20], known: [40, 50, 30] })).toEqual({
    call: 'login',
    unknown: 20,
    known: 40,
    ratio: 2,
  })
  expect(compareMedians({ call: 'login', unknown: [40], known: [20] }).ratio).toBe(2)
})

test('the timing check reports a request whose duration differs by over 20% between known and unknown email addresses', () => {
  const at = (unknown: number, known: number) =>
    findMedianFaults([compareMedians({ call: 'login', unknown: [unknown], known: [known] })])
  expect([at(10, 10), at(12, 10), at(10, 12)]).toEqual([[], [], []])
  expect(at(12.1, 10)).toEqual(['login is slower by more than 20% for an unknown address'])
  expect(at(10, 12.1)).toEqual(['login is faster by more than 20% for an unknown address'])
})
