import { plusDays } from '#kit/contract/days.ts'
import { dayInWords } from './start-words.ts'

/**
 * Says until when the customer can cancel a queued plan; `null` when the deadline has passed, or the plan starts at
 * once.
 */
export function cancelInWords(startsOn: string, today: string, byVoucher = false): string | null {
  const last = plusDays(startsOn, -2)
  return last < today ? null : `Cancel ${byVoucher ? '' : 'for a full refund '}until the end of ${dayInWords(last)}.`
}
