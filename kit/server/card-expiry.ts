import { dayOf } from './relative-day.ts'

/**
 * Whether a card has expired at the given instant. A card is valid through the last day of its expiry month in the market's time zone.
 * @param expiry as reported by the gateway, such as `'3/2030'`; a card without an expiry counts as valid
 */
export function isCardExpired({ expiry }: { expiry: string }, now: Temporal.Instant, zone: string): boolean {
  const [month = '', year = ''] = expiry.split('/')
  if (month === '' || year === '') return false
  const today = dayOf(now, zone)
  return 12 * Number(year) + Number(month) < 12 * today.year + today.month
}
