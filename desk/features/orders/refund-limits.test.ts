import { expect, test } from 'vitest'
import { firstLimits, leftAlone, limitsOf } from './server/refund-limits.ts'

const nothing = { ofOrder: 0, ofDay: 0 }
const of = (...roles: Parameters<typeof limitsOf>[1]) => limitsOf(firstLimits, roles)

test('without approval, support may refund $10 per order and $100 per day, finance ten times that, admins nothing', () => {
  expect(leftAlone(of('support'), nothing)).toBe(1_000)
  expect(leftAlone(of('finance'), nothing)).toBe(10_000)
  expect(leftAlone(of('admin'), nothing)).toBe(0)
  expect(leftAlone(of('support', 'finance'), nothing)).toBe(10_000)
})

test('changed refund limits apply, and a person with several roles has the highest limit of each kind', () => {
  const limits = { support: { orderCents: 5_000, dayCents: 5_000 }, finance: { orderCents: 0, dayCents: 90_000 } }
  expect(limitsOf(limits, ['support', 'finance', 'admin'])).toEqual({ orderCents: 5_000, dayCents: 90_000 })
  expect(leftAlone(limitsOf(limits, ['finance']), nothing)).toBe(0)
})

test('earlier refunds of the order and of the day reduce what can be refunded without approval', () => {
  expect(leftAlone(of('support'), { ofOrder: 600, ofDay: 600 })).toBe(400)
  expect(leftAlone(of('support'), { ofOrder: 0, ofDay: 9_800 })).toBe(200)
  expect(leftAlone(of('support'), { ofOrder: 5_000, ofDay: 0 })).toBe(0)
})
