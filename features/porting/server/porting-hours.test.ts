import { describe, expect, test } from 'vitest'
import { markets } from '#kit/server/markets.ts'
import { isPublicHoliday } from './public-holidays.ts'
import { computeLateRequestCutoff, findProcessingStart } from './porting-hours.ts'

const local = (text: string, zone: string) => Temporal.PlainDateTime.from(text).toZonedDateTime(zone).toInstant()
const looked = (text: string, code: 'NZ' | 'AU' = 'NZ') => {
  const { zone } = markets[code]
  return (
    findProcessingStart(local(text, zone), markets[code])?.toZonedDateTimeISO(zone).toPlainDateTime().toString() ?? null
  )
}

describe('the time at which providers in New Zealand start to process a transfer request', () => {
  test.each([
    ['a request in business hours is processed at once', '2026-11-23T10:04', null],
    ['a request in the first minute of business hours is processed at once', '2026-11-23T08:00', null],
    ['a request in the last second before the cut-off is processed at once', '2026-11-23T17:44:59', null],
    ['a request after the cut-off waits until the next morning', '2026-11-23T17:45', '2026-11-24T08:00:00'],
    ['a request before opening time waits until the same morning', '2026-11-23T06:30', '2026-11-23T08:00:00'],
    ['a request on Friday evening waits until Monday', '2026-11-27T18:00', '2026-11-30T08:00:00'],
    ['a request on Saturday waits until Monday', '2026-11-28T12:00', '2026-11-30T08:00:00'],
    // In 2026, Christmas Day is a Friday. Boxing Day is a Saturday, so it is observed on Monday.
    [
      'a request on Christmas Eve after the cut-off waits until the holidays are over',
      '2026-12-24T17:50',
      '2026-12-29T08:00:00',
    ],
    // In 2027, New Year's Day is a Friday. 2 January is a Saturday, so it is observed on Monday.
    [
      'a request on New Year’s Eve after the cut-off waits until the holidays are over',
      '2026-12-31T18:00',
      '2027-01-05T08:00:00',
    ],
    ['a request on the evening before Good Friday waits until after Easter', '2027-03-25T20:00', '2027-03-30T08:00:00'],
    // In New Zealand, daylight saving time begins during the night after Saturday 26 September 2026.
    ['a request before the clocks go forward waits until 8 am on Monday', '2026-09-26T23:00', '2026-09-28T08:00:00'],
  ])('in New Zealand, %s', (_, asked, expected) => expect(looked(asked)).toBe(expected))
})

describe('the time at which providers in Australia start to process a transfer request', () => {
  test.each([
    ['a request shortly before 8 pm on a weekday is processed at once', '2026-11-23T19:59', null],
    ['a request at noon on Saturday is processed at once', '2026-11-28T12:00', null],
    ['a request on Saturday evening waits until Monday', '2026-11-28T18:00', '2026-11-30T08:00:00'],
    ['a request early on Saturday waits until 10 am', '2026-11-28T08:30', '2026-11-28T10:00:00'],
    [
      'a request on the evening before Australia Day waits until the day after it',
      '2027-01-25T20:30',
      '2027-01-27T08:00:00',
    ],
  ])('in Australia, %s', (_, asked, expected) => expect(looked(asked, 'AU')).toBe(expected))
})

describe('public holidays on which providers do not work', () => {
  const off = (code: 'NZ' | 'AU', year: number) =>
    Array.from({ length: 366 }, (_, at) => Temporal.PlainDate.from({ year, month: 1, day: 1 }).add({ days: at }))
      .filter((day) => day.year === year && isPublicHoliday(day, code))
      .map(String)

  test('lists the public holidays of New Zealand in 2026 and 2027', () => {
    expect(off('NZ', 2026)).toEqual([
      '2026-01-01',
      '2026-01-02',
      '2026-02-06',
      '2026-04-03',
      '2026-04-06',
      '2026-04-27',
      '2026-06-01',
      '2026-07-10',
      '2026-10-26',
      '2026-12-25',
      '2026-12-28',
    ])
    expect(off('NZ', 2027)).toEqual([
      '2027-01-01',
      '2027-01-04',
      '2027-02-08',
      '2027-03-26',
      '2027-03-29',
      '2027-04-26',
      '2027-06-07',
      '2027-06-25',
      '2027-10-25',
      '2027-12-27',
      '2027-12-28',
    ])
  })

  test('lists the public holidays of Australia in 2026', () => {
    expect(off('AU', 2026)).toEqual([
      '2026-01-01',
      '2026-01-26',
      '2026-04-03',
      '2026-04-06',
      '2026-04-25',
      '2026-12-25',
      '2026-12-28',
    ])
  })
})

describe('the cut-off time for late transfers', () => {
  const late = (text: string, code: 'NZ' | 'AU' = 'NZ') => {
    const { zone } = markets[code]
    return computeLateRequestCutoff(local(text, zone), markets[code])
      .toZonedDateTimeISO(zone)
      .toPlainDateTime()
      .toString()
  }
  test.each([
    ['the four-hour limit counts back within one working day', '2026-11-24T13:00', '2026-11-24T09:00:00'],
    [
      'the four-hour limit counts back from morning into the previous evening',
      '2026-11-24T09:00',
      '2026-11-23T14:45:00',
    ],
    ['the four-hour limit at noon reaches back to opening time', '2026-11-24T12:00', '2026-11-24T08:00:00'],
    ['the four-hour limit at night counts back from closing time', '2026-11-24T23:30', '2026-11-24T13:45:00'],
    ['the four-hour limit on Monday morning counts back into Friday', '2026-11-30T09:00', '2026-11-27T14:45:00'],
    ['the four-hour limit after Christmas counts back into Christmas Eve', '2026-12-29T10:00', '2026-12-24T15:45:00'],
  ])('cut-off for late transfers: %s', (_, now, expected) => expect(late(now)).toBe(expected))
  test('in Australia, the four-hour limit for late transfers also counts working hours on Saturday', () =>
    expect(late('2026-11-28T12:00', 'AU')).toBe('2026-11-27T18:00:00'))
})
