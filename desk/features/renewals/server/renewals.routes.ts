import type { RawRequest } from '#kit/server/route.ts'
import type { CustomersDeps } from '#features/customers/server/customers.deps.ts'
import type { OrderDeps } from '#features/orders/server/orders.deps.ts'
import { requireAccessToCustomer } from '#desk/features/customers/server/customers.ts'
import { deskRoute, type DeskRoute } from '#desk/features/staff/server/staff.guard.ts'
import type { DeskRequestContext } from '#desk/features/staff/server/desk-request-context.ts'
import { readRenewalOffer, renewForCustomer } from '../renewals.contract.ts'
import { presentOffer } from './renewals.present.ts'
import { findRenewalOffer, renewService } from './renewals.ts'

/** Limits the requests per staff member, because anyone who sends more than this is probably guessing voucher codes. */
const renewalLimits = ({ visit }: RawRequest) => [
  {
    key: `desk-renewal:staff:${(visit as DeskRequestContext).staff?.id ?? visit.clientIp}`,
    times: 120,
    seconds: 3_600,
  },
]

export const renewalsRoutes = (deps: OrderDeps & CustomersDeps): DeskRoute[] => [
  deskRoute(readRenewalOffer, { who: ['support'] }, async ({ staff, params: { id, service } }) =>
    presentOffer(await findRenewalOffer(deps, await requireAccessToCustomer(deps, staff, id), service)),
  ),
  deskRoute(
    renewForCustomer,
    { who: ['support'], limits: renewalLimits },
    async ({ staff, params: { id, service }, body, idempotencyKey: key }) => {
      const user = await requireAccessToCustomer(deps, staff, id)
      const { order, outcome } = await renewService(deps, staff, user, { ...body, serviceId: service, key })
      return { order_code: order.order_code, is_open: outcome === 'unknown' }
    },
  ),
]
