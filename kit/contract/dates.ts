import { formatLocalDateTime } from './local-date-time.ts'

export const monthNames = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
export const weekdayNames = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

/**
 * Formats an instant's local date for customers: `'05 Nov 2026'`. The function accepts a Temporal.Instant but does not itself use Temporal,
 * which some browsers lack.
 * @param when ISO 8601 instant, a calendar day `YYYY-MM-DD` (the same day in any zone), or a Temporal.Instant
 * @param zone IANA name of the time zone
 * @throws RangeError for an invalid date
 */
export function formatDate(when: string | { epochMilliseconds: number }, zone: string): string {
  const isDay = typeof when === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(when)
  const date = new Date(typeof when === 'string' ? when : when.epochMilliseconds)
  const [year, month, day] = formatLocalDateTime(date, isDay ? 'UTC' : zone)
    .slice(0, 10)
    .split('-')
  return `${day} ${monthNames[Number(month) - 1]} ${year}`
}
