import { type Route, route } from '#kit/server/route.ts'
import type { SignedInVisit, Visit } from '#kit/server/visit.ts'
import { findOwnService, type OwnService } from '#features/services/server/own-service.store.ts'
import { readKeptUse } from '../kept-use.contract.ts'
import { readUsageDetail, readUsageSummary } from '../usage.contract.ts'
import type { UsageDeps } from './usage.deps.ts'
import { presentKeptUse } from './kept-use.ts'
import { usageDetail, usageSummary } from './usage.ts'

export function usageRoutes(deps: UsageDeps): Route[] {
  const find = ({ visit, params }: { visit: SignedInVisit; params: { uuid: string } }): Promise<OwnService | null> =>
    findOwnService(deps.db, visit.user.id, params.uuid)
  const limits = ({ visit }: { visit: Visit }) => [
    { key: `usage:${visit.user?.id ?? visit.clientIp}`, times: 300, seconds: 60 },
  ]
  return [
    route(readUsageSummary, { access: 'verified', find, limits }, ({ found }) => usageSummary(deps, found)),
    route(readUsageDetail, { access: 'verified', find, limits }, ({ found, query }) =>
      usageDetail(deps, found, query.page),
    ),
  ]
}

/** For server-rendered pages, which do not wait for the network. The browser then requests current data. */
export const keptUseRoutes = (deps: UsageDeps): Route[] => [
  route(
    readKeptUse,
    { access: 'verified', read: () => deps.readKeptUse, values: ({ query: { uuid = '' } }) => ({ uuid }) },
    ({ data }) => presentKeptUse(deps, data),
  ),
]
