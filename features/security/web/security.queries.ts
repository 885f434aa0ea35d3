import type { Api } from '#kit/contract/endpoint.ts'
import { queryOptions } from '#kit/web/query/query-client.ts'
import { listSecurityEvents, listSessions } from '../security.contract.ts'

const staleTime = 5_000

export const sessionsQuery = (api: Api) =>
  queryOptions({
    queryKey: ['sessions'],
    staleTime,
    queryFn: async () => (await api.call(listSessions, {})).data.sessions,
  })

export const eventsQuery = (api: Api) =>
  queryOptions({
    queryKey: ['security-events'],
    staleTime,
    queryFn: async () => (await api.call(listSecurityEvents, {})).data.events,
  })
