import { formatLongDate } from '#kit/contract/days.ts'
import type { Tone } from '#kit/web/desk/tone.ts'
import type { Batch } from '../batches.contract.ts'

const stateLabels: Record<Batch['state'], { text: string; tone: Tone }> = {
  asked: { text: 'Waiting for approval', tone: 'warn' },
  declined: { text: 'Declined', tone: 'bad' },
  lapsed: { text: 'Request expired', tone: 'plain' },
  approved: { text: 'Codes ready to download', tone: 'warn' },
  making: { text: 'Codes downloaded, not confirmed', tone: 'warn' },
  complete: { text: 'Valid', tone: 'good' },
  broken_off: { text: 'Failed', tone: 'bad' },
  void: { text: 'Void', tone: 'bad' },
}

export function batchLabel({ state, days_left: left }: Pick<Batch, 'state' | 'days_left'>): {
  text: string
  tone: Tone
} {
  if (state !== 'complete' || left > 30) return stateLabels[state]
  if (left < 0) return { text: 'Expired', tone: 'plain' }
  return { text: left === 1 ? '1 day left' : `${left} days left`, tone: left <= 7 ? 'bad' : 'warn' }
}

export const formatLastValidDay = ({ expires }: Pick<Batch, 'expires'>): string => formatLongDate(expires)
