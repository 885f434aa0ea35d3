import type { Api } from '#kit/contract/endpoint.ts'
import { queryOptions } from '#kit/web/query/query-client.ts'
import { caller } from '../callers.contract.ts'

/** How it stands with whoever is on the phone. */
export const callerQuery = (api: Api, id: string) =>
  queryOptions({
    queryKey: ['caller', id],
    queryFn: async () => (await api.call(caller, { params: { id } })).data,
  })
