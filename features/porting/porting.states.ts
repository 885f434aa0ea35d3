import { isFinal, type Transitions } from '#kit/contract/transitions.ts'

/** Where a number transfer stands, as its customer is told (spec 4), and its number on the wire. */
export const portingStatus = { NEW: 1, SUBMITTED: 2, COMPLETED: 3, FAILED: 4 } as const
export type ToldStatus = keyof typeof portingStatus

/** Where it stands for us: it may be on its way to being called off as well. */
export type PortingStatus = ToldStatus | 'CANCELLING' | 'CANCELLED'

/** Until the network has decided a transfer is under way, and one that was called off has failed for a reason of its own. */
const toldAs: Record<PortingStatus, ToldStatus> = {
  NEW: 'NEW',
  SUBMITTED: 'SUBMITTED',
  CANCELLING: 'SUBMITTED',
  COMPLETED: 'COMPLETED',
  FAILED: 'FAILED',
  CANCELLED: 'FAILED',
}

/** The number of a status on the wire. */
export const wireStatus = (status: PortingStatus): 1 | 2 | 3 | 4 => portingStatus[toldAs[status]]

/** The name of a status that goes over the wire as its number. */
export function statusNamed(status: 1 | 2 | 3 | 4): ToldStatus {
  const names = Object.keys(portingStatus) as ToldStatus[]
  return names.find((name) => portingStatus[name] === status) ?? 'NEW'
}

/** What its customer waits for: the other provider, more answers from themselves, their Yes, the move; or it has moved. */
export type PortStep = 'sent' | 'information' | 'reply' | 'moving' | 'moved'

/** What the network tells of a transfer, and what is asked of it. */
export type PortingEvent = 'submitted' | 'completed' | 'failed' | 'cancel' | 'cancel_refused' | 'cancelled'

/**
 * Every move a number transfer can make. What is over stays so: another try is another request. A new one that has never left
 * is called off at once; any other goes on, or comes to its end, when the network says that it's too late.
 */
export const portingTransitions: Transitions<PortingStatus, PortingEvent> = {
  NEW: {
    submitted: 'SUBMITTED',
    completed: 'COMPLETED',
    failed: 'FAILED',
    cancel: 'CANCELLING',
    cancelled: 'CANCELLED',
  },
  SUBMITTED: { completed: 'COMPLETED', failed: 'FAILED', cancel: 'CANCELLING' },
  CANCELLING: { completed: 'COMPLETED', failed: 'FAILED', cancel_refused: 'SUBMITTED', cancelled: 'CANCELLED' },
  COMPLETED: {},
  FAILED: {},
  CANCELLED: {},
}

export const portingStatuses = Object.keys(portingTransitions) as PortingStatus[]

/** Nothing will move any more. */
export const isOver = (status: PortingStatus): boolean => isFinal(portingTransitions, status)

/** Over, and the number has not come: it may be asked for again. */
export const hasNotCome = (status: PortingStatus): boolean => isOver(status) && status !== 'COMPLETED'
