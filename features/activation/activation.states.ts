/**
 * The states of an activation (specification 4). Each one has its own page. A visitor who has not started an activation is in none of these
 * states.
 */
export const activationStates = [
  'PORTING_ENTERED',
  'CREATED',
  'DETAILS_ENTERED',
  'METHOD_ENTERED',
  'PAYMENT',
  'ACTIVATING',
  'ERROR_CAN_RETRY',
  'SUCCESSFUL',
  'PERMANENTLY_FAILED',
] as const
export type ActivationState = (typeof activationStates)[number]

export const activationStages = [
  'NOT_STARTED',
  'ACTIVATING_SIM',
  'ADDING_PLAN',
  'PROCESSING_PAYMENT',
  'FINISHING',
] as const
export type ActivationStage = (typeof activationStages)[number]

export const wizardStates = ['PORTING_ENTERED', 'CREATED', 'DETAILS_ENTERED', 'METHOD_ENTERED', 'PAYMENT'] as const
export type WizardState = (typeof wizardStates)[number]

export const wizardSteps = ['port', 'signup', 'method', 'plan'] as const
export type WizardStep = (typeof wizardSteps)[number]

const stateByStep: Record<WizardStep, WizardState> = {
  port: 'PORTING_ENTERED',
  signup: 'CREATED',
  method: 'DETAILS_ENTERED',
  plan: 'METHOD_ENTERED',
}

/**
 * Returns whether a step may be submitted. A step is accepted in its own state and, because the visitor may have gone back, in every later
 * wizard state.
 */
export function acceptsStep(state: WizardState, step: WizardStep): boolean {
  return wizardStates.indexOf(state) >= wizardStates.indexOf(stateByStep[step])
}

export const stateAfterSim = (path: { porting: boolean; signedIn: boolean }): WizardState =>
  path.porting ? 'PORTING_ENTERED' : stateAfterPort(path)

export const stateAfterPort = (path: { signedIn: boolean }): WizardState =>
  path.signedIn ? 'DETAILS_ENTERED' : 'CREATED'
export const skipSignup = (state: WizardState): WizardState =>
  state === 'CREATED' ? stateAfterPort({ signedIn: true }) : state
export const stateAfterSignup = (): WizardState => 'DETAILS_ENTERED'
/** A voucher already determines the plan, so skip the plan step. */
export const stateAfterMethod = (method: 'voucher' | 'payment'): WizardState =>
  method === 'voucher' ? 'PAYMENT' : 'METHOD_ENTERED'
export const stateAfterPlan = (): WizardState => 'PAYMENT'

export const simStepPath = '/activate/'

/** Which page shows each activation state (specification 4). */
export const pageByState: Record<ActivationState, string> = {
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

export type WizardPath = { porting: boolean; signedIn: boolean; voucher: boolean }

/**
 * Returns the state that BACK leads to in this tab; `null` means the SIM step. When paying with a voucher, BACK on the checkout skips the
 * plan step and leads to the payment method.
 */
export function getPreviousState(state: WizardState, path: WizardPath): WizardState | null {
  const previousStep = path.signedIn ? (path.porting ? 'PORTING_ENTERED' : null) : 'CREATED'
  switch (state) {
    case 'PORTING_ENTERED':
      return null
    case 'CREATED':
      return path.porting ? 'PORTING_ENTERED' : null
    case 'DETAILS_ENTERED':
      return previousStep
    case 'METHOD_ENTERED':
      return 'DETAILS_ENTERED'
    case 'PAYMENT':
      return path.voucher ? 'DETAILS_ENTERED' : 'METHOD_ENTERED'
  }
}

export function listPreviousSteps(state: WizardState, path: WizardPath): (WizardState | null)[] {
  const previousState = getPreviousState(state, path)
  return previousState === null ? [null] : [previousState, ...listPreviousSteps(previousState, path)]
}
