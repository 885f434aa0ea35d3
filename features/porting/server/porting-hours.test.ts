import { describe, expect, test } from 'vitest'
import { markets } from '#kit/server/markets.ts'
import { isHoliday } from './holidays.ts'
import { lateSince, lookedAtFrom } from './porting-hours.ts'

const local = (text: string, zone: string) => Temporal.PlainDateTime.from(text).toZonedDateTime(zone).toInstant()
const looked = (text: string, code: 'NZ' | 'AU' = 'NZ') => {
  const { zone } = markets[code]
  return lookedAtFrom(local(text, zone), markets[code])?.toZonedDateTimeISO(zone).toPlainDateTime().toString() ?? null
}

describe('a request in New Zealand is looked at', () => {
  test.each([
    ['in business hours at once', '2026-11-23T10:04', null],
    ['at once from the first minute on', '2026-11-23T08:00', null],
    ['at once to the last minute', '2026-11-23T17:44:59', null],
    ['the next morning after the cut-off', '2026-11-23T17:45', '2026-11-24T08:00:00'],
    ['the same morning before it begins', '2026-11-23T06:30', '2026-11-23T08:00:00'],
    ['on Monday, of Friday evening', '2026-11-27T18:00', '2026-11-30T08:00:00'],
    ['on Monday, of Saturday noon', '2026-11-28T12:00', '2026-11-30T08:00:00'],
    // Christmas Day is a Friday, Boxing Day a Saturday: kept on Monday.
    ['after the whole of Christmas', '2026-12-24T17:50', '2026-12-29T08:00:00'],
    // New Year's Day is a Friday, the second a Saturday: kept on Monday.
    ['after the whole of New Year', '2026-12-31T18:00', '2027-01-05T08:00:00'],
    ['after Easter', '2027-03-25T20:00', '2027-03-30T08:00:00'],
    // The clock goes forward that night.
    ['at eight also where an hour is missing', '2026-09-26T23:00', '2026-09-28T08:00:00'],
  ])('%s', (_, asked, expected) => expect(looked(asked)).toBe(expected))
})

describe('a request in Australia is looked at', () => {
  test.each([
    ['until eight in the evening', '2026-11-23T19:59', null],
    ['on a Saturday, too', '2026-11-28T12:00', null],
    ['on Monday, of Saturday evening', '2026-11-28T18:00', '2026-11-30T08:00:00'],
    ['at ten on a Saturday', '2026-11-28T08:30', '2026-11-28T10:00:00'],
    ['after Australia Day', '2027-01-25T20:30', '2027-01-27T08:00:00'],
  ])('%s', (_, asked, expected) => expect(looked(asked, 'AU')).toBe(expected))
})

describe('days off', () => {
  const off = (code: 'NZ' | 'AU', year: number) =>
    Array.from({ length: 366 }, (_, at) => Temporal.PlainDate.from({ year, month: 1, day: 1 }).add({ days: at }))
      .filter((day) => day.year === year && isHoliday(day, code))
      .map(String)

  test('New Zealand 2026 and 2027', () => {
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

  test('Australia 2026', () => {
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

describe('a transfer is late once it has had four hours of work', () => {
  const late = (text: string, code: 'NZ' | 'AU' = 'NZ') => {
    const { zone } = markets[code]
    return lateSince(local(text, zone), markets[code]).toZonedDateTimeISO(zone).toPlainDateTime().toString()
  }
  test.each([
    ['within a day', '2026-11-24T13:00', '2026-11-24T09:00:00'],
    ['of the evening before, in the morning', '2026-11-24T09:00', '2026-11-23T14:45:00'],
    ['whatever is asked for at night begins at eight', '2026-11-24T12:00', '2026-11-24T08:00:00'],
    ['at night no more of them than at the end of the day', '2026-11-24T23:30', '2026-11-24T13:45:00'],
    ['on Monday, of Friday', '2026-11-30T09:00', '2026-11-27T14:45:00'],
    ['after the whole of Christmas', '2026-12-29T10:00', '2026-12-24T15:45:00'],
  ])('%s', (_, now, expected) => expect(late(now)).toBe(expected))
  test('in Australia on a Saturday, too', () => expect(late('2026-11-28T12:00', 'AU')).toBe('2026-11-27T18:00:00'))
})
