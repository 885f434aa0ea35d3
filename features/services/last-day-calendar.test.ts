import fc from 'fast-check'
import { expect, test } from 'vitest'
import { markets } from '#kit/server/markets.ts'
import { createLastDayCalendar } from './server/last-day-calendar.ts'

const facts = {
  brandName: 'Fantail, Mobile; Co',
  publicUrl: 'https://fantail.example',
  clock: { now: () => Temporal.Instant.from('2026-11-25T01:02:03.456Z'), offset: () => 0 },
  market: markets.NZ,
}
const service = {
  id: 'b6b7',
  msisdn: '+64215059102',
  name: null as string | null,
  title: '25 GB Prepay Plan',
  // This instant is midnight in Auckland, at the start of Mon 11 Jan.
  expires_at: new Date('2027-01-10T11:00:00Z'),
}
const linesOf = (name: string | null = null): string[] =>
  createLastDayCalendar(facts, { ...service, name }).content.split('\r\n')
const unfolded = (name: string | null) => linesOf(name).join('\r\n').replaceAll('\r\n ', '').split('\r\n')

test('the last day of a plan is an all-day calendar entry with the properties that RFC 5545 requires', () => {
  expect(unfolded(null)).toEqual([
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Fantail\\, Mobile\\; Co//Last day//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    'BEGIN:VEVENT',
    'UID:last-day-b6b7@fantail.example',
    'SEQUENCE:20828',
    'DTSTAMP:20261125T010203Z',
    'DTSTART;VALUE=DATE:20270110',
    'DTEND;VALUE=DATE:20270111',
    'SUMMARY:Last day: 021 505 9102',
    'DESCRIPTION:25 GB Prepay Plan for 021 505 9102 works until midnight. Renew: log in at fantail.example',
    'TRANSP:TRANSPARENT',
    'BEGIN:VALARM',
    'ACTION:DISPLAY',
    'DESCRIPTION:Tomorrow is the last day: 021 505 9102',
    'TRIGGER:-PT15H',
    'END:VALARM',
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ])
  expect(createLastDayCalendar(facts, service)).toMatchObject({
    filename: 'last-day-0215059102.ics',
    contentType: 'text/calendar; charset=utf-8',
  })
})

test('a phone number’s name never makes a calendar line longer than 75 octets, and never adds a line', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 30 }), (name) => {
      const lines = linesOf(name)
      expect(lines.every((line) => Buffer.byteLength(line) <= 75)).toBe(true)
      expect(lines.join('')).not.toMatch(/[\r\n]/)
      expect(unfolded(name)).toHaveLength(22)
    }),
  )
  expect(unfolded('Mum’s tablet; a,b\\c\nEND:VEVENT')[11]).toBe(
    'SUMMARY:Last day: Mum’s tablet\\; a\\,b\\\\c\\nEND:VEVENT (021 505 9102)',
  )
})

test('the calendar entry names Sydney time after midnight in Australia', () => {
  const { content } = createLastDayCalendar({ ...facts, market: markets.AU }, { ...service, msisdn: '+61491570156' })
  expect(content.replaceAll('\r\n ', '')).toContain(
    'works until midnight\\, Sydney time. Renew: log in at fantail.example',
  )
})
