import type { Api } from '#kit/contract/endpoint.ts'
import { useApi } from '#kit/web/api.tsx'
import { queryOptions } from '#kit/web/query/query-client.ts'
import { useQueryClient } from '#kit/web/query/use-query.tsx'
import { readWaits } from '../waits.contract.ts'

export const waitsQuery = (api: Api) =>
  queryOptions({
    queryKey: ['waits'],
    queryFn: async () => (await api.call(readWaits, {})).data,
    refetchInterval: () => 30_000,
  })

export function useWaitsChanged(): () => void {
  const client = useQueryClient()
  const query = waitsQuery(useApi())
  return () => void client.refetchQuery(query)
}
