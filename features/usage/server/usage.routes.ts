import { type Route, route } from '#kit/server/route.ts'
import type { SignedInContext, RequestContext } from '#kit/server/request-context.ts'
import { findOwnService, type ServiceWithPlanRow } from '#features/services/server/own-service.store.ts'
import { readStoredUsage } from '../stored-usage.contract.ts'
import { readUsageDetail, readUsageSummary } from '../usage.contract.ts'
import type { UsageDeps } from './usage.deps.ts'
import { presentStoredUsage } from './stored-usage.ts'
import { readDetail, readSummary } from './usage.ts'

export function usageRoutes(deps: UsageDeps): Route[] {
  const findService = ({
    visit,
    params,
  }: {
    visit: SignedInContext
    params: { uuid: string }
  }): Promise<ServiceWithPlanRow | null> => findOwnService(deps.db, visit.user.id, params.uuid)
  const requestLimits = ({ visit }: { visit: RequestContext }) => [
    { key: `usage:${visit.user?.id ?? visit.clientIp}`, times: 300, seconds: 60 },
  ]
  return [
    route(readUsageSummary, { access: 'verified', find: findService, limits: requestLimits }, ({ found }) =>
      readSummary(deps, found),
    ),
    route(readUsageDetail, { access: 'verified', find: findService, limits: requestLimits }, ({ found, query }) =>
      readDetail(deps, found, query.page),
    ),
  ]
}

/**
 * Routes for server-rendered pages, which do not wait for the network. The browser requests current usage afterwards.
 */
export const storedUsageRoutes = (deps: UsageDeps): Route[] => [
  route(
    readStoredUsage,
    { access: 'verified', read: () => deps.readKeptUse, values: ({ query: { uuid = '' } }) => ({ uuid }) },
    ({ data }) => presentStoredUsage(deps, data),
  ),
]
