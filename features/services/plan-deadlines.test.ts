import { expect, test } from 'vitest'
import { createDeadlines } from './server/plan-deadlines.ts'

const zone = 'Pacific/Auckland'
const at = (local: string): Temporal.Instant => Temporal.PlainDateTime.from(local).toZonedDateTime(zone).toInstant()

const due = (bought: string, end: string, lengthDays: number, keptDays = 50): string[] =>
  createDeadlines({ lengthDays, expiresAt: at(end) }, { now: at(bought), zone, keptDays })
    .toSorted((one, other) => Temporal.Instant.compare(one.dueAt, other.dueAt))
    .map(({ kind, dueAt }) => `${kind} ${dueAt.toZonedDateTimeISO(zone).toPlainDateTime().toString().slice(0, 16)}`)

test('a plan has three reminders before its end, and three before its number is released', () => {
  expect(due('2026-10-13T10:00', '2027-01-11T00:00', 90)).toEqual([
    'ends-7 2027-01-04T09:00',
    'ends-3 2027-01-08T09:00',
    'ends-1 2027-01-10T09:00',
    'expiry 2027-01-11T00:00',
    'reminder-14 2027-02-16T09:00',
    'reminder-7 2027-02-23T09:00',
    'reminder-1 2027-03-01T09:00',
    'release 2027-03-02T00:00',
  ])
})

const beforeEnd = (all: string[]): string[] =>
  all.slice(
    0,
    all.findIndex((each) => each.startsWith('expiry')),
  )

test.each([
  ['of a week', '2027-01-04T10:00', 7, ['ends-2 2027-01-09T09:00', 'ends-1 2027-01-10T09:00']],
  [
    'of eight days',
    '2027-01-03T08:00',
    8,
    ['ends-7 2027-01-04T09:00', 'ends-3 2027-01-08T09:00', 'ends-1 2027-01-10T09:00'],
  ],
  ['of one day, bought before 9 am', '2027-01-10T08:59', 1, ['ends-1 2027-01-10T09:00']],
  ['of one day, bought after 9 am', '2027-01-10T09:01', 1, []],
])('schedules the reminders before the end of a plan %s', (_what, bought, days, wanted) =>
  expect(beforeEnd(due(bought, '2027-01-11T00:00', days))).toEqual(wanted),
)

test('reminders are due at 9 am local time before and after a daylight saving change', () => {
  expect(beforeEnd(due('2027-03-10T10:00', '2027-04-09T00:00', 30))).toEqual([
    'ends-7 2027-04-02T09:00',
    'ends-3 2027-04-06T09:00',
    'ends-1 2027-04-08T09:00',
  ])
  expect(beforeEnd(due('2026-09-01T10:00', '2026-10-01T00:00', 30))).toEqual([
    'ends-7 2026-09-24T09:00',
    'ends-3 2026-09-28T09:00',
    'ends-1 2026-09-30T09:00',
  ])
})

test('if a number is kept for only a week, reminders of its release that would be due before the plan ends are left out', () => {
  expect(due('2026-12-12T10:00', '2027-01-11T00:00', 30, 7).slice(3)).toEqual([
    'expiry 2027-01-11T00:00',
    'reminder-1 2027-01-17T09:00',
    'release 2027-01-18T00:00',
  ])
})
