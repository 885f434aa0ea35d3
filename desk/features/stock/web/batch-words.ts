import { fullDay } from '#kit/contract/days.ts'
import type { Tone } from '#kit/web/desk/tone.ts'
import type { Batch } from '../batches.contract.ts'

const words: Record<Batch['state'], { text: string; tone: Tone }> = {
  asked: { text: 'To approve', tone: 'warn' },
  declined: { text: 'Refused', tone: 'bad' },
  lapsed: { text: 'Lapsed', tone: 'plain' },
  approved: { text: 'Codes to take', tone: 'warn' },
  making: { text: 'Codes taken, not good yet', tone: 'warn' },
  complete: { text: 'Good', tone: 'good' },
  broken_off: { text: 'Given up', tone: 'bad' },
  void: { text: 'Void', tone: 'bad' },
}

export function batchWords({ state, days_left: left }: Pick<Batch, 'state' | 'days_left'>): {
  text: string
  tone: Tone
} {
  if (state !== 'complete' || left > 30) return words[state]
  if (left < 0) return { text: 'Over', tone: 'plain' }
  return { text: left === 1 ? '1 day left' : `${left} days left`, tone: left <= 7 ? 'bad' : 'warn' }
}

export const lastDay = ({ expires }: Pick<Batch, 'expires'>): string => fullDay(expires)
