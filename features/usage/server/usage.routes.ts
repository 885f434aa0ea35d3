import { notFound } from '#kit/server/refusal.ts'
import { type Route, route } from '#kit/server/route.ts'
import type { SignedInVisit, Visit } from '#kit/server/visit.ts'
import { findOwnService, type OwnService } from '#features/services/server/own-service.store.ts'
import { readUsageDetail, readUsageSummary } from '../usage.contract.ts'
import type { UsageDeps } from './usage.deps.ts'
import { keptSummary, usageDetail, usageSummary } from './usage.ts'

export function usageRoutes(deps: UsageDeps): Route[] {
  const find = ({ visit, params }: { visit: SignedInVisit; params: { uuid: string } }): Promise<OwnService | null> =>
    findOwnService(deps.db, visit.user.id, params.uuid)
  const limits = ({ visit }: { visit: Visit }) => [
    { key: `usage:${visit.user?.id ?? visit.clientIp}`, times: 300, seconds: 60 },
  ]
  return [
    route(readUsageSummary, { access: 'verified', find, limits }, async ({ found, visit }) => {
      const summary = visit.inProcess ? await keptSummary(deps, found) : await usageSummary(deps, found)
      if (!summary) throw notFound()
      return summary
    }),
    route(readUsageDetail, { access: 'verified', find, limits }, ({ found, query }) =>
      usageDetail(deps, found, query.page),
    ),
  ]
}
