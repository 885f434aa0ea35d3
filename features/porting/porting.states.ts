import { isFinalState, type TransitionTable } from '#kit/contract/transitions.ts'

/** The transfer statuses that customers see (spec 4), with their numbers in API responses. */
export const portingStatusCodes = { NEW: 1, SUBMITTED: 2, COMPLETED: 3, FAILED: 4 } as const
export type VisiblePortingStatus = keyof typeof portingStatusCodes

export type PortingStatus = VisiblePortingStatus | 'CANCELLING' | 'CANCELLED'

/**
 * Customers see a transfer as in progress until the network has accepted or refused a cancellation. A cancelled
 * transfer appears as failed, with its own reason.
 */
const visibleStatusByStatus: Record<PortingStatus, VisiblePortingStatus> = {
  NEW: 'NEW',
  SUBMITTED: 'SUBMITTED',
  CANCELLING: 'SUBMITTED',
  COMPLETED: 'COMPLETED',
  FAILED: 'FAILED',
  CANCELLED: 'FAILED',
}

export const toWireStatus = (status: PortingStatus): 1 | 2 | 3 | 4 => portingStatusCodes[visibleStatusByStatus[status]]

export function parseWireStatus(status: 1 | 2 | 3 | 4): VisiblePortingStatus {
  const names = Object.keys(portingStatusCodes) as VisiblePortingStatus[]
  return names.find((name) => portingStatusCodes[name] === status) ?? 'NEW'
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
export const portingTransitions: TransitionTable<PortingStatus, PortingEvent> = {
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

export const isTransferOver = (status: PortingStatus): boolean => isFinalState(portingTransitions, status)

export const hasEndedWithoutTransfer = (status: PortingStatus): boolean =>
  isTransferOver(status) && status !== 'COMPLETED'
