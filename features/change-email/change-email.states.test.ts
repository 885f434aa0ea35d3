import { describe, expect, test } from 'vitest'
import { getNextState } from '#kit/contract/transitions.ts'
import { type EmailChangeEvent, type EmailChangeState, emailChangeTransitions } from './change-email.states.ts'

const states = Object.keys(emailChangeTransitions) as EmailChangeState[]
const after = (state: EmailChangeState): EmailChangeState[] => [
  ...new Set(Object.values(emailChangeTransitions[state])),
]

function everAfter(start: EmailChangeState): Set<EmailChangeState> {
  const seen = new Set([start])
  for (const state of seen) for (const next of after(state)) seen.add(next)
  return seen
}

test('an email change has the six states listed in the specification', () =>
  expect(states.toSorted()).toEqual(['CANCELED', 'CREATED', 'EXPIRED', 'FINISHED', 'REQUESTED', 'VERIFIED']))

test('every email change state can be reached', () =>
  expect([...everAfter('CREATED')].toSorted()).toEqual(states.toSorted()))

describe('transitions between email change states', () => {
  test.each(states.filter((state) => state !== 'FINISHED' && state !== 'CANCELED'))(
    'an email change in state %s can still be finished or cancelled',
    (state) => {
      expect([...everAfter(state)]).toEqual(expect.arrayContaining(['FINISHED', 'CANCELED']))
    },
  )

  test.each(['FINISHED', 'CANCELED'] as const)('an email change in the state %s never changes again', (state) =>
    expect(after(state)).toEqual([]),
  )

  test('only a correct PIN verifies an email change, and only the link finishes it', () => {
    const waysTo = (to: EmailChangeState) =>
      states.flatMap((from) =>
        Object.entries(emailChangeTransitions[from])
          .filter(([, state]) => state === to)
          .map(([event]) => `${from} ${event}`),
      )
    expect(waysTo('VERIFIED')).toEqual(['REQUESTED pin_right', 'VERIFIED link_resent'])
    expect(waysTo('FINISHED')).toEqual(['VERIFIED link_followed'])
  })
})

// The expected transitions are written out by hand, so that the test fails if the real ones change by accident.
const listed: Record<EmailChangeState, Partial<Record<EmailChangeEvent, EmailChangeState>>> = {
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
const events: EmailChangeEvent[] = [
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

describe.each(states)('an email change in the state %s', (state) => {
  test.each(events)('the event %s moves an email change to the listed state, or is rejected', (event) =>
    expect(getNextState(emailChangeTransitions, state, event)).toBe(listed[state][event] ?? null),
  )
})
