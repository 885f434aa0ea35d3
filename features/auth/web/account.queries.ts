import type { Api } from '#kit/contract/endpoint.ts'
import { queryOptions } from '#kit/web/query/query-client.ts'
import { readAccount } from '../auth.contract.ts'

/** Who is signed in; asked once (spec 4, "User auth"). */
export const accountQuery = (api: Api) =>
  queryOptions({ queryKey: ['account'], queryFn: async () => (await api.call(readAccount, {})).data, staleTime: Infinity })
