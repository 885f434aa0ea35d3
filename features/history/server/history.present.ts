import { centsToDecimal } from '#kit/contract/money.ts'
import { fromDate } from '#kit/server/clock.ts'
import type { History } from '../history.contract.ts'
import type { EndedCycleRow } from './cycle-usage.store.ts'
import type { YearlyUsage } from './history.ts'

export const presentHistory = (
  year: YearlyUsage,
  { phoneNumber, zone }: { phoneNumber: string; zone: string },
): History => ({
  phone_number: phoneNumber,
  starts_on: year.first.toString(),
  last_day: year.last.toString(),
  cycles: year.cycles.map((cycle) => presentCycle(cycle, zone)),
  months: year.months.map(({ month, cents }) => ({ month: month.toString(), spent: centsToDecimal(cents) })),
  spent: centsToDecimal(year.months.reduce((sum, { cents }) => sum + cents, 0)),
})

export function presentCycle(cycle: EndedCycleRow, zone: string): History['cycles'][number] {
  const dayOf = (at: Date, daysBefore = 0): string =>
    fromDate(at).subtract({ milliseconds: daysBefore }).toZonedDateTimeISO(zone).toPlainDate().toString()
  return {
    starts_on: dayOf(cycle.starts_at),
    // A cycle's end is exclusive: it is midnight after the last day, or an instant during the last day.
    last_day: dayOf(cycle.ends_at, 1),
    plan: cycle.title,
    data_gb: cycle.data_gb,
    used_mb: cycle.used_mb,
    ran_out_on: cycle.ran_out_at && dayOf(cycle.ran_out_at),
    reading: cycle.used_mb !== null ? 'known' : cycle.due_at ? 'awaited' : 'unknown',
    cut_short: !cycle.is_whole,
  }
}
