import type { Api } from '#kit/contract/endpoint.ts'
import { queryOptions } from '#kit/web/query/query-client.ts'
import { readAudit, type AuditEntryType, auditEntryTypes } from '../audit.contract.ts'

export type AuditUrlFilter = {
  of: AuditEntryType | null
  person: string | null
  act: string | null
  customer: string | null
  day: string | null
  q: string | null
  before: string | null
}

export function auditFilterFromUrl(search: string): AuditUrlFilter {
  const params = new URLSearchParams(search)
  return {
    of: auditEntryTypes.find((kind) => kind === params.get('of')) ?? null,
    person: params.get('person') || null,
    act: params.get('act') || null,
    customer: params.get('customer')?.trim() || null,
    day: params.get('day') || null,
    q: params.get('q')?.trim() || null,
    before: params.get('before') || null,
  }
}

export function auditPath(filter: AuditUrlFilter): string {
  const query = new URLSearchParams(toQuery(filter))
  return query.size > 0 ? `/audit/?${query}` : '/audit/'
}

export const toQuery = (filter: Partial<AuditUrlFilter>): Record<string, string> =>
  Object.fromEntries(Object.entries(filter).filter((entry): entry is [string, string] => Boolean(entry[1])))

export const auditQuery = (api: Api, filter: AuditUrlFilter) =>
  queryOptions({
    queryKey: ['audit', filter.of, filter.person, filter.act, filter.customer, filter.day, filter.q, filter.before],
    queryFn: async () => (await api.call(readAudit, { query: toQuery(filter) })).data,
  })
