import type { Tone } from '#kit/web/desk/tone.ts'
import type { Load } from '../sim-loads.contract.ts'

const stateLabels: Record<Load['state'], { text: string; tone: Tone }> = {
  receiving: { text: 'Being read', tone: 'brand' },
  broken_off: { text: 'Upload interrupted', tone: 'bad' },
  checking: { text: 'Being checked', tone: 'brand' },
  checked: { text: 'Checked only', tone: 'plain' },
  waiting: { text: 'Decision needed', tone: 'warn' },
  refused: { text: 'Nothing loaded', tone: 'plain' },
  loading: { text: 'Being loaded', tone: 'brand' },
  withdrawing: { text: 'Being removed', tone: 'warn' },
  loaded: { text: 'Loaded', tone: 'good' },
}
export const simLoadLabel = ({ state }: Pick<Load, 'state'>): { text: string; tone: Tone } => stateLabels[state]

export const isUnderWay = ({ state }: Pick<Load, 'state'>): boolean =>
  ['receiving', 'checking', 'loading', 'withdrawing'].includes(state)

export const simLoadName = ({ id, file_name: name }: Pick<Load, 'id' | 'file_name'>): string => name || `Load ${id}`
