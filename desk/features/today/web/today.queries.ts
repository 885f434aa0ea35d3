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

export const taskKindFromUrl = (search: string): string | null => new URLSearchParams(search).get('kind') || null

export const tasksQuery = (api: Api, kind: string | null) =>
  queryOptions({
    queryKey: ['tasks', kind],
    queryFn: async () => (await api.call(listTasks, { query: kind ? { kind } : {} })).data,
    staleTime: 5_000,
    refetchInterval: () => 30_000,
  })
