import { isFinal, type Transitions } from '#kit/contract/transitions.ts'

/** Where a number transfer stands (spec 4), and its number on the wire. */
export const portingStatus = { NEW: 1, SUBMITTED: 2, COMPLETED: 3, FAILED: 4 } as const
export type PortingStatus = keyof typeof portingStatus

/** The name of a status that goes over the wire as its number. */
export function statusNamed(status: 1 | 2 | 3 | 4): PortingStatus {
  const names = Object.keys(portingStatus) as PortingStatus[]
  return names.find((name) => portingStatus[name] === status) ?? 'NEW'
}

/** What the network tells of a transfer. */
export type PortingEvent = 'submitted' | 'completed' | 'failed'

/** Every move a number transfer can make. COMPLETED and FAILED are final: another try is another request. */
export const portingTransitions: Transitions<PortingStatus, PortingEvent> = {
  NEW: { submitted: 'SUBMITTED', completed: 'COMPLETED', failed: 'FAILED' },
  SUBMITTED: { completed: 'COMPLETED', failed: 'FAILED' },
  COMPLETED: {},
  FAILED: {},
}

/** Nothing will move any more. */
export const isOver = (status: PortingStatus): boolean => isFinal(portingTransitions, status)
