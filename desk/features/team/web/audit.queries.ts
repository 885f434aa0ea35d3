import type { Api } from '#kit/contract/endpoint.ts'
import { queryOptions } from '#kit/web/query/query-client.ts'
import { readAudit, type TrailKind, trailKinds } from '../audit.contract.ts'

export type AuditWish = { of: TrailKind | null; person: string | null; before: string | null }

/** Which part of the trail an address means. */
export function wishIn(search: string): AuditWish {
  const said = new URLSearchParams(search)
  return {
    of: trailKinds.find((kind) => kind === said.get('of')) ?? null,
    person: said.get('person') || null,
    before: said.get('before') || null,
  }
}

/** The address of a part of the trail. */
export function auditPath({ of, person, before }: AuditWish): string {
  const query = new URLSearchParams({ ...(of && { of }), ...(person && { person }), ...(before && { before }) })
  return query.size > 0 ? `/audit/?${query}` : '/audit/'
}

export const auditQuery = (api: Api, { of, person, before }: AuditWish) =>
  queryOptions({
    queryKey: ['audit', of, person, before],
    queryFn: async () =>
      (
        await api.call(readAudit, {
          query: { ...(of && { of }), ...(person && { person }), ...(before && { before }) },
        })
      ).data,
  })
