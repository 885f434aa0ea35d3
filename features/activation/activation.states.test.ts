import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  acceptsStep,
  type ActivationState,
  activationStates,
  afterMethod,
  afterPlan,
  afterPort,
  afterSignup,
  afterSim,
  pageOfState,
  skipSignup,
  stateBefore,
  stepsBefore,
  type WizardState,
  wizardStates,
  type WizardStep,
  wizardSteps,
} from './activation.states.ts'

describe('the page of a state', () => {
  const pages: Record<ActivationState, string> = {
    PORTING_ENTERED: '/activate/porting/',
    CREATED: '/activate/signup/',
    DETAILS_ENTERED: '/activate/method/',
    METHOD_ENTERED: '/activate/plans/',
    PAYMENT: '/activate/checkout/',
    ACTIVATING: '/activate/processing/',
    ERROR_CAN_RETRY: '/activate/error/',
    SUCCESSFUL: '/activate/success/',
    PERMANENTLY_FAILED: '/activate/error/',
  }

  test.each(activationStates)('%s', (state) => expect(pageOfState[state]).toBe(pages[state]))
})

describe('a step', () => {
  const acceptedIn: Record<WizardStep, WizardState[]> = {
    port: ['PORTING_ENTERED', 'CREATED', 'DETAILS_ENTERED', 'METHOD_ENTERED', 'PAYMENT'],
    signup: ['CREATED', 'DETAILS_ENTERED', 'METHOD_ENTERED', 'PAYMENT'],
    method: ['DETAILS_ENTERED', 'METHOD_ENTERED', 'PAYMENT'],
    plan: ['METHOD_ENTERED', 'PAYMENT'],
  }

  test.each(wizardSteps)('%s is taken where it is asked for and later, never earlier', (step) => {
    expect(wizardStates.filter((state) => acceptsStep(state, step))).toEqual(acceptedIn[step])
  })

  test('leads to the next question', () => {
    expect(afterSim({ porting: true, signedIn: false })).toBe('PORTING_ENTERED')
    expect(afterSim({ porting: false, signedIn: false })).toBe('CREATED')
    expect(afterPort({ signedIn: false })).toBe('CREATED')
    expect(afterSignup()).toBe('DETAILS_ENTERED')
    expect(afterMethod('payment')).toBe('METHOD_ENTERED')
    expect(afterPlan()).toBe('PAYMENT')
  })

  test.each(wizardStates)('%s is where a visitor stays who signs in there, unless it asks who they are', (state) => {
    expect(skipSignup(state)).toBe(state === 'CREATED' ? 'DETAILS_ENTERED' : state)
  })

  test('leads past what is known: who a signed-in customer is, and which plan a voucher brings', () => {
    expect(afterSim({ porting: true, signedIn: true })).toBe('PORTING_ENTERED')
    expect(afterSim({ porting: false, signedIn: true })).toBe('DETAILS_ENTERED')
    expect(afterPort({ signedIn: true })).toBe('DETAILS_ENTERED')
    expect(afterMethod('voucher')).toBe('PAYMENT')
  })
})

type Path = { porting: boolean; signedIn: boolean; voucher: boolean }
const visitor: Path = { porting: false, signedIn: false, voucher: false }

describe('BACK', () => {
  test.each<[WizardState, Path, WizardState | null]>([
    ['PAYMENT', visitor, 'METHOD_ENTERED'],
    ['PAYMENT', { ...visitor, voucher: true }, 'DETAILS_ENTERED'],
    ['METHOD_ENTERED', visitor, 'DETAILS_ENTERED'],
    ['DETAILS_ENTERED', visitor, 'CREATED'],
    ['DETAILS_ENTERED', { ...visitor, signedIn: true, porting: true }, 'PORTING_ENTERED'],
    ['DETAILS_ENTERED', { ...visitor, signedIn: true }, null],
    ['CREATED', { ...visitor, porting: true }, 'PORTING_ENTERED'],
    ['CREATED', visitor, null],
    ['PORTING_ENTERED', { ...visitor, porting: true }, null],
  ])('from %s with %o leads to %s', (state, path, before) => expect(stateBefore(state, path)).toBe(before))

  const paths = fc.record({ porting: fc.boolean(), signedIn: fc.boolean(), voucher: fc.boolean() })

  test('retraces the way there, step by step', () => {
    fc.assert(
      fc.property(paths, (path) => {
        const way = wayOf(path)
        expect(wayBack('PAYMENT', path)).toEqual(way.toReversed())
      }),
    )
  })

  test('has every step behind it, and the SIM pack last', () => {
    fc.assert(
      fc.property(paths, (path) => {
        const way = wayOf(path)
        expect(stepsBefore('PAYMENT', path)).toEqual([...way.slice(0, -1).toReversed(), null])
      }),
    )
  })

  test('leads to nothing that the server would not take an answer to', () => {
    const asked: Partial<Record<WizardState, WizardStep>> = {
      PORTING_ENTERED: 'port',
      CREATED: 'signup',
      DETAILS_ENTERED: 'method',
      METHOD_ENTERED: 'plan',
    }
    fc.assert(
      fc.property(paths, fc.constantFrom(...wizardStates), (path, state) => {
        const before = stateBefore(state, path)
        const step = before && asked[before]
        expect(before === null || (step && acceptsStep(state, step))).toBe(true)
      }),
    )
  })
})

/** The states of the wizard in the order in which a visitor sees them who never goes back. */
function wayOf(path: Path): WizardState[] {
  const method = path.voucher ? 'voucher' : 'payment'
  const first = afterSim(path)
  const identity: WizardState[] = path.signedIn ? [] : ['CREATED']
  return [
    ...new Set<WizardState>([
      first,
      ...(first === 'PORTING_ENTERED' ? [afterPort(path)] : []),
      ...identity,
      'DETAILS_ENTERED',
      afterMethod(method),
      afterPlan(),
    ]),
  ]
}

function wayBack(from: WizardState, path: Path): WizardState[] {
  const way = [from]
  for (let state = stateBefore(from, path); state; state = stateBefore(state, path)) way.push(state)
  return way
}
