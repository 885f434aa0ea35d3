import { plusDays } from '#kit/contract/days.ts'
import { dayInWords } from './start-words.ts'

/** Until when a plan that waits is its customer's to cancel; null once that is over, or it starts at once. */
export function cancelInWords(startsOn: string, today: string, byVoucher = false): string | null {
  const last = plusDays(startsOn, -2)
  return last < today ? null : `Cancel ${byVoucher ? '' : 'for a full refund '}until the end of ${dayInWords(last)}.`
}
