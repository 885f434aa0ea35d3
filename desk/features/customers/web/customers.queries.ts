import type { Api } from '#kit/contract/endpoint.ts'
import { type QueryClient, queryOptions } from '#kit/web/query/query-client.ts'
import { readCustomer, type CustomerPage, listAccessLog } from '../customers.contract.ts'
import { readCustomerHistory, historyFilters, type HistoryFilter } from '../customer-history.contract.ts'
import { readUsage } from '../usage.contract.ts'
import { nullIfNotFound } from '#kit/web/desk/null-if-not-found.ts'

const keyOf = (id: string) => ['customer', id]

export function historyFilterFromUrl(search: string): HistoryFilter | null {
  const of = new URLSearchParams(search).get('of')
  return historyFilters.find((chip) => chip === of) ?? null
}

export const customerQuery = (api: Api, id: string) =>
  queryOptions({
    queryKey: keyOf(id),
    queryFn: () => nullIfNotFound(api.call(readCustomer, { params: { id } })),
  })

export const isCustomerMissing = (client: QueryClient, { id = '' }: Record<string, string>): boolean =>
  client.getQueryData<CustomerPage | null>(keyOf(id)) === null

export const historyQuery = (api: Api, id: string, of: HistoryFilter) =>
  queryOptions({
    queryKey: ['happened', id, of],
    queryFn: async () => (await api.call(readCustomerHistory, { params: { id }, query: { of } })).data,
  })

export const usageQuery = (api: Api, id: string, service: string) =>
  queryOptions({
    queryKey: ['use', id, service],
    queryFn: async () => (await api.call(readUsage, { params: { id, service } })).data,
  })

export const accessLogQuery = (api: Api, id: string) =>
  queryOptions({
    queryKey: ['looks', id],
    queryFn: async () => (await api.call(listAccessLog, { params: { id } })).data,
  })
