import type { Market } from '#kit/contract/bootstrap.ts'
import { formatNational } from '#kit/contract/phone.ts'
import { type Clock, fromDate } from '#kit/server/clock.ts'
import type { OwnService } from './own-service.store.ts'

type Facts = { brandName: string; publicUrl: string; clock: Clock; market: Market }
type Ending = Pick<OwnService, 'id' | 'msisdn' | 'name' | 'title' | 'expires_at'>

/** A plan's last day as an all-day iCalendar event (RFC 5545), with a reminder at 9 on the day before. */
export function calendarOfLastDay({ brandName, publicUrl, clock, market }: Facts, service: Ending) {
  const lastDay = fromDate(service.expires_at)
    .subtract({ milliseconds: 1 })
    .toZonedDateTimeISO(market.zone)
    .toPlainDate()
  const number = formatNational(service.msisdn)
  const who = service.name === null ? number : `${service.name} (${number})`
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    `PRODID:-//${text(brandName)}//Last day//EN`,
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    'BEGIN:VEVENT',
    // The same service always has the same UID, so the event of a renewed plan replaces the earlier event.
    `UID:last-day-${service.id}@${new URL(publicUrl).hostname}`,
    `SEQUENCE:${Math.floor(service.expires_at.getTime() / 86_400_000)}`,
    `DTSTAMP:${clock.now().toString({ smallestUnit: 'second' }).replaceAll(/[-:]/g, '')}`,
    `DTSTART;VALUE=DATE:${basic(lastDay)}`,
    `DTEND;VALUE=DATE:${basic(lastDay.add({ days: 1 }))}`,
    `SUMMARY:${text(`Last day: ${who}`)}`,
    `DESCRIPTION:${text(`${service.title} for ${number} works until midnight. Renew: log in at ${new URL(publicUrl).host}`)}`,
    'TRANSP:TRANSPARENT',
    'BEGIN:VALARM',
    'ACTION:DISPLAY',
    `DESCRIPTION:${text(`Tomorrow is the last day: ${who}`)}`,
    'TRIGGER:-PT15H',
    'END:VALARM',
    'END:VEVENT',
    'END:VCALENDAR',
  ]
  return {
    filename: `last-day-${number.replaceAll(/\D/g, '')}.ics`,
    contentType: 'text/calendar; charset=utf-8',
    content: lines.map((line) => `${folded(line)}\r\n`).join(''),
  }
}

const basic = (day: Temporal.PlainDate): string => day.toString().replaceAll('-', '')

/** Escapes a TEXT value (RFC 5545). */
const text = (value: string): string =>
  value
    .replaceAll('\\', '\\\\')
    .replaceAll(';', '\\;')
    .replaceAll(',', '\\,')
    .replaceAll(/\r\n|\r|\n/g, '\\n')

/**
 * Folds a line into parts of at most 75 octets, without splitting a character. Each continuation starts with a space.
 */
function folded(line: string): string {
  const parts: string[] = []
  let part = ''
  for (const letter of line) {
    const most = parts.length === 0 ? 75 : 74
    if (Buffer.byteLength(part + letter) > most) {
      parts.push(part)
      part = ''
    }
    part += letter
  }
  return [...parts, part].join('\r\n ')
}
