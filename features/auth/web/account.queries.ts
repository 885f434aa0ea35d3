import type { Api } from '#kit/contract/endpoint.ts'
import { type QueryClient, queryOptions } from '#kit/web/query/query-client.ts'
import { readAccount } from '../auth.contract.ts'

/** Who is signed in; asked once (spec 4, "User auth"). */
export const accountQuery = (api: Api) =>
  queryOptions({
    queryKey: ['account'],
    queryFn: async () => (await api.call(readAccount, {})).data,
    staleTime: Infinity,
  })

/** Asks anew: something of the customer has changed that only the server knows. Done when there is an answer or a failure. */
export const reloadAccount = (api: Api, client: QueryClient): Promise<void> => client.refetchQuery(accountQuery(api))
