import { type Route, route } from '#kit/server/route.ts'
import type { SignedInVisit } from '#kit/server/visit.ts'
import { findOwnService } from '#features/services/server/own-service.store.ts'
import { readAlerts, saveAlerts } from '../alerts.contract.ts'
import type { AlertsDeps } from './alerts.deps.ts'
import { alertsOf, chooseAlerts, ownAlerts } from './alerts.ts'

export function alertRoutes(deps: AlertsDeps): Route[] {
  const find = ({ visit, params }: { visit: SignedInVisit; params: { uuid: string } }) =>
    findOwnService(deps.db, visit.user.id, params.uuid)
  return [
    route(
      readAlerts,
      { access: 'verified', find: ({ visit, params }) => ownAlerts(deps, visit.user.id, params.uuid) },
      async ({ found }) => found,
    ),
    route(saveAlerts, { access: 'verified', find }, async ({ found, body }) => {
      await chooseAlerts(deps, found.id, body)
      return alertsOf(deps, [found.id])
    }),
  ]
}
