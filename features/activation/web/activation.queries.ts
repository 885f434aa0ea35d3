import type { Api } from '#kit/contract/endpoint.ts'
import { ApiError } from '#kit/contract/errors.ts'
import type { Place } from '#kit/web/page.ts'
import { type QueryClient, type QueryKey, queryOptions } from '#kit/web/query/query-client.ts'
import { type Activation, pollActivation, readActivation } from '../activation.contract.ts'
import {
  pageOfState,
  simPage,
  stepsBefore,
  type WizardPath,
  type WizardState,
  wizardStates,
} from '../activation.states.ts'

const key: QueryKey<Activation | null> = ['activation']

/**
 * The step that is shown in place of the one where the server stands, when the visitor has gone back to it: that is this
 * tab's alone (spec 4). Its state is null for the SIM step.
 */
const shownKey: QueryKey<{ state: WizardState | null } | null> = ['activation-shown']

/** The visitor's activation, null when they have none. What a step answered is fresher than any reading of it. */
export const activationQuery = (api: Api) =>
  queryOptions<Activation | null>({
    queryKey: key,
    queryFn: () => noneFor404(api.call(readActivation, {})),
    staleTime: Infinity,
  })

/** The activation, polled while it is under way: 1 second after the start, then every 3 seconds (spec 4). */
export const activationPoll = (api: Api) =>
  queryOptions<Activation | null>({
    queryKey: key,
    queryFn: () => noneFor404(api.call(pollActivation, {})),
    staleTime: Infinity,
    refetchInterval: (activation) => (activation?.activation_state === 'NOT_STARTED' ? 1_000 : 3_000),
  })

async function noneFor404(answer: Promise<{ data: Activation }>): Promise<Activation | null> {
  try {
    return (await answer).data
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null
    throw error
  }
}

/** What a step answered: every screen of the wizard goes by it from now on. */
export const setActivation = (client: QueryClient, activation: Activation | null): void => {
  client.setQueryData(key, activation)
  client.setQueryData(shownKey, null)
}

/** Shows a step that lies behind, or again where the server stands; any other step is not there to be shown. */
export function showStep(client: QueryClient, state: WizardState | null, path: WizardPath): void {
  const reached = stepOf(client.getQueryData(key))
  if (!reached) return
  if (state === reached) client.setQueryData(shownKey, null)
  else if (stepsBefore(reached, path).includes(state)) client.setQueryData(shownKey, { state })
}

/** The step an activation stands at, unless it is past all of them: from a payment that is open nothing leads back. */
const stepOf = (activation: Activation | null | undefined): WizardState | undefined =>
  activation?.retry ? undefined : wizardStates.find((state) => state === activation?.state)

/** Asks the server again: another tab has moved on. What was known stays until the answer is there. */
export async function reloadActivation(api: Api, client: QueryClient): Promise<void> {
  await client.refetchQuery(activationQuery(api))
  client.setQueryData(shownKey, null)
}

/**
 * A conflict means that the activation has moved on elsewhere, in another tab perhaps: the state is asked for again.
 * Every other failure is thrown, for the form.
 */
export async function reloadIfMovedOn(api: Api, client: QueryClient, failure: unknown): Promise<void> {
  if (!(failure instanceof ApiError) || failure.status !== 409) throw failure
  await reloadActivation(api, client)
}

/** Where the activation's state puts its visitor; a page that matches stays. Unknown while loading or after a failure. */
export function wizardRedirect(client: QueryClient, { path }: Pick<Place, 'path'>): string | null {
  const activation = client.getQueryData(key)
  if (activation === undefined) return null
  const shown = stepOf(activation) && client.getQueryData(shownKey)
  const state = shown ? shown.state : activation && activation.state
  const page = state ? pageOfState[state] : simPage
  return page === path ? null : page
}
