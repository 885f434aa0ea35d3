import { notFound } from '#kit/server/refusal.ts'
import { type Route, route } from '#kit/server/route.ts'
import type { SignedInVisit } from '#kit/server/visit.ts'
import type { Service } from '#features/services/services.contract.ts'
import { findOwnService, type OwnService } from '#features/services/server/own-service.store.ts'
import { presentOwnService } from '#features/services/server/services.present.ts'
import { disableAutoRenewal, enableAutoRenewal, readAutoRenewalOffer } from '../auto-renewal.contract.ts'
import { type AutoRenewalDeps, readOffer, switchOff, switchOn } from './auto-renewal.ts'

export function autoRenewalRoutes(deps: AutoRenewalDeps): Route[] {
  const find = async ({
    visit,
    params,
  }: {
    visit: SignedInVisit
    params: { uuid: string; scheduleId: string }
  }): Promise<OwnService | null> => {
    const service = await findOwnService(deps.db, visit.user.id, params.uuid)
    return service && [service.short_id, service.schedule_id].includes(params.scheduleId) ? service : null
  }
  const present = async ({ user_id: userId, id }: OwnService): Promise<Service> => {
    const service = await presentOwnService(deps, { userId, id })
    // The service was released between the two reads.
    if (!service) throw notFound()
    return service
  }
  return [
    route(readAutoRenewalOffer, { access: 'verified', find }, ({ found }) => readOffer(deps, found)),
    route(enableAutoRenewal, { access: 'verified', find }, async ({ found }) => {
      await switchOn(deps, found)
      return present(found)
    }),
    route(disableAutoRenewal, { access: 'verified', find }, async ({ found }) => {
      await switchOff(deps, found)
      return present(found)
    }),
  ]
}
