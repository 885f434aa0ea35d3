import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  getCycleCount,
  getTotalAndCycleDataLabel,
  formatDataAmount,
  formatDays,
  monthlyAverage,
  getPer30DaysLabel,
  computePricePer30Days,
  getTotalDataLabel,
  computeTotalDataGb,
  computeUsedPercent,
} from './plans.ts'
import { groupPlansByData, filterPlansByLength, sortByOrder } from './plan-lists.ts'

describe("computePricePer30Days: a plan's price for 30 days", () => {
  test.each([
    [3990, 30, 3990],
    [5610, 90, 1870],
    [900, 7, 3857],
    [36_000, 365, 2959],
    [1, 60, 1],
  ])('calculates the 30-day price of a plan that costs %i cents for %i days', (price, length, expected) =>
    expect(computePricePer30Days(price, length)).toBe(expected),
  )

  test("a plan's 30-day price is within half a cent of the exact price", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_000_000 }), fc.integer({ min: 1, max: 730 }), (price, length) => {
        expect(Math.abs(computePricePer30Days(price, length) - (price / length) * 30)).toBeLessThanOrEqual(0.5 + 1e-6)
      }),
    )
  })

  test('labels a price "for 30 days" if the plan lasts exactly 30 days, and "per 30 days" otherwise', () => {
    expect(getPer30DaysLabel(30)).toBe('for 30 days')
    expect([7, 29, 31, 90, 365].map(getPer30DaysLabel)).toEqual(Array(5).fill('per 30 days'))
  })
})

describe("monthlyAverage: a plan's average price per month", () => {
  test.each([
    [2200, 30, 2231],
    [600, 7, 2607],
    [10_965, 90, 3706],
    [36_000, 365, 3000],
    [6, 365, 1],
  ])('calculates the monthly average of a plan that costs %i cents for %i days', (price, length, expected) =>
    expect(monthlyAverage(price, length)).toBe(expected),
  )

  test("a plan's monthly average is within half a cent of the exact average", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_000_000 }), fc.integer({ min: 1, max: 730 }), (price, length) => {
        expect(Math.abs(monthlyAverage(price, length) - (price / length) * (365 / 12))).toBeLessThanOrEqual(0.5 + 1e-6)
      }),
    )
  })
})

describe('getCycleCount: how many data cycles a plan has', () => {
  test.each([
    [7, 1],
    [30, 1],
    [45, 1],
    [46, 2],
    [90, 3],
    [180, 6],
    [365, 12],
  ])('a plan that lasts %i days has %i data cycles', (length, cycles) => expect(getCycleCount(length)).toBe(cycles))

  test("a plan's total data is the data per cycle times the number of cycles", () => {
    expect(computeTotalDataGb({ length: 90, data_gb: 25 })).toBe(75)
    expect(computeTotalDataGb({ length: 7, data_gb: 0.5 })).toBe(0.5)
    expect(computeTotalDataGb({ length: 365, data_gb: null })).toBe(0)
  })
})

test.each([
  [0, '0 MB'],
  [0.25, '250 MB'],
  [0.5, '500 MB'],
  [0.999, '999 MB'],
  [0.9999, '1 GB'],
  [1, '1 GB'],
  [1.5, '1.5 GB'],
  [7.236, '7.24 GB'],
  [60, '60 GB'],
])('shows %d GB as %s', (gb, text) => expect(formatDataAmount(gb)).toBe(text))

describe('computeUsedPercent: how much of an allowance has been used', () => {
  test('computeUsedPercent returns the percentage of an allowance that has been used', () => {
    expect(computeUsedPercent(40, 10)).toBe(75)
    expect(computeUsedPercent(40, 40)).toBe(0)
    expect(computeUsedPercent(40, 0)).toBe(100)
  })

  test('computeUsedPercent stays between 0 and 100, whatever figures the network reports', () => {
    expect(computeUsedPercent(40, 50)).toBe(0)
    expect(computeUsedPercent(40, -5)).toBe(100)
    expect(computeUsedPercent(0, 0)).toBe(0)
    fc.assert(
      fc.property(fc.double(), fc.double(), (total, remaining) => {
        fc.pre(Number.isFinite(total - remaining))
        const percent = computeUsedPercent(total, remaining)
        return percent >= 0 && percent <= 100
      }),
    )
  })
})

describe('sorting and filtering plans', () => {
  const plan = fc.record({
    sku: fc.option(fc.constantFrom('A', 'B')),
    length: fc.constantFrom(7, 30, 90),
    data_gb: fc.option(fc.constantFrom(0.5, 1.5, 5, 25)),
    sort_order: fc.integer({ min: 0, max: 9 }),
  })

  test('planRows returns every plan once, in rows sorted by data and then by length', () => {
    fc.assert(
      fc.property(fc.array(plan), (plans) => {
        const rows = groupPlansByData(plans)
        expect(new Set(rows.flatMap((row) => row.plans))).toEqual(new Set(plans))
        const order = rows.map((row) => row.data_gb)
        expect(order).toEqual([...new Set(order)].toSorted((a, b) => a - b))
        for (const row of rows) {
          expect(row.plans.every((each) => (each.data_gb ?? 0) === row.data_gb)).toBe(true)
          expect(row.plans).toEqual(row.plans.toSorted((a, b) => a.length - b.length))
        }
      }),
    )
  })

  test('filterPlansByLength returns the plans of the given length and leaves out plans without a SKU', () => {
    const plans = [
      { sku: 'A', length: 30, data_gb: 5 },
      { sku: null, length: 30, data_gb: 15 },
      { sku: '', length: 30, data_gb: 25 },
      { sku: 'B', length: 90, data_gb: 5 },
    ]
    expect(filterPlansByLength(plans, 30)).toEqual([plans[0]])
    expect(filterPlansByLength(plans, 365)).toEqual([])
  })

  test("sortByOrder sorts by the provider's order and keeps products with equal rank in their original order", () => {
    const products = [
      { sort_order: 2, name: 'c' },
      { sort_order: 1, name: 'a' },
      { sort_order: 1, name: 'b' },
    ]
    expect(sortByOrder(products).map((product) => product.name)).toEqual(['a', 'b', 'c'])
  })
})

describe("getTotalDataLabel: label for a plan's total data", () => {
  test.each([
    [90, 25, '75 GB in all', '75 GB in all, 25 GB at a time'],
    [180, 0.5, '3 GB in all', '3 GB in all, 500 MB at a time'],
    [365, 1.5, '18 GB in all', '18 GB in all, 1.5 GB at a time'],
    [46, 0.3, '600 MB in all', '600 MB in all, 300 MB at a time'],
  ])('shows the total data for a plan of %i days with %s GB per cycle', (length, data_gb, all, more) => {
    expect(getTotalDataLabel({ length, data_gb })).toBe(all)
    expect(getTotalAndCycleDataLabel({ length, data_gb })).toBe(more)
  })

  test.each([
    [30, 25],
    [7, 0.5],
    [365, 0],
    [365, null],
  ])('shows no total for a plan of %i days with %s GB per cycle', (length, data_gb) => {
    expect(getTotalDataLabel({ length, data_gb })).toBeNull()
    expect(getTotalAndCycleDataLabel({ length, data_gb })).toBeNull()
  })
})

test('formatDays writes "1 day" in the singular and other numbers in the plural', () =>
  expect([0, 1, 2].map(formatDays)).toEqual(['0 days', '1 day', '2 days']))
