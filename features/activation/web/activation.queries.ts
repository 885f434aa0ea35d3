import type { Api } from '#kit/contract/endpoint.ts'
import { ApiError } from '#kit/contract/errors.ts'
import type { PageLocation } from '#kit/web/page.ts'
import { type QueryClient, type QueryKey, queryOptions } from '#kit/web/query/query-client.ts'
import { type Activation, pollActivation, readActivation } from '../activation.contract.ts'
import {
  pageByState,
  simStepPath,
  listPreviousSteps,
  type WizardPath,
  type WizardState,
  wizardStates,
} from '../activation.states.ts'

const activationKey: QueryKey<Activation | null> = ['activation']

/**
 * The earlier step that this tab shows after BACK, in place of the server's current step (specification 4). A `null`
 * state means the SIM step.
 */
const shownStepKey: QueryKey<{ state: WizardState | null } | null> = ['activation-shown']

/**
 * Loads the visitor's activation; the data is `null` if there is none. The data never goes stale, because every step
 * stores its response here.
 */
export const activationQuery = (api: Api) =>
  queryOptions<Activation | null>({
    queryKey: activationKey,
    queryFn: () => nullOnNotFound(api.call(readActivation, {})),
    staleTime: Infinity,
  })

/** Polls an activation in progress: every second until it starts, then every 3 seconds (specification 4). */
export const activationPollQuery = (api: Api) =>
  queryOptions<Activation | null>({
    queryKey: activationKey,
    queryFn: () => nullOnNotFound(api.call(pollActivation, {})),
    staleTime: Infinity,
    refetchInterval: (activation) => (activation?.activation_state === 'NOT_STARTED' ? 1_000 : 3_000),
  })

async function nullOnNotFound(response: Promise<{ data: Activation }>): Promise<Activation | null> {
  try {
    return (await response).data
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null
    throw error
  }
}

export const setActivation = (client: QueryClient, activation: Activation | null): void => {
  client.setQueryData(activationKey, activation)
  client.setQueryData(shownStepKey, null)
}

export function showStep(client: QueryClient, state: WizardState | null, path: WizardPath): void {
  const currentStep = getWizardState(client.getQueryData(activationKey))
  if (!currentStep) return
  if (state === currentStep) client.setQueryData(shownStepKey, null)
  else if (listPreviousSteps(currentStep, path).includes(state)) client.setQueryData(shownStepKey, { state })
}

/**
 * Returns an activation's current wizard step. Returns `undefined` after the last step and while a payment is open,
 * because the visitor cannot go back then.
 */
const getWizardState = (activation: Activation | null | undefined): WizardState | undefined =>
  activation?.retry ? undefined : wizardStates.find((state) => state === activation?.state)

export async function reloadActivation(api: Api, client: QueryClient): Promise<void> {
  await client.refetchQuery(activationQuery(api))
  client.setQueryData(shownStepKey, null)
}

export async function reloadOnConflict(api: Api, client: QueryClient, failure: unknown): Promise<void> {
  if (!(failure instanceof ApiError) || failure.status !== 409) throw failure
  await reloadActivation(api, client)
}

/**
 * Returns the page for the activation's state, or `null` if the visitor is already there. Also returns `null` while the
 * activation is loading or if it failed to load.
 */
export function wizardRedirect(client: QueryClient, { path }: Pick<PageLocation, 'path'>): string | null {
  const activation = client.getQueryData(activationKey)
  if (activation === undefined) return null
  const shownStep = getWizardState(activation) && client.getQueryData(shownStepKey)
  const state = shownStep ? shownStep.state : activation && activation.state
  const page = state ? pageByState[state] : simStepPath
  return page === path ? null : page
}
