import { notFound } from '#kit/server/refusal.ts'
import type { CustomersDeps } from '#features/customers/server/customers.deps.ts'
import { findOwnService } from '#features/services/server/own-service.store.ts'
import type { UsageDeps } from '#features/usage/server/usage.deps.ts'
import { usageSummary } from '#features/usage/server/usage.ts'
import { type DeskRoute, deskRoute } from '#desk/features/staff/server/staff.guard.ts'
import type { DeskVisit } from '#desk/features/staff/server/visit.ts'
import { readUse } from '../use.contract.ts'
import { openCustomerOf } from './customers.ts'
import { presentUse } from './use.present.ts'

export const numberUseRoutes = (deps: CustomersDeps & UsageDeps): DeskRoute[] => [
  deskRoute(
    readUse,
    {
      who: ['support', 'finance'],
      // It asks the network, as their customer's own page does.
      limits: ({ visit }) => [{ key: `desk:use:${(visit as DeskVisit).staff?.id ?? ''}`, times: 300, seconds: 60 }],
    },
    async ({ staff, params: { id, service: uuid } }) => {
      const user = await openCustomerOf(deps, staff, id)
      const service = await findOwnService(deps.db, user.id, uuid)
      if (!service) throw notFound()
      return presentUse(await usageSummary(deps, service))
    },
  ),
]
