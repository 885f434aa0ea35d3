import { expect, test } from 'vitest'
import { movesOf, nextState } from '#kit/contract/transitions.ts'
import {
  isOver,
  type PortingEvent,
  portingStatus,
  portingTransitions,
  type PortingStatus,
  statusNamed,
} from './porting.states.ts'

const all = Object.keys(portingStatus) as PortingStatus[]
const events: PortingEvent[] = ['submitted', 'completed', 'failed']

test('a status has the number of the spec on the wire, and its name back', () => {
  expect(portingStatus).toEqual({ NEW: 1, SUBMITTED: 2, COMPLETED: 3, FAILED: 4 })
  expect(all.map((status) => statusNamed(portingStatus[status]))).toEqual(all)
})

test('a transfer goes forward only, and its end is final', () => {
  const moves = all.flatMap((from) =>
    events.flatMap((event) => {
      const to = nextState(portingTransitions, from, event)
      return to ? [`${from} ${to}`] : []
    }),
  )
  expect(moves).toEqual(['NEW SUBMITTED', 'NEW COMPLETED', 'NEW FAILED', 'SUBMITTED COMPLETED', 'SUBMITTED FAILED'])
  expect(all.filter(isOver)).toEqual(['COMPLETED', 'FAILED'])
})

test('each piece of news leads to one status', () =>
  expect(events.map((event) => movesOf(portingTransitions, event).to)).toEqual(['SUBMITTED', 'COMPLETED', 'FAILED']))
