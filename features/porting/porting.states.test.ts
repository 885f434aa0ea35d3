import { expect, test } from 'vitest'
import {
  nextPortingStatus,
  portingStatus,
  portingTransitions,
  type PortingStatus,
  statusNamed,
} from './porting.states.ts'

const all = Object.keys(portingStatus) as PortingStatus[]

test('a status has the number of the spec on the wire, and its name back', () => {
  expect(portingStatus).toEqual({ NEW: 1, SUBMITTED: 2, COMPLETED: 3, FAILED: 4 })
  expect(all.map((status) => statusNamed(portingStatus[status]))).toEqual(all)
})

test('a transfer goes forward only, and its end is final', () => {
  const moves = all.flatMap((from) => all.filter((to) => nextPortingStatus(from, to)).map((to) => `${from} ${to}`))
  expect(moves).toEqual(['NEW SUBMITTED', 'NEW COMPLETED', 'NEW FAILED', 'SUBMITTED COMPLETED', 'SUBMITTED FAILED'])
  expect(all.filter((status) => portingTransitions[status].length === 0)).toEqual(['COMPLETED', 'FAILED'])
})
