import type { Api } from '#kit/contract/endpoint.ts'
import { queryOptions } from '#kit/web/query/query-client.ts'
import { readAudit, type TrailKind, trailKinds } from '../audit.contract.ts'

export type AuditWish = {
  of: TrailKind | null
  person: string | null
  act: string | null
  customer: string | null
  day: string | null
  before: string | null
}

export function wishIn(search: string): AuditWish {
  const said = new URLSearchParams(search)
  return {
    of: trailKinds.find((kind) => kind === said.get('of')) ?? null,
    person: said.get('person') || null,
    act: said.get('act') || null,
    customer: said.get('customer')?.trim() || null,
    day: said.get('day') || null,
    before: said.get('before') || null,
  }
}

export function auditPath(wish: AuditWish): string {
  const query = new URLSearchParams(queryOf(wish))
  return query.size > 0 ? `/audit/?${query}` : '/audit/'
}

export const queryOf = (wish: Partial<AuditWish>): Record<string, string> =>
  Object.fromEntries(Object.entries(wish).filter((entry): entry is [string, string] => Boolean(entry[1])))

export const auditQuery = (api: Api, wish: AuditWish) =>
  queryOptions({
    queryKey: ['audit', wish.of, wish.person, wish.act, wish.customer, wish.day, wish.before],
    queryFn: async () => (await api.call(readAudit, { query: queryOf(wish) })).data,
  })
