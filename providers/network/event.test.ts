import { expect, test } from 'vitest'
import { readEvent } from './event.ts'

test('readEvent returns a network event’s id, and the external id and state of its order', () => {
  expect(
    readEvent({
      eventId: 'e-1',
      eventType: 'ServiceOrderStateChangeEvent',
      event: { serviceOrder: { id: '7', externalId: 'A-1', state: 'completed' } },
    }),
  ).toEqual({ eventId: 'e-1', externalId: 'A-1', state: 'completed' })
})

test.each([[undefined], [null], [7], [''], ['x'.repeat(101)]])(
  'a network event with the state %j has no state',
  (state) => {
    expect(readEvent({ eventId: 'e-1', event: { serviceOrder: { externalId: 'A-1', state } } })).toMatchObject({
      externalId: 'A-1',
      state: null,
    })
  },
)

test.each([
  [undefined],
  ['text'],
  [[]],
  [{ eventId: 'e-1' }],
  [{ event: { serviceOrder: { externalId: 'A-1' } } }],
  [{ eventId: 7, event: { serviceOrder: { externalId: 'A-1' } } }],
  [{ eventId: 'e-1', event: { serviceOrder: { externalId: '' } } }],
  [{ eventId: 'e-1', event: { serviceOrder: { externalId: 'x'.repeat(101) } } }],
])('%j is not a valid network event', (body) => {
  expect(readEvent(body)).toBeNull()
})
