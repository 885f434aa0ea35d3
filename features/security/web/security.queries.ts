import type { Api } from '#kit/contract/endpoint.ts'
import { queryOptions } from '#kit/web/query/query-client.ts'
import { listSecurityEvents, listSessions } from '../security.contract.ts'

// A customer who comes here again wants to see what is so now.
const staleTime = 5_000

/** Where the customer is signed in, this session first. */
export const sessionsQuery = (api: Api) =>
  queryOptions({
    queryKey: ['sessions'],
    staleTime,
    queryFn: async () => (await api.call(listSessions, {})).data.sessions,
  })

/** What happened in the account lately. */
export const eventsQuery = (api: Api) =>
  queryOptions({
    queryKey: ['security-events'],
    staleTime,
    queryFn: async () => (await api.call(listSecurityEvents, {})).data.events,
  })
