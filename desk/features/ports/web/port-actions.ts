import type { DeskPort } from '../ports.contract.ts'

export const portActions = ['correct', 'cancel', 'ask'] as const
export type PortAction = (typeof portActions)[number]

export type ActionResult = { kind: 'good' | 'info' | 'warn'; said: string }

export const actionPath = (reference: string, act: PortAction): string => `/ports/${reference}/?do=${act}`

export function actionFromUrl(search: string, may: Record<PortAction, boolean>): PortAction | null {
  const requestedAction = new URLSearchParams(search).get('do')
  return portActions.find((act) => act === requestedAction && may[act]) ?? null
}

export const listPossibleActions = ({
  correct_why,
  cancel_why,
  contact,
}: DeskPort): Record<PortAction | 'remind', boolean> => ({
  correct: correct_why === null,
  cancel: cancel_why === null,
  ask: contact?.act === 'ask' && contact.why === null,
  remind: contact?.act === 'remind' && contact.why === null,
})
