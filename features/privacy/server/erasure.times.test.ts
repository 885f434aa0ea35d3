import { expect, test } from 'vitest'
import { computeErasureDueAt } from './erasure.times.ts'

test('a customer has exactly 24 hours to cancel an erasure, even when daylight saving begins in between', () => {
  const eveningBeforeTheClocksGoForward = Temporal.Instant.from('2026-09-26T06:00:00Z')
  expect(computeErasureDueAt(eveningBeforeTheClocksGoForward).toString()).toBe('2026-09-27T06:00:00Z')
})
