import type { Api } from '#kit/contract/endpoint.ts'
import { type QueryClient, type QueryKey, queryOptions } from '#kit/web/query/query-client.ts'
import type { Activation } from '#features/activation/activation.contract.ts'
import type { readFinishedActivation } from '#features/activation/finished-activation.contract.ts'

/** Cache key of `activationQuery`. It is repeated here, because importing the query would add its contract to every entry script. */
const activationKey: QueryKey<Activation | null> = ['activation']
const finishedActivationKey: QueryKey<{ finished: boolean }> = ['activation-finished']

export const finishedActivationQuery = (api: Api, endpoint: typeof readFinishedActivation) =>
  queryOptions({ queryKey: finishedActivationKey, queryFn: async () => (await api.call(endpoint, {})).data })

export function hasFinishedActivation(client: QueryClient): boolean {
  const activation = client.getQueryData(activationKey)
  if (activation !== undefined) return activation?.state === 'SUCCESSFUL'
  return client.getQueryData(finishedActivationKey)?.finished ?? false
}
