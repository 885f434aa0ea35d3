import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  acceptsStep,
  type ActivationState,
  activationStates,
  stateAfterMethod,
  stateAfterPlan,
  stateAfterPort,
  stateAfterSignup,
  stateAfterSim,
  pageByState,
  skipSignup,
  getPreviousState,
  listPreviousSteps,
  type WizardState,
  wizardStates,
  type WizardStep,
  wizardSteps,
} from './activation.states.ts'

describe('the page for each activation state', () => {
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

  test.each(activationStates)('the activation state %s has its own page', (state) =>
    expect(pageByState[state]).toBe(pages[state]),
  )
})

describe('the steps of the activation wizard', () => {
  const acceptedIn: Record<WizardStep, WizardState[]> = {
    port: ['PORTING_ENTERED', 'CREATED', 'DETAILS_ENTERED', 'METHOD_ENTERED', 'PAYMENT'],
    signup: ['CREATED', 'DETAILS_ENTERED', 'METHOD_ENTERED', 'PAYMENT'],
    method: ['DETAILS_ENTERED', 'METHOD_ENTERED', 'PAYMENT'],
    plan: ['METHOD_ENTERED', 'PAYMENT'],
  }

  test.each(wizardSteps)(
    'accepts the step %s in its own state and in later states, but not in earlier ones',
    (step) => {
      expect(wizardStates.filter((state) => acceptsStep(state, step))).toEqual(acceptedIn[step])
    },
  )

  test('submitting a wizard step moves the activation to the state for the next step', () => {
    expect(stateAfterSim({ porting: true, signedIn: false })).toBe('PORTING_ENTERED')
    expect(stateAfterSim({ porting: false, signedIn: false })).toBe('CREATED')
    expect(stateAfterPort({ signedIn: false })).toBe('CREATED')
    expect(stateAfterSignup()).toBe('DETAILS_ENTERED')
    expect(stateAfterMethod('payment')).toBe('METHOD_ENTERED')
    expect(stateAfterPlan()).toBe('PAYMENT')
  })

  test.each(wizardStates)('signing in at %s does not change the state, except to skip the sign-up', (state) => {
    expect(skipSignup(state)).toBe(state === 'CREATED' ? 'DETAILS_ENTERED' : state)
  })

  test('a signed-in customer skips the sign-up, and a visitor with a voucher skips the choice of a plan', () => {
    expect(stateAfterSim({ porting: true, signedIn: true })).toBe('PORTING_ENTERED')
    expect(stateAfterSim({ porting: false, signedIn: true })).toBe('DETAILS_ENTERED')
    expect(stateAfterPort({ signedIn: true })).toBe('DETAILS_ENTERED')
    expect(stateAfterMethod('voucher')).toBe('PAYMENT')
  })
})

type Path = { porting: boolean; signedIn: boolean; voucher: boolean }
const visitor: Path = { porting: false, signedIn: false, voucher: false }

describe('the BACK button in the activation wizard', () => {
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
  ])('BACK from %s with %o leads to %s', (state, path, before) => expect(getPreviousState(state, path)).toBe(before))

  const paths = fc.record({ porting: fc.boolean(), signedIn: fc.boolean(), voucher: fc.boolean() })

  test('pressing BACK repeatedly takes the visitor through all earlier steps in reverse order', () => {
    fc.assert(
      fc.property(paths, (path) => {
        const way = wayOf(path)
        expect(wayBack('PAYMENT', path)).toEqual(way.toReversed())
      }),
    )
  })

  test('stepsBefore() lists all earlier wizard steps in reverse order, ending with the SIM step', () => {
    fc.assert(
      fc.property(paths, (path) => {
        const way = wayOf(path)
        expect(listPreviousSteps('PAYMENT', path)).toEqual([...way.slice(0, -1).toReversed(), null])
      }),
    )
  })

  test('the BACK button leads only to steps that the server accepts', () => {
    const asked: Partial<Record<WizardState, WizardStep>> = {
      PORTING_ENTERED: 'port',
      CREATED: 'signup',
      DETAILS_ENTERED: 'method',
      METHOD_ENTERED: 'plan',
    }
    fc.assert(
      fc.property(paths, fc.constantFrom(...wizardStates), (path, state) => {
        const before = getPreviousState(state, path)
        const step = before && asked[before]
        expect(before === null || (step && acceptsStep(state, step))).toBe(true)
      }),
    )
  })
})

function wayOf(path: Path): WizardState[] {
  const method = path.voucher ? 'voucher' : 'payment'
  const first = stateAfterSim(path)
  const identity: WizardState[] = path.signedIn ? [] : ['CREATED']
  return [
    ...new Set<WizardState>([
      first,
      ...(first === 'PORTING_ENTERED' ? [stateAfterPort(path)] : []),
      ...identity,
      'DETAILS_ENTERED',
      stateAfterMethod(method),
      stateAfterPlan(),
    ]),
  ]
}

function wayBack(from: WizardState, path: Path): WizardState[] {
  const way = [from]
  for (let state = getPreviousState(from, path); state; state = getPreviousState(state, path)) way.push(state)
  return way
}
