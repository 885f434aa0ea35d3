import type { Api } from '#kit/contract/endpoint.ts'
import { queryOptions } from '#kit/web/query/query-client.ts'
import { listTasks, readToday } from '../today.contract.ts'

export const todayQuery = (api: Api) =>
  queryOptions({
    queryKey: ['today'],
    queryFn: async () => (await api.call(readToday, {})).data,
    // The figures are kept for longer than this by the server. Whoever comes back from Health reads what they have just said there.
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
