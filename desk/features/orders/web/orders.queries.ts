import type { Api } from '#kit/contract/endpoint.ts'
import { queryOptions } from '#kit/web/query/query-client.ts'
import { listOrders, type OrderList, orderLists, readOrder } from '../orders.contract.ts'

export const orderQuery = (api: Api, code: string) =>
  queryOptions({
    queryKey: ['order', code],
    queryFn: async () => (await api.call(readOrder, { params: { code } })).data,
  })

export type OrdersFilter = { of: OrderList; before: string | null }

export function ordersFilterFromUrl(search: string): OrdersFilter {
  const params = new URLSearchParams(search)
  return { of: orderLists.find((each) => each === params.get('of')) ?? 'all', before: params.get('before') }
}

export const ordersQuery = (api: Api, { of, before }: OrdersFilter) =>
  queryOptions({
    queryKey: ['orders', of, before],
    queryFn: async () => (await api.call(listOrders, { query: { of, ...(before && { before }) } })).data,
  })
