import { localText } from './local-text.ts'

/**
 * An instant as clock and calendar have it in a zone, in figures.
 * @param zone IANA name, such as the market's
 * @throws RangeError when it is no date
 */
export function localParts(when: Date, zone: string): Record<'year' | 'month' | 'day' | 'hour' | 'minute', number> {
  const figures = localText(when, zone).split(/\D/).map(Number)
  const [year, month, day, hour, minute] = figures as [number, number, number, number, number]
  return { year, month, day, hour, minute }
}
