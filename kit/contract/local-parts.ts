type Field = 'year' | 'month' | 'day' | 'hour' | 'minute'

/** To make a format takes far longer than to use it: there is one for each zone. */
const formats: Record<string, Intl.DateTimeFormat> = {}

/**
 * An instant as clock and calendar have it in a zone, in figures: browsers do not agree on the names of days and months, nor on
 * what stands around 'am'. Works without Temporal, which not every browser has.
 * @param zone IANA name, such as the market's
 * @throws RangeError when it is no date
 */
export function localParts(when: Date, zone: string): Record<Field, number> {
  const fields = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const
  const format = (formats[zone] ??= new Intl.DateTimeFormat('en-NZ', { timeZone: zone, hourCycle: 'h23', ...fields }))
  const parts = format.formatToParts(when).map(({ type, value }) => [type, Number(value)])
  return Object.fromEntries(parts) as Record<Field, number>
}
