import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type PreviousReading,
  computeHoursUntilPoll,
  getHighestReachedThreshold,
  type UsageReading,
  computeUsedPercent,
} from './next-poll.ts'

const used = (usedMb: number, change: Partial<UsageReading> = {}): UsageReading => ({
  totalMb: 10_000,
  leftMb: 10_000 - usedMb,
  extraMb: 0,
  hoursGone: 120,
  ...change,
})

describe('finding the highest usage threshold reached', () => {
  test.each([
    [0, 0, 0],
    [4_999, 49, 0],
    [5_000, 50, 50],
    [7_999.9, 79, 50],
    [8_000, 80, 80],
    [9_999, 99, 80],
    [9_999.1, 100, 100],
    [10_000, 100, 100],
    [10_001, 100, 100],
    [-5, 0, 0],
  ])('using %d of 10,000 MB counts as %d percent, and the highest threshold reached is %d', (usedMb, percent, told) => {
    expect(computeUsedPercent(used(usedMb))).toBe(percent)
    expect(getHighestReachedThreshold(used(usedMb), [50, 80, 100])).toBe(told)
  })

  test('data does not count as used up while an add-on has data left', () => {
    expect(computeUsedPercent(used(10_000, { extraMb: 1 }))).toBe(99)
    expect(getHighestReachedThreshold(used(10_000, { extraMb: 1 }), [100])).toBe(0)
    expect(getHighestReachedThreshold(used(10_000, { extraMb: 1 }), [50, 100])).toBe(50)
  })
})

describe('scheduling the next usage check', () => {
  test.each<[string, number, UsageReading, PreviousReading | null, number[]]>([
    ['once a day for a service without usage', 24, used(0), null, [80, 100]],
    ['after half of the time to the next threshold at the cycle’s pace', 15, used(6_400), null, [80, 100]],
    ['once a day when no threshold is left', 24, used(8_000), null, []],
    ['in an hour at the earliest', 1, used(7_990), null, [80, 100]],
    ['by the next threshold that is not reached yet', 15, used(8_000), null, [80, 100]],
    ['by the pace since the last check when that is faster', 4, used(4_000), { leftMb: 7_000, hoursAgo: 2 }, [80, 100]],
    ['by the cycle’s pace when that is faster', 15, used(6_400), { leftMb: 3_601, hoursAgo: 2 }, [80, 100]],
    ['by the cycle’s pace after a top-up', 15, used(6_400), { leftMb: 100, hoursAgo: 2 }, [80, 100]],
    [
      'by the data left including add-ons, for the threshold of 100 percent',
      16,
      used(9_000, { extraMb: 1_400 }),
      null,
      [100],
    ],
    ['once a day in the first minute of a cycle', 24, used(0, { hoursGone: 0 }), null, [80, 100]],
    ['once a day until the cycle has a pace', 24, used(100, { hoursGone: 0 }), null, [80, 100]],
    [
      'by the cycle’s pace when the last check was just now',
      15,
      used(6_400),
      { leftMb: 7_000, hoursAgo: 0 },
      [80, 100],
    ],
    [
      'by a pace that does not count the data of an add-on as used',
      4,
      used(4_000, { extraMb: 1_000 }),
      { leftMb: 8_000, hoursAgo: 2 },
      [80],
    ],
  ])('schedules the next usage check: %s', (_, hours, use, before, thresholds) => {
    expect(computeHoursUntilPoll(use, before, thresholds)).toBeCloseTo(hours, 6)
  })

  test('if usage continues at the same rate, the next check comes before a new threshold is passed or is an hour away', () => {
    const amount = fc.double({ min: 0, max: 10_000, noNaN: true })
    const any = fc.record({
      usedMb: amount,
      hoursGone: fc.double({ min: 0.1, max: 720, noNaN: true }),
      extraMb: amount,
    })
    fc.assert(
      fc.property(any, fc.subarray([50, 80, 100], { minLength: 1 }), ({ usedMb, ...rest }, thresholds) => {
        const use = used(usedMb, rest)
        const hours = computeHoursUntilPoll(use, null, thresholds)
        expect(hours).toBeGreaterThanOrEqual(1)
        expect(hours).toBeLessThanOrEqual(24)
        const later = used(Math.min(10_000, usedMb + (usedMb / use.hoursGone) * hours), rest)
        const isPassed = getHighestReachedThreshold(later, thresholds) > getHighestReachedThreshold(use, thresholds)
        expect(isPassed && hours > 1).toBe(false)
      }),
      { numRuns: 2_000 },
    )
  })
})
