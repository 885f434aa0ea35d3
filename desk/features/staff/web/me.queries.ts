import type { Api } from '#kit/contract/endpoint.ts'
import { useApi } from '#kit/web/api.tsx'
import { type QueryClient, queryOptions } from '#kit/web/query/query-client.ts'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { type Role, type Staff, who } from '../staff.contract.ts'

/** Who is signed in at the desk. */
export const meQuery = (api: Api) =>
  queryOptions({
    queryKey: ['me'],
    queryFn: async () => (await api.call(who, {})).data,
    staleTime: Infinity,
  })

/** Who is signed in; null for nobody, and while that is not known. */
export function useMe(): Staff | null {
  return useQuery(meQuery(useApi())).data?.staff ?? null
}

/** The same as the queries have left it, for guards. */
export const meIn = (client: QueryClient): Staff | null =>
  client.getQueryData<{ staff: Staff | null }>(['me'])?.staff ?? null

/** Whether a person has one of these roles. */
export const hasRole = (me: Staff | null, roles: readonly Role[]): boolean =>
  me !== null && roles.some((role) => me.roles.includes(role))
