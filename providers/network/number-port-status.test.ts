import { expect, test } from 'vitest'
import {
  defaultStatusBySubState,
  toStatusNames,
  portStatus,
  parseStatusNames,
  getPortOrderStatus,
} from './number-port-status.ts'

const { NEW, SUBMITTED, COMPLETED, FAILED } = portStatus

test('the four number transfer statuses have the numbers that the portal’s API uses', () => {
  expect(portStatus).toEqual({ NEW: 1, SUBMITTED: 2, COMPLETED: 3, FAILED: 4 })
})

test.each([
  ['running', 'draft', NEW],
  ['running', 'requested', NEW],
  ['running', 'informationRequired', NEW],
  ['running', 'awaitingCustomerReply', SUBMITTED],
  ['running', 'confirmed', SUBMITTED],
  ['running', 'inProgress', SUBMITTED],
  ['completed', 'completed', COMPLETED],
  ['failed', 'declined', FAILED],
  ['failed', 'expired', FAILED],
  ['failed', 'cancelled', FAILED],
  ['running', null, SUBMITTED],
  ['running', 'toString', SUBMITTED],
  ['completed', null, COMPLETED],
  ['failed', 'inProgress', FAILED],
  // A network may report the order as completed although the number transfer was declined.
  ['completed', 'declined', FAILED],
] as const)('a %s order whose number transfer is %s has the status %i', (state, subState, status) => {
  expect(getPortOrderStatus({ state, subState })).toBe(status)
})

test('the mapping from sub-states to number transfer statuses can be configured', () => {
  const rollUp = { ...defaultStatusBySubState, confirmed: NEW, portedOut: FAILED }
  expect(getPortOrderStatus({ state: 'running', subState: 'confirmed' }, rollUp)).toBe(NEW)
  expect(getPortOrderStatus({ state: 'running', subState: 'portedOut' }, rollUp)).toBe(FAILED)
})

test('a number transfer with sub-state completed counts as completed even if its order is reported as failed', () =>
  expect(getPortOrderStatus({ state: 'failed', subState: 'completed' })).toBe(COMPLETED))

test('the sub-state mapping can use the statuses’ names instead of their numbers', () => {
  expect(parseStatusNames({ accepted: 'SUBMITTED', ported: 'COMPLETED', barred: 'FAILED', entered: 'NEW' })).toEqual({
    accepted: 2,
    ported: 3,
    barred: 4,
    entered: 1,
  })
  expect(toStatusNames({ accepted: SUBMITTED, ported: COMPLETED, barred: FAILED, entered: NEW })).toEqual({
    accepted: 'SUBMITTED',
    ported: 'COMPLETED',
    barred: 'FAILED',
    entered: 'NEW',
  })
})

test('converting the default mapping to names and back does not change it', () =>
  expect(parseStatusNames(toStatusNames(defaultStatusBySubState))).toEqual(defaultStatusBySubState))
