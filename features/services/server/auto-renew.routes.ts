import { notFound } from '#kit/server/refusal.ts'
import { type Route, route } from '#kit/server/route.ts'
import type { Visit } from '#kit/server/visit.ts'
import { disableAutoRenew, enableAutoRenew } from '../auto-renew.contract.ts'
import type { Service } from '../services.contract.ts'
import { type AutoRenewDeps, disableAutoRenewal, enableAutoRenewal } from './auto-renew.ts'
import { findOwnService, type OwnService } from './own-service.store.ts'
import { presentServices } from './services.present.ts'

export function autoRenewRoutes(deps: AutoRenewDeps): Route[] {
  const find = async ({
    visit,
    params,
  }: {
    visit: Visit
    params: { uuid: string; scheduleId: string }
  }): Promise<OwnService | null> => {
    const service = visit.user && (await findOwnService(deps.db, visit.user.id, params.uuid))
    return service && [service.short_id, service.schedule_id].includes(params.scheduleId) ? service : null
  }
  const present = async ({ user_id: userId, id }: OwnService): Promise<Service> => {
    const service = (await presentServices(deps, userId))[id]
    // Released between two looks.
    if (!service) throw notFound()
    return service
  }
  return [
    route(enableAutoRenew, { access: 'verified', find }, async ({ found }) => {
      await enableAutoRenewal(deps, found)
      return present(found)
    }),
    route(disableAutoRenew, { access: 'verified', find }, async ({ found }) => {
      await disableAutoRenewal(deps, found)
      return present(found)
    }),
  ]
}
