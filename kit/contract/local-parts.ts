type Field = 'year' | 'month' | 'day' | 'hour' | 'minute'

/** To make a format takes far longer than to use it: there is one for each zone. */
const formats = new Map<string, Intl.DateTimeFormat>()

/**
 * An instant as clock and calendar have it in a zone, in figures: browsers do not agree on the names of days and months, nor on
 * what stands around 'am'. Works without Temporal, which not every browser has.
 * @param zone IANA name, such as the market's
 * @throws RangeError when it is no date
 */
export function localParts(when: Date, zone: string): Record<Field, number> {
  const format = formats.get(zone) ?? newFormat(zone)
  return Object.fromEntries(format.formatToParts(when).map(({ type, value }) => [type, Number(value)])) as Record<
    Field,
    number
  >
}

function newFormat(timeZone: string): Intl.DateTimeFormat {
  const fields = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const
  const format = new Intl.DateTimeFormat('en-NZ', { timeZone, hourCycle: 'h23', ...fields })
  formats.set(timeZone, format)
  return format
}
