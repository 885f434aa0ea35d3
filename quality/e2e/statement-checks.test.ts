import { expect, test } from 'vitest'
import type { PlanStatusView } from '#features/services/services.contract.ts'
import { type Day, dayIn, findFalseStatements, type Life } from './statement-checks.ts'

const first = Temporal.PlainDate.from('2027-01-09')
const saying = (title: string, text: string) => ({ title, text }) as PlanStatusView
const day = (after: number, change: Partial<Day>): Day => ({
  day: first.add({ days: after }),
  outlook: saying(
    'Plan expires on 11 Jan 2027',
    'Your last day is **10 Jan 2027**. Nothing is charged unless you renew.',
  ),
  captured: 2200,
  plans: 1,
  isWorking: true,
  ...change,
})
const life = (days: Day[], rest: Partial<Life> = {}): Life => ({ days, charges: [], messages: [], ...rest })
const ended = day(2, { isWorking: false, outlook: null })

test('the check of statements made to customers does not report statements that came true', () =>
  expect(findFalseStatements(life([day(0, {}), day(1, {}), ended]))).toEqual([]))

test.each<[string, Day[], string[]]>([
  [
    'a plan that continues',
    [day(0, {}), day(1, { outlook: null }), day(2, { outlook: null })],
    ['2027-01-09: Plan expires on 11 Jan 2027', '2027-01-09: Your last day is 10 Jan 2027'],
  ],
  [
    'a plan that ends a day early',
    [day(0, {}), day(1, { isWorking: false, outlook: null }), ended],
    ['2027-01-09: Plan expires on 11 Jan 2027', '2027-01-09: Your last day is 10 Jan 2027'],
  ],
  [
    'a charge',
    [day(0, {}), day(1, { captured: 4400, outlook: null }), ended],
    ['2027-01-09: Nothing is charged unless you renew'],
  ],
  [
    'a missing charge',
    [
      day(0, {
        outlook: saying('Plan renews on 11 Jan 2027', '$22.00 from Visa ending 1111, charged at 9 am on 10 Jan 2027.'),
      }),
      day(1, { outlook: null }),
      ended,
    ],
    [
      '2027-01-09: Plan renews on 11 Jan 2027',
      '2027-01-09: $22.00 from Visa ending 1111, charged at 9 am on 10 Jan 2027',
    ],
  ],
  [
    'a sentence that the check does not know',
    [day(0, { outlook: saying('Plan expires on 11 Jan 2027', 'All is well.') }), day(1, { outlook: null }), ended],
    ['2027-01-09: All is well (the check does not know this sentence)'],
  ],
])('reports the false statements about %s', (_, days, faults) =>
  expect(findFalseStatements(life(days))).toEqual(faults),
)

test('the check of statements made to customers reports a text message that states the wrong number of days', () => {
  const text = 'Fantail: 3 days left on 021 505 9102'
  const sent = { subject: '', text, at: Temporal.PlainDateTime.from('2027-01-09T09:00') }
  const days = [day(0, {}), day(1, {}), ended, day(3, { isWorking: true, outlook: null })]
  expect(findFalseStatements(life(days, { messages: [sent] }))).toEqual(['2027-01-09T09:00:00: 3 days left (in “”)'])
})

test('a date without a year is taken to mean the closest matching date', () =>
  expect(['today', 'Sat 9 Jan', '31 Dec', '11 Jan 2028'].map((words) => dayIn(words, first).toString())).toEqual([
    '2027-01-09',
    '2027-01-09',
    '2026-12-31',
    '2028-01-11',
  ]))
