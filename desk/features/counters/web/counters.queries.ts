import type { Api } from '#kit/contract/endpoint.ts'
import { useApi } from '#kit/web/api.tsx'
import { queryOptions } from '#kit/web/query/query-client.ts'
import { useQueryClient } from '#kit/web/query/use-query.tsx'
import { readCounters } from '../counters.contract.ts'

export const countersQuery = (api: Api) =>
  queryOptions({
    queryKey: ['waits'],
    queryFn: async () => (await api.call(readCounters, {})).data,
    refetchInterval: () => 30_000,
  })

export function useRefreshCounters(): () => void {
  const client = useQueryClient()
  const query = countersQuery(useApi())
  return () => void client.refetchQuery(query)
}
