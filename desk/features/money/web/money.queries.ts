import type { Api } from '#kit/contract/endpoint.ts'
import { queryOptions } from '#kit/web/query/query-client.ts'
import { readDispute } from '../disputes.contract.ts'
import { type DisputeList, disputeLists, listDailyTotals, listDisputes } from '../money.contract.ts'
import { listRefunds, type RefundList, refundLists } from '../refunds.contract.ts'

export type DisputesFilter = { of: DisputeList; before: string | null }

export function disputesFilterFromUrl(search: string): DisputesFilter {
  const params = new URLSearchParams(search)
  return { of: disputeLists.find((each) => each === params.get('of')) ?? 'waiting', before: params.get('before') }
}

export const cursorFromUrl = (search: string): string | null => new URLSearchParams(search).get('before')

const dayPattern = /^\d{4}-\d\d-\d\d$/

export function dayFromUrl(search: string): string | null {
  const before = cursorFromUrl(search) ?? ''
  return dayPattern.test(before) ? before : null
}

/** `from` and `to` are calendar days, as `YYYY-MM-DD`. */
export type RefundsFilter = { of: RefundList; from: string | null; to: string | null; before: string | null }

export function refundsFilterFromUrl(search: string): RefundsFilter {
  const params = new URLSearchParams(search)
  const day = (name: string): string | null => params.get(name)?.match(dayPattern)?.[0] ?? null
  return {
    of: refundLists.find((each) => each === params.get('of')) ?? 'waiting',
    from: day('from'),
    to: day('to'),
    before: params.get('before') || null,
  }
}

/** Returns the query parameters for a filter, without those that have their default value. */
export const refundsParams = ({ of, from, to, before }: Partial<RefundsFilter>): Record<string, string> => ({
  ...(of && of !== 'waiting' && { of }),
  ...(from && { from }),
  ...(to && { to }),
  ...(before && { before }),
})

export function refundsPath(filter: Partial<RefundsFilter>): string {
  const query = new URLSearchParams(refundsParams(filter))
  return query.size > 0 ? `/money/refunds/?${query}` : '/money/refunds/'
}

export const disputesQuery = (api: Api, { of, before }: DisputesFilter) =>
  queryOptions({
    queryKey: ['disputes', of, before],
    queryFn: async () => (await api.call(listDisputes, { query: { of, ...(before && { before }) } })).data,
  })

export const refundsQuery = (api: Api, filter: RefundsFilter) =>
  queryOptions({
    queryKey: ['refunds', filter.of, filter.from, filter.to, filter.before],
    queryFn: async () => (await api.call(listRefunds, { query: refundsParams(filter) })).data,
  })

export const dailyTotalsQuery = (api: Api, before: string | null) =>
  queryOptions({
    queryKey: ['days', before],
    queryFn: async () => (await api.call(listDailyTotals, { query: before ? { before } : {} })).data,
  })

export const disputeQuery = (api: Api, reference: string) =>
  queryOptions({
    queryKey: ['dispute', reference],
    queryFn: async () => (await api.call(readDispute, { params: { reference } })).data,
  })
