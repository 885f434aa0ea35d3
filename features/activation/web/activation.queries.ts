import type { Api } from '#kit/contract/endpoint.ts'
import { ApiError } from '#kit/contract/errors.ts'
import type { Place } from '#kit/web/page.ts'
import { type QueryClient, queryOptions } from '#kit/web/query/query-client.ts'
import { type Activation, pollActivation, readActivation } from '../activation.contract.ts'
import { pageOfState, type WizardState } from '../activation.states.ts'

const key = ['activation']

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
}

/** BACK: the state changes here and nowhere else; a reload brings back the server's. */
export function goBackTo(client: QueryClient, state: WizardState | null): void {
  const activation = client.getQueryData<Activation | null>(key)
  client.setQueryData(key, state && activation ? { ...activation, state } : null)
}

/** Asks the server again: another tab has moved on. What was known stays until the answer is there. */
export const reloadActivation = (api: Api, client: QueryClient): Promise<void> =>
  client.refetchQuery(activationQuery(api))

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
  const activation = client.getQueryData<Activation | null>(key)
  if (activation === undefined) return null
  const page = activation ? pageOfState[activation.state] : '/activate/'
  return page === path ? null : page
}
