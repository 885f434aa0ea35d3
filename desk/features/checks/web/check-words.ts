import { plusDays, shortDay } from '#kit/contract/days.ts'
import { type CheckedLook, type Checks, looksAWeek, type PastCheck } from '../checks.contract.ts'

export const weekWords = (monday: string): string => `${shortDay(monday)} to ${shortDay(plusDays(monday, 6))}`

export function drawnWords({ week, found }: Checks): string {
  if (found === 0) return weekWords(week)
  const drawn = found > looksAWeek ? `${looksAWeek} of ${found.toLocaleString('en-NZ')}, at random` : 'all of them'
  return `${weekWords(week)}, ${drawn}`
}

export const saidWords = ({ decision, decided_by: who }: CheckedLook): string =>
  decision === 'asked' ? `${who} has them asked: it is on the list of tasks` : `In order, says ${who}`

export function pastWords({ looks, in_order: good, asked }: PastCheck): string {
  if (looks === 0) return 'no such looks'
  const left = looks - good - asked
  const parts = [good > 0 && `${good} in order`, asked > 0 && `${asked} asked about`, left > 0 && `${left} left open`]
  return `${looks} drawn: ${parts.filter(Boolean).join(', ')}`
}
