import { expect, test } from 'vitest'
import { defaultLimits, remainingAllowance, getRefundAllowance } from './server/refund-limits.ts'

const nothing = { ofOrder: 0, ofDay: 0 }
const of = (...roles: Parameters<typeof getRefundAllowance>[1]) => getRefundAllowance(defaultLimits, roles)

test('without approval, support may refund $10 per order and $100 per day, finance ten times as much, and admins nothing', () => {
  expect(remainingAllowance(of('support'), nothing)).toBe(1_000)
  expect(remainingAllowance(of('finance'), nothing)).toBe(10_000)
  expect(remainingAllowance(of('admin'), nothing)).toBe(0)
  expect(remainingAllowance(of('support', 'finance'), nothing)).toBe(10_000)
})

test('refund limits can be changed per role, and someone with several roles gets the highest limit of each kind', () => {
  const limits = { support: { orderCents: 5_000, dayCents: 5_000 }, finance: { orderCents: 0, dayCents: 90_000 } }
  expect(getRefundAllowance(limits, ['support', 'finance', 'admin'])).toEqual({ orderCents: 5_000, dayCents: 90_000 })
  expect(remainingAllowance(getRefundAllowance(limits, ['finance']), nothing)).toBe(0)
})

test('earlier refunds reduce the amount that can be refunded without approval, both per order and per day', () => {
  expect(remainingAllowance(of('support'), { ofOrder: 600, ofDay: 600 })).toBe(400)
  expect(remainingAllowance(of('support'), { ofOrder: 0, ofDay: 9_800 })).toBe(200)
  expect(remainingAllowance(of('support'), { ofOrder: 5_000, ofDay: 0 })).toBe(0)
})
