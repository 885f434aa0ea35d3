import type { Market } from '#kit/contract/bootstrap.ts'
import { formatNational } from '#kit/contract/phone.ts'
import { appendZone } from '#kit/contract/zone-name.ts'
import { type Clock, fromDate } from '#kit/server/clock.ts'
import type { ServiceWithPlanRow } from './own-service.store.ts'

type CalendarDeps = { brandName: string; publicUrl: string; clock: Clock; market: Market }
type ExpiringService = Pick<ServiceWithPlanRow, 'id' | 'msisdn' | 'name' | 'title' | 'expires_at'>

/** Creates an all-day iCalendar event (RFC 5545) for a plan's last day, with a reminder at 9 am on the day before. */
export function createLastDayCalendar({ brandName, publicUrl, clock, market }: CalendarDeps, service: ExpiringService) {
  const lastDay = fromDate(service.expires_at)
    .subtract({ milliseconds: 1 })
    .toZonedDateTimeISO(market.zone)
    .toPlainDate()
  const number = formatNational(service.msisdn)
  const numberLabel = service.name === null ? number : `${service.name} (${number})`
  const endTime = appendZone('midnight', market.zone)
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    `PRODID:-//${escapeText(brandName)}//Last day//EN`,
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    'BEGIN:VEVENT',
    // The UID is the same for all of a service's events, so a renewed plan's event replaces the earlier one.
    `UID:last-day-${service.id}@${new URL(publicUrl).hostname}`,
    `SEQUENCE:${Math.floor(service.expires_at.getTime() / 86_400_000)}`,
    `DTSTAMP:${clock.now().toString({ smallestUnit: 'second' }).replaceAll(/[-:]/g, '')}`,
    `DTSTART;VALUE=DATE:${formatBasicDate(lastDay)}`,
    `DTEND;VALUE=DATE:${formatBasicDate(lastDay.add({ days: 1 }))}`,
    `SUMMARY:${escapeText(`Last day: ${numberLabel}`)}`,
    `DESCRIPTION:${escapeText(`${service.title} for ${number} works until ${endTime}. Renew: log in at ${new URL(publicUrl).host}`)}`,
    'TRANSP:TRANSPARENT',
    'BEGIN:VALARM',
    'ACTION:DISPLAY',
    `DESCRIPTION:${escapeText(`Tomorrow is the last day: ${numberLabel}`)}`,
    'TRIGGER:-PT15H',
    'END:VALARM',
    'END:VEVENT',
    'END:VCALENDAR',
  ]
  return {
    filename: `last-day-${number.replaceAll(/\D/g, '')}.ics`,
    contentType: 'text/calendar; charset=utf-8',
    content: lines.map((line) => `${foldLine(line)}\r\n`).join(''),
  }
}

const formatBasicDate = (day: Temporal.PlainDate): string => day.toString().replaceAll('-', '')

/** Escapes a TEXT value for iCalendar (RFC 5545). */
const escapeText = (value: string): string =>
  value
    .replaceAll('\\', '\\\\')
    .replaceAll(';', '\\;')
    .replaceAll(',', '\\,')
    .replaceAll(/\r\n|\r|\n/g, '\\n')

/**
 * Folds an iCalendar line into parts of at most 75 octets, without splitting a character. Each continuation line starts
 * with a space.
 */
function foldLine(line: string): string {
  const foldedLines: string[] = []
  let currentLine = ''
  for (const character of line) {
    const maxOctets = foldedLines.length === 0 ? 75 : 74
    if (Buffer.byteLength(currentLine + character) > maxOctets) {
      foldedLines.push(currentLine)
      currentLine = ''
    }
    currentLine += character
  }
  return [...foldedLines, currentLine].join('\r\n ')
}
