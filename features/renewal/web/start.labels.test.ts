import { describe, expect, test } from 'vitest'
import { computeRemainingPlan } from '#kit/contract/remaining-plan.ts'
import {
  formatFullDay,
  formatLastDay,
  describeRemainingData,
  describeRemainingPlan,
  formatApproximateData,
} from './start.labels.ts'

const long = { startsOn: '2026-10-13', endsOn: '2027-01-11', dataGb: 25 }
const year = { startsOn: '2026-10-13', endsOn: '2027-10-13', dataGb: 25 }
const plain = (text: string | null) => text?.replaceAll('\u00A0', ' ') ?? null

describe('labels that say how much is left of the current plan', () => {
  test.each([
    [
      'data in hand and to come',
      long,
      '2026-11-22',
      17.84,
      '50 days and 42.8 GB',
      '17.8 GB left today and the 25 GB due on 12 Dec 2026',
    ],
    ['data that is used up', long, '2026-11-22', 0, '50 days and the 25 GB due on 12 Dec 2026', null],
    ['data that is unknown', long, '2026-11-22', null, '50 days and the 25 GB due on 12 Dec 2026', null],
    ['the last cycle', long, '2026-12-20', 12.04, '22 days and 12 GB', null],
    ['the last cycle, with unknown data', long, '2026-12-20', null, '22 days', null],
    ['the last day', long, '2027-01-10', 0.25, '1 day and 250 MB', null],
    [
      'many cycles',
      year,
      '2026-11-22',
      1,
      '325 days and 251 GB',
      '1 GB left today and 25 GB due 10 more times, next on 12 Dec 2026',
    ],
    [
      'many cycles, with unknown data',
      year,
      '2026-11-22',
      null,
      '325 days and 25 GB due 10 more times, next on 12 Dec 2026',
      null,
    ],
  ])('describes what is left of a plan: %s', (_which, plan, today, left, all, parts) => {
    const rest = computeRemainingPlan(plan, today, left)
    expect([plain(describeRemainingPlan(rest)), plain(describeRemainingData(rest))]).toEqual([all, parts])
  })

  test('rounds an amount of data to a tenth of a GB, and shows less than 1 GB in MB', () =>
    expect([42.84, 17.85, 25, 1, 0.5, 0.9994].map((gb) => plain(formatApproximateData(gb)))).toEqual([
      '42.8 GB',
      '17.9 GB',
      '25 GB',
      '1 GB',
      '500 MB',
      '999 MB',
    ]))

  test('keeps amounts and dates together with non-breaking spaces', () =>
    expect(describeRemainingPlan(computeRemainingPlan(long, '2026-11-22', 17.84))).toBe(
      '50\u00A0days and 42.8\u00A0GB',
    ))
})

test('formats a day, and a plan’s last day, like 05 Jan 2027', () =>
  expect([formatFullDay('2027-01-05'), formatLastDay('2027-04-11')].map(plain)).toEqual(['05 Jan 2027', '10 Apr 2027']))
