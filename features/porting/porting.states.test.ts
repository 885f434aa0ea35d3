import { expect, test } from 'vitest'
import { findTransition, getNextState } from '#kit/contract/transitions.ts'
import {
  hasEndedWithoutTransfer,
  isTransferOver,
  type PortingEvent,
  portingStatusCodes,
  portingStatuses,
  portingTransitions,
  parseWireStatus,
  type VisiblePortingStatus,
  toWireStatus,
} from './porting.states.ts'

const told = Object.keys(portingStatusCodes) as VisiblePortingStatus[]
const events: PortingEvent[] = ['submitted', 'completed', 'failed', 'cancel', 'cancel_refused', 'cancelled']

test('each porting status shown to customers converts to its number in the specification, and the number converts back', () => {
  expect(portingStatusCodes).toEqual({ NEW: 1, SUBMITTED: 2, COMPLETED: 3, FAILED: 4 })
  expect(told.map((status) => parseWireStatus(portingStatusCodes[status]))).toEqual(told)
})

test('customers see a transfer that is being cancelled as in progress, and a cancelled transfer as failed', () => {
  expect(portingStatuses.map((status) => [status, toWireStatus(status)])).toEqual([
    ['NEW', 1],
    ['SUBMITTED', 2],
    ['CANCELLING', 2],
    ['COMPLETED', 3],
    ['FAILED', 4],
    ['CANCELLED', 4],
  ])
})

test('a transfer’s status only moves forward, except after a refused cancellation, and final statuses never change', () => {
  const moves = portingStatuses.map((from) =>
    [from, ...events.flatMap((event) => getNextState(portingTransitions, from, event) ?? [])].join(' '),
  )
  expect(moves).toEqual([
    'NEW SUBMITTED COMPLETED FAILED CANCELLING CANCELLED',
    'SUBMITTED COMPLETED FAILED CANCELLING',
    'CANCELLING COMPLETED FAILED SUBMITTED CANCELLED',
    'COMPLETED',
    'FAILED',
    'CANCELLED',
  ])
  expect(portingStatuses.filter(isTransferOver)).toEqual(['COMPLETED', 'FAILED', 'CANCELLED'])
  expect(portingStatuses.filter(hasEndedWithoutTransfer)).toEqual(['FAILED', 'CANCELLED'])
})

test('each porting event leads to exactly one status', () =>
  expect(events.map((event) => findTransition(portingTransitions, event).to)).toEqual([
    'SUBMITTED',
    'COMPLETED',
    'FAILED',
    'CANCELLING',
    'SUBMITTED',
    'CANCELLED',
  ]))
