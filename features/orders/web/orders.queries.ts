import type { Api } from '#kit/contract/endpoint.ts'
import { queryOptions } from '#kit/web/query/query-client.ts'
import { readOrder } from '../orders.contract.ts'

export const orderQuery = (api: Api, orderId: string) =>
  queryOptions({
    queryKey: ['order', orderId],
    queryFn: async () => (await api.call(readOrder, { params: { orderId } })).data,
    enabled: orderId !== '',
  })

/** The order code in the query string of a success page; empty if there is none. */
export const readOrderCode = (search: string): string => new URLSearchParams(search).get('order') ?? ''

export function orderQueriesForPage(api: Api, search: string) {
  const orderCode = readOrderCode(search)
  return orderCode === '' ? [] : [orderQuery(api, orderCode)]
}
