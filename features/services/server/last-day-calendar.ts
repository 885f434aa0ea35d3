import type { Market } from '#kit/contract/bootstrap.ts'
import { formatNational } from '#kit/contract/phone.ts'
import { type Clock, fromDate } from '#kit/server/clock.ts'
import type { OwnService } from './own-service.store.ts'

type Facts = { brandName: string; publicUrl: string; clock: Clock; market: Market }
type Ending = Pick<OwnService, 'id' | 'msisdn' | 'name' | 'title' | 'expires_at'>

/** The last day of a plan as an entry that calendars take: RFC 5545, all day, with a reminder the day before at 9. */
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
    // The same plan's end is the same entry; a renewed plan's replaces it.
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

/** A TEXT value: what would end or split it is escaped. */
const text = (value: string): string =>
  value
    .replaceAll('\\', '\\\\')
    .replaceAll(';', '\\;')
    .replaceAll(',', '\\,')
    .replaceAll(/\r\n|\r|\n/g, '\\n')

/** No line is longer than 75 octets; it goes on in the next, after a space, and never in the middle of a letter. */
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
