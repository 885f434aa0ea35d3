import { notFound } from '#kit/server/refusal.ts'
import { type Route, route } from '#kit/server/route.ts'
import type { SignedInVisit } from '#kit/server/visit.ts'
import { pressLimits } from '#features/orders/server/orders.ts'
import { findOwnService } from '#features/services/server/own-service.store.ts'
import { presentOwnService } from '#features/services/server/services.present.ts'
import { cancelNextPlan, readCancelTerms } from '../next-plan.contract.ts'
import { cancelPlan } from './next-plan.ts'
import type { NextPlanDeps } from './next-plan.deps.ts'
import { termsOf } from './terms.ts'

export function nextPlanRoutes(deps: NextPlanDeps): Route[] {
  const find = ({ visit, params }: { visit: SignedInVisit; params: { uuid: string } }) =>
    findOwnService(deps.db, visit.user.id, params.uuid)
  return [
    route(readCancelTerms, { access: 'verified', find }, ({ found }) => termsOf(deps, found)),
    route(
      cancelNextPlan,
      { access: 'verified', find, limits: ({ visit }) => pressLimits(visit) },
      async ({ found, visit }) => {
        await cancelPlan(deps, found, visit.session.id)
        const service = await presentOwnService(deps, { userId: found.user_id, id: found.id })
        // The service was released between the two reads.
        if (!service) throw notFound()
        return service
      },
    ),
  ]
}
