import type { Api } from '#kit/contract/endpoint.ts'
import { queryOptions } from '#kit/web/query/query-client.ts'
import { listOrders, type OrderList, orderLists, readOrder } from '../orders.contract.ts'

export const orderQuery = (api: Api, code: string) =>
  queryOptions({
    queryKey: ['order', code],
    queryFn: async () => (await api.call(readOrder, { params: { code } })).data,
  })

export type ListPlace = { of: OrderList; before: string | null }

export function placeIn(search: string): ListPlace {
  const wanted = new URLSearchParams(search)
  return { of: orderLists.find((each) => each === wanted.get('of')) ?? 'all', before: wanted.get('before') }
}

export const ordersQuery = (api: Api, { of, before }: ListPlace) =>
  queryOptions({
    queryKey: ['orders', of, before],
    queryFn: async () => (await api.call(listOrders, { query: { of, ...(before && { before }) } })).data,
  })
