import type { Api } from '#kit/contract/endpoint.ts'
import { queryOptions } from '#kit/web/query/query-client.ts'
import { readHealth } from '../health.contract.ts'
import { listNotices } from '../notices.contract.ts'

export const healthQuery = (api: Api) =>
  queryOptions({
    queryKey: ['health'],
    queryFn: async () => (await api.call(readHealth, {})).data,
    staleTime: 5_000,
    refetchInterval: () => 30_000,
  })

export const noticesQuery = (api: Api) =>
  queryOptions({
    queryKey: ['notices'],
    queryFn: async () => (await api.call(listNotices, {})).data.notices,
    staleTime: 5_000,
    refetchInterval: () => 30_000,
  })
