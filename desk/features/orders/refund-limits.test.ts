import { expect, test } from 'vitest'
import { leftAlone, limitsOf } from './server/refund-limits.ts'

const nothing = { ofOrder: 0, ofDay: 0 }

test('support gives back ten dollars of an order and a hundred a day alone, finance ten times that, an admin nothing', () => {
  expect(leftAlone(limitsOf(['support']), nothing)).toBe(1_000)
  expect(leftAlone(limitsOf(['finance']), nothing)).toBe(10_000)
  expect(leftAlone(limitsOf(['admin']), nothing)).toBe(0)
  expect(leftAlone(limitsOf(['support', 'finance']), nothing)).toBe(10_000)
})

test('what was given of the order and of the day counts, whichever is nearer', () => {
  expect(leftAlone(limitsOf(['support']), { ofOrder: 600, ofDay: 600 })).toBe(400)
  expect(leftAlone(limitsOf(['support']), { ofOrder: 0, ofDay: 9_800 })).toBe(200)
  expect(leftAlone(limitsOf(['support']), { ofOrder: 5_000, ofDay: 0 })).toBe(0)
})
