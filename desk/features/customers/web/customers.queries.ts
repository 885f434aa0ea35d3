import type { Api } from '#kit/contract/endpoint.ts'
import { type QueryClient, queryOptions } from '#kit/web/query/query-client.ts'
import { customer, type CustomerPage, whoLooked } from '../customers.contract.ts'
import { happened, happenedChips, type HappenedChip } from '../happened.contract.ts'
import { readUse } from '../use.contract.ts'
import { orNull } from './or-null.ts'

const keyOf = (id: string) => ['customer', id]

export function chipIn(search: string): HappenedChip | null {
  const of = new URLSearchParams(search).get('of')
  return happenedChips.find((chip) => chip === of) ?? null
}

export const customerQuery = (api: Api, id: string) =>
  queryOptions({
    queryKey: keyOf(id),
    queryFn: () => orNull(api.call(customer, { params: { id } })),
  })

export const isCustomerMissing = (client: QueryClient, { id = '' }: Record<string, string>): boolean =>
  client.getQueryData<CustomerPage | null>(keyOf(id)) === null

export const happenedQuery = (api: Api, id: string, of: HappenedChip) =>
  queryOptions({
    queryKey: ['happened', id, of],
    queryFn: async () => (await api.call(happened, { params: { id }, query: { of } })).data,
  })

export const leftQuery = (api: Api, id: string, service: string) =>
  queryOptions({
    queryKey: ['use', id, service],
    queryFn: async () => (await api.call(readUse, { params: { id, service } })).data,
  })

export const looksQuery = (api: Api, id: string) =>
  queryOptions({
    queryKey: ['looks', id],
    queryFn: async () => (await api.call(whoLooked, { params: { id } })).data,
  })
