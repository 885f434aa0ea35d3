import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Entitlement, OwnedAddOn, UsageSummary } from '../usage.contract.ts'
import {
  computeElapsedPercent,
  isDataUsedUp,
  getRemainingLabel,
  findMainEntitlement,
  getUsedPart,
} from './usage.labels.ts'

const entitlement = (total: number, left: number, unit: Entitlement['totalAllowance']['unit'] = 'GB'): Entitlement => ({
  name: 'Data',
  totalAllowance: { amount: total, unit },
  remainingAllowance: { amount: left, unit },
})

test.each([
  [entitlement(25, 18.4), '18.4 GB of 25 GB left', '6.6 GB of 25 GB', 26.4],
  [entitlement(5, 0.6), '600 MB of 5 GB left', '4.4 GB of 5 GB', 88],
  [entitlement(1.5, 0), '0 GB of 1.5 GB left', '1.5 GB of 1.5 GB', 100],
  [entitlement(25, 25), '25 GB of 25 GB left', '0 GB of 25 GB', 0],
  [entitlement(500, 123, 'MB'), '123 MB of 500 MB left', '377 MB of 500 MB', 75.4],
  [entitlement(100, 88, 'Mins'), '88 Mins of 100 Mins left', '12 Mins of 100 Mins', 12],
  [entitlement(50, 50, 'SMS'), '50 SMS of 50 SMS left', '0 SMS of 50 SMS', 0],
])('describes the remaining and used part of the allowance %j as %s and %s', (given, left, text, percent) => {
  expect(getRemainingLabel(given)).toBe(left)
  expect(getUsedPart(given).text).toBe(text)
  expect(getUsedPart(given).percent).toBeCloseTo(percent, 10)
})

test('a plan’s main allowance is its data allowance, if it has one', () => {
  const [minutes, data] = [entitlement(100, 88, 'Mins'), entitlement(500, 123, 'MB')]
  expect(findMainEntitlement([minutes, data])).toBe(data)
  expect(findMainEntitlement([minutes])).toBe(minutes)
  const inGb = entitlement(5, 0.6)
  expect(findMainEntitlement([minutes, inGb])).toBe(inGb)
  expect(findMainEntitlement([])).toBeUndefined()
})

test.each([
  [11, 30, (19 / 30) * 100],
  [30, 30, 0],
  [0, 30, 100],
  [31, 30, 0],
  [-1, 30, 100],
  [5, 0, 100],
])('the progress bar for elapsed days with %i of %i days left is filled to %d percent', (left, length, bar) =>
  expect(computeElapsedPercent(left, length)).toBeCloseTo(bar, 10),
)

test('the progress bar for a plan’s elapsed days is always between 0 and 100 percent full', () => {
  fc.assert(
    fc.property(fc.integer(), fc.integer(), (left, length) => {
      expect(computeElapsedPercent(left, length)).toBeGreaterThanOrEqual(0)
      expect(computeElapsedPercent(left, length)).toBeLessThanOrEqual(100)
    }),
  )
})

describe('detecting that data is used up', () => {
  const used = entitlement(25, 0)
  const addOn = (entitlements: Entitlement[], roaming = false): OwnedAddOn => ({
    unique_id: '1',
    id: 'extra-data',
    name: 'Extra data',
    price: '10.00',
    roaming,
    expiry_date: '2026-12-20T11:00:00Z',
    entitlements,
  })
  const summary = (entitlements: Entitlement[] | null, addons: OwnedAddOn[] | null): UsageSummary => ({
    plan: { title: 'Large', entitlements, last_known: null, renewal_length: 30, is_final_cycle: true, cycles: 1 },
    expiry_date: '2026-12-20T11:00:00Z',
    renewal_date: '2026-12-20T11:00:00Z',
    days_remaining: 12,
    addons,
    forecast: null,
    is_expired: false,
    read_at: '2026-12-08T11:00:00Z',
  })

  test.each([
    ['the plan and every add-on are empty', summary([used], [addOn([used])])],
    [
      'only minutes and texts are left',
      summary([used, entitlement(100, 88, 'Mins')], [addOn([entitlement(9, 9, 'SMS')])]),
    ],
    [
      'only a roaming add-on, which does not work at home, has data',
      summary([used], [addOn([entitlement(1, 1)], true)]),
    ],
    ['the network does not list the add-ons', summary([used], null)],
  ])('counts data as used up when %s', (_, usage) => expect(isDataUsedUp(usage)).toBe(true))

  test.each([
    ['while the plan has data left', summary([entitlement(25, 0.1)], [])],
    ['while one of two data allowances is not used up', summary([used, entitlement(500, 1, 'MB')], [])],
    ['while an add-on has data left', summary([used], [addOn([used]), addOn([entitlement(1, 1)])])],
    ['for a plan without data', summary([entitlement(100, 0, 'Mins')], [])],
    ['while the network reports no balance for the plan', summary(null, [])],
    ['while the network reports no balance for the plan, even if an add-on is empty', summary(null, [addOn([used])])],
  ])('does not count data as used up %s', (_, usage) => expect(isDataUsedUp(usage)).toBe(false))
})
