import { describe, expect, test } from 'vitest'
import { type ChargeStep, firstCharge, firstStep, nextCharge } from './auto-renewal.times.ts'

const zone = 'Pacific/Auckland'
const local = (text: string): Temporal.Instant => Temporal.PlainDateTime.from(text).toZonedDateTime(zone).toInstant()
const shown = ({ step, dueAt }: { step: string; dueAt: Temporal.Instant }): string => `${step} ${dueAt.toZonedDateTimeISO(zone).toPlainDateTime().toString({ smallestUnit: 'second' })}`

/** All that follows when every charge fails at once, from the moment auto-renewal is on. */
function allSteps(now: string, expires: string): string[] {
  const expiresAt = local(expires)
  const notice = firstStep(local(now), expiresAt, zone)
  const charges = [firstCharge(notice.dueAt, expiresAt, zone)]
  for (let next; (next = nextCharge(charges.at(-1)?.step as ChargeStep, charges.at(-1)?.dueAt ?? notice.dueAt, expiresAt, zone)); ) charges.push(next as (typeof charges)[number])
  return [notice, ...charges].map(shown)
}

describe('auto-renewal of a plan that ends with the night to 20 June', () => {
  test.each([
    ['2027-06-01T12:00:00', ['notice 2027-06-17T09:00:00', 'charge-1 2027-06-19T09:00:00', 'charge-2 2027-06-19T15:00:00', 'charge-3 2027-06-19T21:00:00']],
    // After the notice's time: the notice at once, the charge as planned.
    ['2027-06-18T12:00:00', ['notice 2027-06-18T12:00:00', 'charge-1 2027-06-19T09:00:00', 'charge-2 2027-06-19T15:00:00', 'charge-3 2027-06-19T21:00:00']],
    // After the charge's time: within 15 minutes, then what is left of the day.
    ['2027-06-19T09:30:00', ['notice 2027-06-19T09:30:00', 'charge-1 2027-06-19T09:40:00', 'charge-2 2027-06-19T15:00:00', 'charge-3 2027-06-19T21:00:00']],
    ['2027-06-19T14:45:00', ['notice 2027-06-19T14:45:00', 'charge-1 2027-06-19T14:55:00', 'charge-2 2027-06-19T21:00:00', 'charge-3 2027-06-19T22:30:00']],
    ['2027-06-19T21:50:00', ['notice 2027-06-19T21:50:00', 'charge-1 2027-06-19T22:00:00', 'charge-2 2027-06-19T23:00:00', 'charge-3 2027-06-19T23:30:00']],
    // Never when the plan is over.
    ['2027-06-19T23:58:00', ['notice 2027-06-19T23:58:00', 'charge-1 2027-06-19T23:59:00', 'charge-2 2027-06-19T23:59:30', 'charge-3 2027-06-19T23:59:45']],
  ])('switched on at %s', (now, steps) => expect(allSteps(now, '2027-06-20T00:00:00')).toEqual(steps))
})

test('hours are the market’s on days of 23 and of 25 hours', () => {
  expect(allSteps('2026-09-01T00:00:00', '2026-09-28T00:00:00').slice(1)).toEqual(['charge-1 2026-09-27T09:00:00', 'charge-2 2026-09-27T15:00:00', 'charge-3 2026-09-27T21:00:00'])
  expect(allSteps('2027-03-01T00:00:00', '2027-04-05T00:00:00').slice(1)).toEqual(['charge-1 2027-04-04T09:00:00', 'charge-2 2027-04-04T15:00:00', 'charge-3 2027-04-04T21:00:00'])
})

test('a plan shorter than the notice is told of as it begins', () => {
  expect(allSteps('2027-06-20T00:00:00', '2027-06-22T00:00:00').slice(0, 2)).toEqual(['notice 2027-06-20T00:00:00', 'charge-1 2027-06-21T09:00:00'])
})

test('what comes too late is due at once', () => {
  const expiresAt = local('2027-06-20T00:00:00')
  expect(firstCharge(local('2027-06-21T00:00:00'), expiresAt, zone).dueAt).toEqual(local('2027-06-21T00:00:00'))
})
