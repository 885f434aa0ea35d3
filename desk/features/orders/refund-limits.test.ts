import { expect, test } from 'vitest'
import { firstLimits, leftAlone, limitsOf } from './server/refund-limits.ts'

const nothing = { ofOrder: 0, ofDay: 0 }
const of = (...roles: Parameters<typeof limitsOf>[1]) => limitsOf(firstLimits, roles)

test('support gives back ten dollars of an order and a hundred a day alone, finance ten times that, an admin nothing', () => {
  expect(leftAlone(of('support'), nothing)).toBe(1_000)
  expect(leftAlone(of('finance'), nothing)).toBe(10_000)
  expect(leftAlone(of('admin'), nothing)).toBe(0)
  expect(leftAlone(of('support', 'finance'), nothing)).toBe(10_000)
})

test('other limits count as they are, and the widest of a person’s roles', () => {
  const limits = { support: { orderCents: 5_000, dayCents: 5_000 }, finance: { orderCents: 0, dayCents: 90_000 } }
  expect(limitsOf(limits, ['support', 'finance', 'admin'])).toEqual({ orderCents: 5_000, dayCents: 90_000 })
  expect(leftAlone(limitsOf(limits, ['finance']), nothing)).toBe(0)
})

test('what was given of the order and of the day counts, whichever is nearer', () => {
  expect(leftAlone(of('support'), { ofOrder: 600, ofDay: 600 })).toBe(400)
  expect(leftAlone(of('support'), { ofOrder: 0, ofDay: 9_800 })).toBe(200)
  expect(leftAlone(of('support'), { ofOrder: 5_000, ofDay: 0 })).toBe(0)
})
