import { notFound } from '#kit/server/http-error.ts'
import { type Route, route } from '#kit/server/route.ts'
import type { SignedInContext } from '#kit/server/request-context.ts'
import type { Service } from '#features/services/services.contract.ts'
import { findOwnService, type ServiceWithPlanRow } from '#features/services/server/own-service.store.ts'
import { presentOwnService } from '#features/services/server/services.present.ts'
import { disableAutoRenewal, enableAutoRenewal, readAutoRenewalOffer } from '../auto-renewal.contract.ts'
import {
  type AutoRenewalDeps,
  readServiceAutoRenewalOffer,
  disableServiceAutoRenewal,
  enableServiceAutoRenewal,
} from './auto-renewal.ts'

export function autoRenewalRoutes(deps: AutoRenewalDeps): Route[] {
  const findService = async ({
    visit,
    params,
  }: {
    visit: SignedInContext
    params: { uuid: string; scheduleId: string }
  }): Promise<ServiceWithPlanRow | null> => {
    const service = await findOwnService(deps.db, visit.user.id, params.uuid)
    return service && [service.short_id, service.schedule_id].includes(params.scheduleId) ? service : null
  }
  const presentService = async ({ user_id: userId, id }: ServiceWithPlanRow): Promise<Service> => {
    const service = await presentOwnService(deps, { userId, id })
    // The service may have been released since it was found.
    if (!service) throw notFound()
    return service
  }
  return [
    route(readAutoRenewalOffer, { access: 'verified', find: findService }, ({ found }) =>
      readServiceAutoRenewalOffer(deps, found),
    ),
    route(enableAutoRenewal, { access: 'verified', find: findService }, async ({ found }) => {
      await enableServiceAutoRenewal(deps, found)
      return presentService(found)
    }),
    route(disableAutoRenewal, { access: 'verified', find: findService }, async ({ found }) => {
      await disableServiceAutoRenewal(deps, found)
      return presentService(found)
    }),
  ]
}
