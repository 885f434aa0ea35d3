import type { Api } from '#kit/contract/endpoint.ts'
import { nullIfNotFound } from '#kit/web/desk/null-if-not-found.ts'
import { type QueryClient, queryOptions } from '#kit/web/query/query-client.ts'
import { type DeskOrder, listOrders, type OrderList, orderLists, readOrder } from '../orders.contract.ts'

export const orderQuery = (api: Api, code: string) =>
  queryOptions({
    queryKey: ['order', code],
    queryFn: () => nullIfNotFound(api.call(readOrder, { params: { code } })),
  })

export const isOrderMissing = (client: QueryClient, { code = '' }: Record<string, string>): boolean =>
  client.getQueryData<DeskOrder | null>(['order', code]) === null

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
