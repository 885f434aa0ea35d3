import { isFinal, type Transitions } from '#kit/contract/transitions.ts'

/** The transfer statuses that customers see (spec 4), with their numbers in API responses. */
export const portingStatus = { NEW: 1, SUBMITTED: 2, COMPLETED: 3, FAILED: 4 } as const
export type VisibleStatus = keyof typeof portingStatus

export type PortingStatus = VisibleStatus | 'CANCELLING' | 'CANCELLED'

/**
 * Customers see a transfer as in progress until the network has accepted or refused a cancellation. A cancelled
 * transfer appears as failed, with its own reason.
 */
const visibleStatusOf: Record<PortingStatus, VisibleStatus> = {
  NEW: 'NEW',
  SUBMITTED: 'SUBMITTED',
  CANCELLING: 'SUBMITTED',
  COMPLETED: 'COMPLETED',
  FAILED: 'FAILED',
  CANCELLED: 'FAILED',
}

export const wireStatus = (status: PortingStatus): 1 | 2 | 3 | 4 => portingStatus[visibleStatusOf[status]]

export function statusFromWire(status: 1 | 2 | 3 | 4): VisibleStatus {
  const names = Object.keys(portingStatus) as VisibleStatus[]
  return names.find((name) => portingStatus[name] === status) ?? 'NEW'
}

/**
 * The current step of a number transfer. In `information`, we need corrected details from the customer; in `reply`, the
 * customer's confirmation.
 */
export type PortStep = 'sent' | 'information' | 'reply' | 'moving' | 'moved'

export type PortingEvent = 'submitted' | 'completed' | 'failed' | 'cancel' | 'cancel_refused' | 'cancelled'

/**
 * All state transitions of a number transfer. Final states never change, so a retry is a new request. A `NEW` transfer
 * that was never submitted is cancelled at once. In any other state, the network decides whether the cancellation
 * succeeds.
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

export const isTransferOver = (status: PortingStatus): boolean => isFinal(portingTransitions, status)

export const hasEndedWithoutTransfer = (status: PortingStatus): boolean =>
  isTransferOver(status) && status !== 'COMPLETED'
