import { describe, expect, test } from 'vitest'
import { firstCharge, putOffUntil, nextCharge, noticeStep } from './auto-renewal.times.ts'

const zone = 'Pacific/Auckland'
const local = (text: string): Temporal.Instant => Temporal.PlainDateTime.from(text).toZonedDateTime(zone).toInstant()
const shown = (at: Temporal.Instant): string =>
  at.toZonedDateTimeISO(zone).toPlainDateTime().toString({ smallestUnit: 'second' })

/** When the card is charged if the notice goes out now and every charge is refused at once. */
function charges(notice: string, expires: string): string[] {
  const expiresAt = local(expires)
  let { dueAt } = firstCharge(local(notice), expiresAt, zone)
  const times = [dueAt]
  for (let attempts: number | null = 1; attempts;) {
    const next = nextCharge(attempts, dueAt, expiresAt, zone)
    attempts = next && next.attempts + 1
    if (next) times.push((dueAt = next.dueAt))
  }
  return times.map(shown)
}

describe('charges for a plan that ends with the night to 20 June', () => {
  test.each([
    ['at its time', '2027-06-17T09:00:00', ['2027-06-19T09:00:00', '2027-06-19T15:00:00', '2027-06-19T21:00:00']],
    ['after its time', '2027-06-18T12:00:00', ['2027-06-19T09:00:00', '2027-06-19T15:00:00', '2027-06-19T21:00:00']],
    // Within 15 minutes, then what is left of the day.
    [
      'after the first charge’s time',
      '2027-06-19T09:30:00',
      ['2027-06-19T09:40:00', '2027-06-19T15:00:00', '2027-06-19T21:00:00'],
    ],
    [
      'shortly before the second',
      '2027-06-19T14:45:00',
      ['2027-06-19T14:55:00', '2027-06-19T21:00:00', '2027-06-19T22:30:00'],
    ],
    [
      'late in the evening',
      '2027-06-19T21:50:00',
      ['2027-06-19T22:00:00', '2027-06-19T23:00:00', '2027-06-19T23:30:00'],
    ],
    // Never when the plan is over.
    [
      'at the last minute',
      '2027-06-19T23:58:00',
      ['2027-06-19T23:59:00', '2027-06-19T23:59:30', '2027-06-19T23:59:45'],
    ],
  ])('with the notice %s', (_when, notice, times) => expect(charges(notice, '2027-06-20T00:00:00')).toEqual(times))
})

test('hours are the market’s on days of 23 and of 25 hours', () => {
  expect(charges('2026-09-24T09:00:00', '2026-09-28T00:00:00')).toEqual([
    '2026-09-27T09:00:00',
    '2026-09-27T15:00:00',
    '2026-09-27T21:00:00',
  ])
  expect(charges('2027-04-01T09:00:00', '2027-04-05T00:00:00')).toEqual([
    '2027-04-04T09:00:00',
    '2027-04-04T15:00:00',
    '2027-04-04T21:00:00',
  ])
})

test('a charge that comes too late is due at once: the worker that takes it sees that the plan has ended', () => {
  const late = local('2027-06-21T00:00:00')
  expect(firstCharge(late, local('2027-06-20T00:00:00'), zone).dueAt).toEqual(late)
})

describe('the notice', () => {
  const expires = local('2027-06-20T00:00:00')

  test('goes out three days before the end, at nine', () => {
    const { dueAt, ...step } = noticeStep(local('2027-06-01T00:00:00'), expires, zone)
    expect(shown(dueAt)).toBe('2027-06-17T09:00:00')
    expect(step).toEqual({ step: 'notice', attempts: 0 })
  })

  test('goes out at once when that has passed', () => {
    const now = local('2027-06-17T09:00:01')
    expect(noticeStep(now, expires, zone).dueAt).toEqual(now)
  })
})

test('a charge is a charge, with the tries before it', () => {
  const [notice, expires] = [local('2027-06-17T09:00:00'), local('2027-06-20T00:00:00')]
  expect(firstCharge(notice, expires, zone)).toMatchObject({ step: 'charge', attempts: 0 })
  expect(nextCharge(2, notice, expires, zone)).toMatchObject({ step: 'charge', attempts: 2 })
  expect(nextCharge(3, notice, expires, zone)).toBeNull()
})

test('a renewal that is under way is waited for half an hour, and a day once the plan has ended', () => {
  const now = local('2027-06-19T21:00:00')
  expect(shown(putOffUntil(now, false))).toBe('2027-06-19T21:30:00')
  expect(shown(putOffUntil(now, true))).toBe('2027-06-20T21:00:00')
})
