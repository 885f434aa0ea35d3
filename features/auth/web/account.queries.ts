import type { Api } from '#kit/contract/endpoint.ts'
import { type QueryClient, queryOptions } from '#kit/web/query/query-client.ts'
import { readAccount } from '../auth.contract.ts'

/** Loads the visitor's account only once (specification 4, “User auth”). */
export const accountQuery = (api: Api) =>
  queryOptions({
    queryKey: ['account'],
    queryFn: async () => (await api.call(readAccount, {})).data,
    staleTime: Infinity,
  })

export const reloadAccount = (api: Api, client: QueryClient): Promise<void> => client.refetchQuery(accountQuery(api))
