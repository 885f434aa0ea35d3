import type { RawRequest } from '#kit/server/route.ts'
import { notFound } from '#kit/server/http-error.ts'
import type { CustomersDeps } from '#features/customers/server/customers.deps.ts'
import { findOwnService, type ServiceWithPlanRow } from '#features/services/server/own-service.store.ts'
import type { UsageDeps } from '#features/usage/server/usage.deps.ts'
import { readDetail, readSummary } from '#features/usage/server/usage.ts'
import type { SignedInStaff } from '#desk/features/staff/server/sessions.store.ts'
import { type DeskRoute, deskRoute } from '#desk/features/staff/server/staff.guard.ts'
import type { DeskRequestContext } from '#desk/features/staff/server/desk-request-context.ts'
import { readDailyUsage } from '../daily-usage.contract.ts'
import { readUsage } from '../usage.contract.ts'
import { requireAccessToCustomer } from './customers.ts'
import { presentDailyUsage, presentUsage } from './usage.present.ts'

type NumberUsageDeps = CustomersDeps & UsageDeps

/** Like the portal's pages, these endpoints send requests to the network, so they are rate-limited. */
const usageRouteOptions = {
  who: ['support', 'finance'],
  limits: ({ visit }: RawRequest) => [
    { key: `desk:use:${(visit as DeskRequestContext).staff?.id ?? ''}`, times: 300, seconds: 60 },
  ],
} as const

export const numberUsageRoutes = (deps: NumberUsageDeps): DeskRoute[] => [
  deskRoute(readUsage, usageRouteOptions, async ({ staff, params }) =>
    presentUsage(await readSummary(deps, await requireOwnService(deps, staff, params))),
  ),
  deskRoute(readDailyUsage, usageRouteOptions, async ({ staff, params, query: { week } }) =>
    presentDailyUsage(
      await readDetail(deps, await requireOwnService(deps, staff, params), Number(week)),
      deps.market.zone,
    ),
  ),
]

/** Finds a phone number that has not been released and belongs to a customer whose record is open. @throws 403, 404 */
async function requireOwnService(
  deps: NumberUsageDeps,
  staff: SignedInStaff,
  { id, service: uuid }: { id: string; service: string },
): Promise<ServiceWithPlanRow> {
  const user = await requireAccessToCustomer(deps, staff, id)
  const service = await findOwnService(deps.db, user.id, uuid)
  if (!service) throw notFound()
  return service
}
