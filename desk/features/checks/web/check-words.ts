import { plusDays, shortDay } from '#kit/contract/days.ts'
import { type CheckedLook, type Checks, looksAWeek, type PastCheck } from '../checks.contract.ts'

export const weekWords = (monday: string): string => `${shortDay(monday)} to ${shortDay(plusDays(monday, 6))}`

export function drawnWords({ week, found }: Checks): string {
  if (found === 0) return weekWords(week)
  const drawn = found > looksAWeek ? `${looksAWeek} of ${found.toLocaleString('en-NZ')}, at random` : 'all views'
  return `${weekWords(week)}, ${drawn}`
}

export const saidWords = ({ decision, decided_by: who }: CheckedLook): string =>
  decision === 'asked' ? `${who} wants them to be asked; a task was added to Today` : `Marked as in order by ${who}`

export function pastWords({ looks, in_order: good, asked }: PastCheck): string {
  if (looks === 0) return 'none to check'
  const left = looks - good - asked
  const parts = [good > 0 && `${good} in order`, asked > 0 && `${asked} asked about`, left > 0 && `${left} not checked`]
  return `${looks} selected: ${parts.filter(Boolean).join(', ')}`
}
