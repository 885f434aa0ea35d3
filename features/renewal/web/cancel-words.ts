import { plusDays } from '#kit/contract/days.ts'
import { dayInWords } from './start-words.ts'

export function cancelInWords(startsOn: string, today: string, byVoucher = false): string | null {
  const last = plusDays(startsOn, -2)
  return last < today ? null : `Cancel ${byVoucher ? '' : 'for a full refund '}until the end of ${dayInWords(last)}.`
}
