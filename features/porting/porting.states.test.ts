import { expect, test } from 'vitest'
import { movesOf, nextState } from '#kit/contract/transitions.ts'
import {
  hasNotCome,
  isOver,
  type PortingEvent,
  portingStatus,
  portingStatuses,
  portingTransitions,
  statusNamed,
  type ToldStatus,
  wireStatus,
} from './porting.states.ts'

const told = Object.keys(portingStatus) as ToldStatus[]
const events: PortingEvent[] = ['submitted', 'completed', 'failed', 'cancel', 'cancel_refused', 'cancelled']

test('a status has the number of the spec on the wire, and its name back', () => {
  expect(portingStatus).toEqual({ NEW: 1, SUBMITTED: 2, COMPLETED: 3, FAILED: 4 })
  expect(told.map((status) => statusNamed(portingStatus[status]))).toEqual(told)
})

test('what is being called off is under way for its customer, and what was has failed', () => {
  expect(portingStatuses.map((status) => [status, wireStatus(status)])).toEqual([
    ['NEW', 1],
    ['SUBMITTED', 2],
    ['CANCELLING', 2],
    ['COMPLETED', 3],
    ['FAILED', 4],
    ['CANCELLED', 4],
  ])
})

test('a transfer goes forward, but for one that it was too late to call off; its end is final', () => {
  const moves = portingStatuses.map((from) =>
    [from, ...events.flatMap((event) => nextState(portingTransitions, from, event) ?? [])].join(' '),
  )
  expect(moves).toEqual([
    'NEW SUBMITTED COMPLETED FAILED CANCELLING CANCELLED',
    'SUBMITTED COMPLETED FAILED CANCELLING',
    'CANCELLING COMPLETED FAILED SUBMITTED CANCELLED',
    'COMPLETED',
    'FAILED',
    'CANCELLED',
  ])
  expect(portingStatuses.filter(isOver)).toEqual(['COMPLETED', 'FAILED', 'CANCELLED'])
  expect(portingStatuses.filter(hasNotCome)).toEqual(['FAILED', 'CANCELLED'])
})

test('each event leads to one status', () =>
  expect(events.map((event) => movesOf(portingTransitions, event).to)).toEqual([
    'SUBMITTED',
    'COMPLETED',
    'FAILED',
    'CANCELLING',
    'SUBMITTED',
    'CANCELLED',
  ]))
