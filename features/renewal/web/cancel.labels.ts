import { addDays } from '#kit/contract/days.ts'
import { appendZone } from '#kit/contract/zone-name.ts'
import { formatFullDay } from './start.labels.ts'

export function cancelLabel(
  startsOn: string,
  { today, zone }: { today: string; zone: string },
  byVoucher = false,
): string | null {
  const lastCancelDay = addDays(startsOn, -2)
  return lastCancelDay < today
    ? null
    : `Cancel ${byVoucher ? '' : 'for a full refund '}until the end of ${appendZone(formatFullDay(lastCancelDay), zone)}.`
}
