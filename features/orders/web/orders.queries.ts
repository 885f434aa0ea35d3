import type { Api } from '#kit/contract/endpoint.ts'
import { queryOptions } from '#kit/web/query/query-client.ts'
import { readOrder } from '../orders.contract.ts'

export const orderQuery = (api: Api, orderId: string) =>
  queryOptions({
    queryKey: ['order', orderId],
    queryFn: async () => (await api.call(readOrder, { params: { orderId } })).data,
    enabled: orderId !== '',
  })
