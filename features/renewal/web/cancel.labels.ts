import { addDays } from '#kit/contract/days.ts'
import { formatFullDay } from './start.labels.ts'

export function cancelLabel(startsOn: string, today: string, byVoucher = false): string | null {
  const lastCancelDay = addDays(startsOn, -2)
  return lastCancelDay < today
    ? null
    : `Cancel ${byVoucher ? '' : 'for a full refund '}until the end of ${formatFullDay(lastCancelDay)}.`
}
