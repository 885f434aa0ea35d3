import { expect, test } from 'vitest'
import { formatChange, formatCount, buildFigures } from './web/figure.labels.ts'
import type { Figures } from './today.contract.ts'

const figures: Figures = {
  at: '2026-11-23T21:42:00Z',
  weekday: 'Tue',
  activated: { now: 142, before: 131 },
  renewed: { now: 1_204, before: 1_204, by_themselves: 855 },
  money: { taken: '41930.40', taken_before: '40700.00', given: '218.00' },
  payments: { asked: 1_000, refused: 49, asked_before: 1_000, refused_before: 33 },
  transfers: { open: 38, late: 6 },
  hours: Array.from({ length: 24 }, (_, hour) => ({ hour, renewed: hour, activated: 1, before: 2 })),
  refusals: [],
  stock: [],
  jobs: { oldest_seconds: null },
}

test('the Today page shows five figures, four of them with their change from a week ago', () => {
  const told = buildFigures(figures, 10).map(({ label, value, change, note }) => [
    label,
    value,
    change?.text,
    change?.tone,
    note,
  ])
  expect(told).toEqual([
    ['SIMs activated', '142', '+8%', 'good', '131 a week ago'],
    ['Plans renewed', '1,204', '+0%', 'plain', '71% automatically'],
    ['Money taken', '$41,930.40', '+3%', 'good', '$218.00 refunded'],
    ['Payments refused', '4.9%', '+1.6 points', 'bad', '49 of 1000'],
    ['Number transfers in progress', '38', undefined, undefined, '6 open for over 4 hours'],
  ])
  expect(buildFigures(figures, 10)[0]?.spark?.values).toHaveLength(11)
})

test('the Today page shows four figures to staff who may not see sums of money, and no changes on a day without activity', () => {
  const quiet = { now: 0, before: 0 }
  const none = buildFigures(
    {
      ...figures,
      activated: quiet,
      renewed: { ...quiet, by_themselves: 0 },
      money: null,
      payments: { asked: 0, refused: 0, asked_before: 0, refused_before: 0 },
      transfers: { open: 0, late: 0 },
    },
    0,
  )
  expect(none.map(({ value }) => value)).toEqual(['0', '0', '–', '0'])
  expect(none.every(({ change }) => change === undefined)).toBe(true)
})

test('a decrease on the Today page has a minus sign, and a large decrease is highlighted', () => {
  expect(formatChange(95, 100)).toEqual({ text: '−5%', tone: 'plain' })
  expect(formatChange(50, 100)).toEqual({ text: '−50%', tone: 'warn' })
})

test.each([
  [999, '999'],
  [1_000, '1,000'],
  [1_234_567, '1,234,567'],
])('the number %i on Today is formatted as %s', (value, words) => expect(formatCount(value)).toBe(words))
