import { describe, expect, test } from 'vitest'
import { nextState } from '#kit/contract/transitions.ts'
import { type ChangeEmailEvent, type ChangeEmailState, changeEmailTransitions } from './change-email.states.ts'

const states = Object.keys(changeEmailTransitions) as ChangeEmailState[]
const after = (state: ChangeEmailState): ChangeEmailState[] => [
  ...new Set(Object.values(changeEmailTransitions[state])),
]

/** Every state that can follow, however much later; the state itself too. */
function everAfter(start: ChangeEmailState): Set<ChangeEmailState> {
  const seen = new Set([start])
  for (const state of seen) for (const next of after(state)) seen.add(next)
  return seen
}

test('the states are those of the spec', () =>
  expect(states.toSorted()).toEqual(['CANCELED', 'CREATED', 'EXPIRED', 'FINISHED', 'REQUESTED', 'VERIFIED']))

test('every state can be reached', () => expect([...everAfter('CREATED')].toSorted()).toEqual(states.toSorted()))

describe('a request', () => {
  test.each(states.filter((state) => state !== 'FINISHED' && state !== 'CANCELED'))(
    'that is %s can still be finished, and ended',
    (state) => {
      expect([...everAfter(state)]).toEqual(expect.arrayContaining(['FINISHED', 'CANCELED']))
    },
  )

  test.each(['FINISHED', 'CANCELED'] as const)('that is %s stays so', (state) => expect(after(state)).toEqual([]))

  test('becomes VERIFIED by a PIN in time only, and FINISHED by the link only', () => {
    const waysTo = (to: ChangeEmailState) =>
      states.flatMap((from) =>
        Object.entries(changeEmailTransitions[from])
          .filter(([, state]) => state === to)
          .map(([event]) => `${from} ${event}`),
      )
    expect(waysTo('VERIFIED')).toEqual(['REQUESTED pin_right', 'VERIFIED link_resent'])
    expect(waysTo('FINISHED')).toEqual(['VERIFIED link_followed'])
  })
})

// Written out by hand, so that a slip in the table shows here.
const listed: Record<ChangeEmailState, Partial<Record<ChangeEmailEvent, ChangeEmailState>>> = {
  CREATED: { ask: 'REQUESTED' },
  REQUESTED: {
    pin_right: 'VERIFIED',
    pin_wrong_too_often: 'CANCELED',
    pin_too_old: 'EXPIRED',
    pin_resent: 'REQUESTED',
    replaced: 'CANCELED',
  },
  EXPIRED: { pin_resent: 'REQUESTED', replaced: 'CANCELED', lapsed: 'CANCELED' },
  VERIFIED: {
    link_resent: 'VERIFIED',
    link_followed: 'FINISHED',
    address_taken: 'CANCELED',
    replaced: 'CANCELED',
    lapsed: 'CANCELED',
  },
  FINISHED: {},
  CANCELED: {},
}
const events: ChangeEmailEvent[] = [
  'ask',
  'pin_right',
  'pin_wrong_too_often',
  'pin_too_old',
  'pin_resent',
  'link_resent',
  'link_followed',
  'address_taken',
  'replaced',
  'lapsed',
]

describe.each(states)('%s', (state) => {
  test.each(events)('takes %s as it is listed, or not at all', (event) =>
    expect(nextState(changeEmailTransitions, state, event)).toBe(listed[state][event] ?? null),
  )
})
