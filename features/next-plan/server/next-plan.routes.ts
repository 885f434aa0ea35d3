import { notFound } from '#kit/server/http-error.ts'
import { type Route, route } from '#kit/server/route.ts'
import type { SignedInContext } from '#kit/server/request-context.ts'
import { paymentRequestLimits } from '#features/orders/server/orders.ts'
import { findOwnService } from '#features/services/server/own-service.store.ts'
import { presentOwnService } from '#features/services/server/services.present.ts'
import { cancelNextPlan, readCancelTerms } from '../next-plan.contract.ts'
import { cancelQueuedPlan } from './next-plan.ts'
import type { NextPlanDeps } from './next-plan.deps.ts'
import { readServiceCancelTerms } from './cancel-terms.ts'

export function nextPlanRoutes(deps: NextPlanDeps): Route[] {
  const findService = ({ visit, params }: { visit: SignedInContext; params: { uuid: string } }) =>
    findOwnService(deps.db, visit.user.id, params.uuid)
  return [
    route(readCancelTerms, { access: 'verified', find: findService }, ({ found }) =>
      readServiceCancelTerms(deps, found),
    ),
    route(
      cancelNextPlan,
      { access: 'verified', find: findService, limits: ({ visit }) => paymentRequestLimits(visit) },
      async ({ found, visit }) => {
        await cancelQueuedPlan(deps, found, visit.session.id)
        const service = await presentOwnService(deps, { userId: found.user_id, id: found.id })
        // The service may have been released between the cancellation and this query.
        if (!service) throw notFound()
        return service
      },
    ),
  ]
}
