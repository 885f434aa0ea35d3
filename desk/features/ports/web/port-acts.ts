import type { DeskPort } from '../ports.contract.ts'

/** What is done in a drawer. */
export const portActs = ['correct', 'cancel', 'ask'] as const
export type PortAct = (typeof portActs)[number]

/** What came of it, for who had it done. */
export type Told = { kind: 'good' | 'info' | 'warn'; said: string }

/** A port's page on which an act is begun. */
export const pathOfAct = (reference: string, act: PortAct): string => `/ports/${reference}/?do=${act}`

/** Which act an address begins with, where it can be done. */
export function actIn(search: string, may: Record<PortAct, boolean>): PortAct | null {
  const wanted = new URLSearchParams(search).get('do')
  return portActs.find((act) => act === wanted && may[act]) ?? null
}

/** What can be done about a transfer now. */
export const mayOf = ({ correct_why, cancel_why, contact }: DeskPort): Record<PortAct | 'remind', boolean> => ({
  correct: correct_why === null,
  cancel: cancel_why === null,
  ask: contact?.act === 'ask' && contact.why === null,
  remind: contact?.act === 'remind' && contact.why === null,
})
