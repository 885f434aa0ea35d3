import type { Api } from '#kit/contract/endpoint.ts'
import { useApi } from '#kit/web/api.tsx'
import { type QueryClient, queryOptions } from '#kit/web/query/query-client.ts'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { isInGroup, type Role, type Staff, type StaffGroup, readSignedInStaff } from '../staff.contract.ts'

export const meQuery = (api: Api) =>
  queryOptions({
    queryKey: ['me'],
    queryFn: async () => (await api.call(readSignedInStaff, {})).data,
    staleTime: Infinity,
  })

/** Returns the signed-in staff member; `null` if nobody is signed in, and while this is not known yet. */
export function useMe(): Staff | null {
  return useQuery(meQuery(useApi())).data?.staff ?? null
}

export const getCachedMe = (client: QueryClient): Staff | null =>
  client.getQueryData<{ staff: Staff | null }>(['me'])?.staff ?? null

export const hasRole = (me: Staff | null, roles: readonly Role[]): boolean =>
  me !== null && roles.some((role) => me.roles.includes(role))

export const isInAnyGroup = (me: Staff | null, groups: readonly StaffGroup[]): boolean =>
  me !== null && groups.some((group) => isInGroup({ roles: me.roles, isLead: me.is_lead }, group))

/** Whether a person may do the random checks. A team lead whose only role is admin may not, because an admin sees no customers. */
export const canReviewAccess = (me: Staff | null): boolean =>
  me?.is_lead === true && hasRole(me, ['support', 'finance'])
