import type { RawCall } from '#kit/server/route.ts'
import type { CustomersDeps } from '#features/customers/server/customers.deps.ts'
import type { OrderDeps } from '#features/orders/server/orders.deps.ts'
import { openCustomerOf } from '#desk/features/customers/server/customers.ts'
import { deskRoute, type DeskRoute } from '#desk/features/staff/server/staff.guard.ts'
import type { DeskVisit } from '#desk/features/staff/server/visit.ts'
import { renewalOffer, renewForCustomer } from '../renewals.contract.ts'
import { presentOffer } from './renewals.present.ts'
import { offerOf, renewForThem } from './renewals.ts'

/** Limits the calls of one person, because most of so many calls would be guesses of voucher codes. */
const pressLimits = ({ visit }: RawCall) => [
  { key: `desk-renewal:staff:${(visit as DeskVisit).staff?.id ?? visit.clientIp}`, times: 120, seconds: 3_600 },
]

export const renewalsRoutes = (deps: OrderDeps & CustomersDeps): DeskRoute[] => [
  deskRoute(renewalOffer, { who: ['support'] }, async ({ staff, params: { id, service } }) =>
    presentOffer(await offerOf(deps, await openCustomerOf(deps, staff, id), service)),
  ),
  deskRoute(
    renewForCustomer,
    { who: ['support'], limits: pressLimits },
    async ({ staff, params: { id, service }, body, idempotencyKey: key }) => {
      const user = await openCustomerOf(deps, staff, id)
      const { order, outcome } = await renewForThem(deps, staff, user, { ...body, serviceId: service, key })
      return { order_code: order.order_code, is_open: outcome === 'unknown' }
    },
  ),
]
