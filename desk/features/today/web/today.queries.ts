import type { Api } from '#kit/contract/endpoint.ts'
import { queryOptions } from '#kit/web/query/query-client.ts'
import { listTasks, readToday } from '../today.contract.ts'

export const todayQuery = (api: Api) =>
  queryOptions({
    queryKey: ['today'],
    queryFn: async () => (await api.call(readToday, {})).data,
    /*
     * This is less than the time for which the server caches the figures, because notices are not cached: someone who ends a notice on the
     * Health page should see the change as soon as they return.
     */
    staleTime: 2_000,
    refetchInterval: () => 30_000,
  })

export const tasksQuery = (api: Api) =>
  queryOptions({
    queryKey: ['tasks'],
    queryFn: async () => (await api.call(listTasks, {})).data,
    staleTime: 5_000,
    refetchInterval: () => 30_000,
  })
