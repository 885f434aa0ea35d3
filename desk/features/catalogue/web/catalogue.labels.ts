import { dayIn } from '#kit/contract/days.ts'
import type { Tone } from '#kit/web/desk/tone.ts'
import { formatDayAndTime } from '#desk/features/staff/web/time.labels.ts'
import type { DeskChange, DeskVersion } from '../catalogue.contract.ts'

export const stateTones: Record<DeskVersion['state'], Tone> = {
  'for sale': 'good',
  applied: 'plain',
  'to come': 'brand',
  'called off': 'warn',
}

export const stateLabels: Record<DeskVersion['state'], string> = {
  'for sale': 'On sale now',
  applied: 'Replaced',
  'to come': 'Scheduled',
  'called off': 'Cancelled',
}

export const changeTypeLabels: Record<DeskChange['kind'], string> = {
  added: 'New',
  changed: 'Changed',
  withdrawn: 'Hidden',
  returned: 'On sale again',
  renewals: 'Unchanged',
}

export const changeTypeTones: Record<DeskChange['kind'], Tone> = {
  added: 'good',
  changed: 'brand',
  withdrawn: 'warn',
  returned: 'good',
  renewals: 'plain',
}

export const timeLabel = (at: string, zone: string): string =>
  formatDayAndTime(at, zone).replace(',', ` ${dayIn(at, zone).slice(0, 4)},`)

export function renewalLabel({ before, after }: Pick<DeskChange, 'before' | 'after'>): string {
  if (before.renewing === 0 && after.renewing === 0) return 'None'
  return before.renewing === after.renewing ? String(after.renewing) : `${before.renewing} → ${after.renewing}`
}
