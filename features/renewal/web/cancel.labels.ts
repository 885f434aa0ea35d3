import { addDays } from '#kit/contract/days.ts'
import { appendZone } from '#kit/contract/zone-name.ts'
import { formatFullDay } from './start.labels.ts'

export function getCancellationLabel(
  startsOn: string,
  { today, zone }: { today: string; zone: string },
  byVoucher = false,
): string | null {
  const lastCancellationDay = addDays(startsOn, -2)
  return lastCancellationDay < today
    ? null
    : `Cancel ${byVoucher ? '' : 'for a full refund '}until the end of ${appendZone(formatFullDay(lastCancellationDay), zone)}.`
}
