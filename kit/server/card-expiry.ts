import { dayOf } from './day-words.ts'

/**
 * Whether a card is no longer good at an instant: it is to the end of its month, by the days of the market's zone.
 * @param expiry as the gateway tells it, `'3/2030'`; a card of which it told none is taken as good
 */
export function isCardExpired({ expiry }: { expiry: string }, now: Temporal.Instant, zone: string): boolean {
  const [month = '', year = ''] = expiry.split('/')
  if (month === '' || year === '') return false
  const today = dayOf(now, zone)
  return 12 * Number(year) + Number(month) < 12 * today.year + today.month
}
