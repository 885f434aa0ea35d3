import type { DeskPort } from '../ports.contract.ts'

export const portActs = ['correct', 'cancel', 'ask'] as const
export type PortAct = (typeof portActs)[number]

export type ActResult = { kind: 'good' | 'info' | 'warn'; said: string }

export const pathOfAct = (reference: string, act: PortAct): string => `/ports/${reference}/?do=${act}`

export function actFromUrl(search: string, may: Record<PortAct, boolean>): PortAct | null {
  const requested = new URLSearchParams(search).get('do')
  return portActs.find((act) => act === requested && may[act]) ?? null
}

export const possibleActsOf = ({
  correct_why,
  cancel_why,
  contact,
}: DeskPort): Record<PortAct | 'remind', boolean> => ({
  correct: correct_why === null,
  cancel: cancel_why === null,
  ask: contact?.act === 'ask' && contact.why === null,
  remind: contact?.act === 'remind' && contact.why === null,
})
