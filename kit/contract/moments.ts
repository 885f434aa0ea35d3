const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** How near a day must be to be known by its weekday. */
const weekdayWithin = 60 * 86_400_000

/**
 * An instant as a customer reads it: `'Sun 22 Nov, 10:42 am'`; without the weekday once it is far, with the year when that is another.
 * Works without Temporal, which not every browser has.
 * @param instant and `now`: ISO 8601 instants
 * @param zone IANA name, such as the market's
 * @throws RangeError when one is no instant
 */
export function formatMoment(instant: string, { zone, now }: { zone: string; now: string }): string {
  const { year, month, day, hour, minute } = partsOf(instant, zone)
  const isNear = Math.abs(Date.parse(now) - Date.parse(instant)) <= weekdayWithin
  const weekday = isNear ? `${days[new Date(Date.UTC(year, month - 1, day)).getUTCDay()]} ` : ''
  const inYear = year === partsOf(now, zone).year ? '' : ` ${year}`
  return `${weekday}${day} ${months[month - 1]}${inYear}, ${hour % 12 || 12}:${String(minute).padStart(2, '0')} ${hour < 12 ? 'am' : 'pm'}`
}

type Field = 'year' | 'month' | 'day' | 'hour' | 'minute'

/** In figures only: browsers do not agree on the names of days and months, nor on what stands around 'am'. */
function partsOf(instant: string, zone: string): Record<Field, number> {
  const fields = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const
  const parts = new Intl.DateTimeFormat('en-NZ', { timeZone: zone, hourCycle: 'h23', ...fields }).formatToParts(
    new Date(instant),
  )
  return Object.fromEntries(parts.map(({ type, value }) => [type, Number(value)])) as Record<Field, number>
}
