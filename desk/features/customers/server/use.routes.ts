import type { RawCall } from '#kit/server/route.ts'
import { notFound } from '#kit/server/refusal.ts'
import type { CustomersDeps } from '#features/customers/server/customers.deps.ts'
import { findOwnService, type OwnService } from '#features/services/server/own-service.store.ts'
import type { UsageDeps } from '#features/usage/server/usage.deps.ts'
import { usageDetail, usageSummary } from '#features/usage/server/usage.ts'
import type { SignedInStaff } from '#desk/features/staff/server/sessions.store.ts'
import { type DeskRoute, deskRoute } from '#desk/features/staff/server/staff.guard.ts'
import type { DeskVisit } from '#desk/features/staff/server/visit.ts'
import { readDays } from '../days.contract.ts'
import { readUse } from '../use.contract.ts'
import { openCustomerOf } from './customers.ts'
import { presentDays, presentUse } from './use.present.ts'

type UseDeps = CustomersDeps & UsageDeps

/** These endpoints call the network, as the customer's own pages do, so requests are limited. */
const reads = {
  who: ['support', 'finance'],
  limits: ({ visit }: RawCall) => [
    { key: `desk:use:${(visit as DeskVisit).staff?.id ?? ''}`, times: 300, seconds: 60 },
  ],
} as const

export const numberUseRoutes = (deps: UseDeps): DeskRoute[] => [
  deskRoute(readUse, reads, async ({ staff, params }) =>
    presentUse(await usageSummary(deps, await runningOf(deps, staff, params))),
  ),
  deskRoute(readDays, reads, async ({ staff, params, query: { week } }) =>
    presentDays(await usageDetail(deps, await runningOf(deps, staff, params), Number(week)), deps.market.zone),
  ),
]

/** A number that belongs to an opened customer and has not been released. @throws 403, 404 */
async function runningOf(
  deps: UseDeps,
  staff: SignedInStaff,
  { id, service: uuid }: { id: string; service: string },
): Promise<OwnService> {
  const user = await openCustomerOf(deps, staff, id)
  const service = await findOwnService(deps.db, user.id, uuid)
  if (!service) throw notFound()
  return service
}
