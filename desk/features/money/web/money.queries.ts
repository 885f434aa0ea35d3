import type { Api } from '#kit/contract/endpoint.ts'
import { queryOptions } from '#kit/web/query/query-client.ts'
import { readDispute } from '../disputes.contract.ts'
import { type DisputeList, disputeLists, listDays, listDisputes, listRefunds } from '../money.contract.ts'

export type DisputesFilter = { of: DisputeList; before: string | null }

export function disputesFilterFromUrl(search: string): DisputesFilter {
  const params = new URLSearchParams(search)
  return { of: disputeLists.find((each) => each === params.get('of')) ?? 'waiting', before: params.get('before') }
}

export const cursorFromUrl = (search: string): string | null => new URLSearchParams(search).get('before')

export function dayFromUrl(search: string): string | null {
  const before = cursorFromUrl(search) ?? ''
  return /^\d{4}-\d\d-\d\d$/.test(before) ? before : null
}

export const disputesQuery = (api: Api, { of, before }: DisputesFilter) =>
  queryOptions({
    queryKey: ['disputes', of, before],
    queryFn: async () => (await api.call(listDisputes, { query: { of, ...(before && { before }) } })).data,
  })

export const refundsQuery = (api: Api, before: string | null) =>
  queryOptions({
    queryKey: ['refunds', before],
    queryFn: async () => (await api.call(listRefunds, { query: before ? { before } : {} })).data,
  })

export const daysQuery = (api: Api, before: string | null) =>
  queryOptions({
    queryKey: ['days', before],
    queryFn: async () => (await api.call(listDays, { query: before ? { before } : {} })).data,
  })

export const disputeQuery = (api: Api, reference: string) =>
  queryOptions({
    queryKey: ['dispute', reference],
    queryFn: async () => (await api.call(readDispute, { params: { reference } })).data,
  })
