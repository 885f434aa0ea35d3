import { describe, expect, test } from 'vitest'
import {
  createFirstChargeStep,
  computePostponedTime,
  createNextChargeStep,
  createNoticeStep,
} from './auto-renewal.times.ts'

const zone = 'Pacific/Auckland'
const local = (text: string): Temporal.Instant => Temporal.PlainDateTime.from(text).toZonedDateTime(zone).toInstant()
const shown = (at: Temporal.Instant): string =>
  at.toZonedDateTimeISO(zone).toPlainDateTime().toString({ smallestUnit: 'second' })

function charges(notice: string, expires: string): string[] {
  const expiresAt = local(expires)
  let { dueAt } = createFirstChargeStep(local(notice), expiresAt, zone)
  const times = [dueAt]
  for (let attempts: number | null = 1; attempts;) {
    const next = createNextChargeStep(attempts, dueAt, expiresAt, zone)
    attempts = next && next.attempts + 1
    if (next) times.push((dueAt = next.dueAt))
  }
  return times.map(shown)
}

describe('charge times for a plan whose last day is 19 June', () => {
  test.each([
    ['on time', '2027-06-17T09:00:00', ['2027-06-19T09:00:00', '2027-06-19T15:00:00', '2027-06-19T21:00:00']],
    ['late', '2027-06-18T12:00:00', ['2027-06-19T09:00:00', '2027-06-19T15:00:00', '2027-06-19T21:00:00']],
    // The first charge comes 10 minutes after the notice, and the others follow on the same day.
    [
      'after the first charge’s time',
      '2027-06-19T09:30:00',
      ['2027-06-19T09:40:00', '2027-06-19T15:00:00', '2027-06-19T21:00:00'],
    ],
    [
      'shortly before the second charge’s time',
      '2027-06-19T14:45:00',
      ['2027-06-19T14:55:00', '2027-06-19T21:00:00', '2027-06-19T22:30:00'],
    ],
    [
      'late on the last evening',
      '2027-06-19T21:50:00',
      ['2027-06-19T22:00:00', '2027-06-19T23:00:00', '2027-06-19T23:30:00'],
    ],
    // Even the last charge comes before the plan ends.
    [
      'in the last minutes',
      '2027-06-19T23:58:00',
      ['2027-06-19T23:59:00', '2027-06-19T23:59:30', '2027-06-19T23:59:45'],
    ],
  ])('schedules three charges on the last day when the notice is sent %s', (_when, notice, times) =>
    expect(charges(notice, '2027-06-20T00:00:00')).toEqual(times),
  )
})

test('charges are due at the usual local times on days when daylight saving starts or ends', () => {
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

test('a charge scheduled after the plan has ended is due immediately', () => {
  const late = local('2027-06-21T00:00:00')
  expect(createFirstChargeStep(late, local('2027-06-20T00:00:00'), zone).dueAt).toEqual(late)
})

describe('the due time of the notice about an upcoming charge', () => {
  const expires = local('2027-06-20T00:00:00')

  test('the notice about an upcoming charge is due at 9 am, three days before the plan ends', () => {
    const { dueAt, ...step } = createNoticeStep(local('2027-06-01T00:00:00'), expires, zone)
    expect(shown(dueAt)).toBe('2027-06-17T09:00:00')
    expect(step).toEqual({ step: 'notice', attempts: 0 })
  })

  test('the notice about an upcoming charge is due immediately if its planned time has passed', () => {
    const now = local('2027-06-17T09:00:01')
    expect(createNoticeStep(now, expires, zone).dueAt).toEqual(now)
  })
})

test('counts charge attempts, and schedules no further attempt after the third', () => {
  const [notice, expires] = [local('2027-06-17T09:00:00'), local('2027-06-20T00:00:00')]
  expect(createFirstChargeStep(notice, expires, zone)).toMatchObject({ step: 'charge', attempts: 0 })
  expect(createNextChargeStep(2, notice, expires, zone)).toMatchObject({ step: 'charge', attempts: 2 })
  expect(createNextChargeStep(3, notice, expires, zone)).toBeNull()
})

test('checks a renewal in progress again after half an hour, or after a day once the plan has ended', () => {
  const now = local('2027-06-19T21:00:00')
  expect(shown(computePostponedTime(now, false))).toBe('2027-06-19T21:30:00')
  expect(shown(computePostponedTime(now, true))).toBe('2027-06-20T21:00:00')
})
