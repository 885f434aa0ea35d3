import { expect, test } from 'vitest'
import { markets } from '#kit/server/markets.ts'
import { getNightlyRunName } from './server/nightly-run.ts'

test.each([
  /*
   * Instants just before 03:00 and at 03:00 in New Zealand: in winter, in summer, and on the nights when the clocks
   * change.
   */
  ['2027-06-09T14:59:59Z', '2027-06-09'],
  ['2027-06-09T15:00:00Z', '2027-06-10'],
  ['2027-01-09T13:59:59Z', '2027-01-09'],
  ['2027-01-09T14:00:00Z', '2027-01-10'],
  ['2026-09-26T13:59:59Z', '2026-09-26'],
  ['2026-09-26T14:00:00Z', '2026-09-27'],
  ['2027-04-03T14:59:59Z', '2027-04-03'],
  ['2027-04-03T15:00:00Z', '2027-04-04'],
])('at %s the latest night to reconcile is %s', (now, night) =>
  expect(getNightlyRunName(Temporal.Instant.from(now), markets.NZ)).toBe(night),
)
