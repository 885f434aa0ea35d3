import { expect, test } from 'vitest'
import { dayAt } from './server/minute-figures.ts'

const zone = 'Pacific/Auckland'
const spanOf = (now: string) => {
  const { today, before } = dayAt(Temporal.Instant.from(now), zone)
  const said = ({ begins, now: at, ends }: typeof today) =>
    [begins, at, ends].map((each) => each.toInstant().toString())
  return { today: said(today), before: said(before) }
}

test('a day starts at midnight in the market’s time zone and is compared with the same weekday last week up to the same time', () => {
  expect(spanOf('2026-11-23T21:42:00Z')).toEqual({
    today: ['2026-11-23T11:00:00Z', '2026-11-23T21:42:00Z', '2026-11-24T11:00:00Z'],
    before: ['2026-11-16T11:00:00Z', '2026-11-16T21:42:00Z', '2026-11-17T11:00:00Z'],
  })
})

test('a comparison across a daylight-saving change uses the same local time', () => {
  // Clocks in New Zealand go forward at 2 am on 27 September 2026.
  expect(spanOf('2026-09-29T22:00:00Z').before).toEqual([
    '2026-09-22T12:00:00Z',
    '2026-09-22T23:00:00Z',
    '2026-09-23T12:00:00Z',
  ])
  expect(spanOf('2026-09-26T22:00:00Z').today).toEqual([
    '2026-09-26T12:00:00Z',
    '2026-09-26T22:00:00Z',
    '2026-09-27T11:00:00Z',
  ])
})
