import type { Api } from '#kit/contract/endpoint.ts'
import { type QueryClient, queryOptions } from '#kit/web/query/query-client.ts'
import { type ErasureView, readErasure, readMarketing } from '../privacy.contract.ts'

const erasureKey = ['erasure']

export const erasureQuery = (api: Api) =>
  queryOptions({ queryKey: erasureKey, staleTime: 5_000, queryFn: async () => (await api.call(readErasure, {})).data })

export const updateCachedErasure = (client: QueryClient, erasure: ErasureView): void =>
  client.setQueryData(erasureKey, erasure)

export const marketingQuery = (api: Api) =>
  queryOptions({ queryKey: ['marketing'], queryFn: async () => (await api.call(readMarketing, {})).data })
