import { monthNames } from '#kit/contract/dates.ts'
import { formatDataAmount } from '#kit/contract/plans.ts'
import type { History } from '../history.contract.ts'

type Cycle = History['cycles'][number]

export function cycleLabel({ starts_on, last_day }: Pick<Cycle, 'starts_on' | 'last_day'>): string {
  const [firstDay, lastDay] = [formatDateParts(starts_on), formatDateParts(last_day)]
  if (starts_on === last_day) return `${lastDay.day} ${lastDay.year}`
  return `${firstDay.day}${firstDay.year === lastDay.year ? '' : ` ${firstDay.year}`} – ${lastDay.day} ${lastDay.year}`
}

const formatDateParts = (date: string) => ({
  year: date.slice(0, 4),
  day: `${Number(date.slice(8))}\u00A0${monthNames[Number(date.slice(5, 7)) - 1]}`,
})

export const monthLabel = (month: string): string =>
  `${monthNames[Number(month.slice(5, 7)) - 1]}\u00A0${month.slice(0, 4)}`

export function usedDataLabel({ used_mb: mb, reading }: Pick<Cycle, 'used_mb' | 'reading'>): string {
  if (mb !== null) return formatDataAmount(mb / 1000)
  return reading === 'awaited' ? 'Not available yet' : 'Not available'
}

export function cycleNotes({ ran_out_on: ranOut, cut_short: cut }: Pick<Cycle, 'ran_out_on' | 'cut_short'>): string[] {
  return [
    ...(ranOut ? [`Data ran out on ${formatDateParts(ranOut).day}`] : []),
    ...(cut ? ['Ended early because the plan was renewed'] : []),
  ]
}
