import { notFound } from '#kit/server/refusal.ts'
import { type Route, route } from '#kit/server/route.ts'
import { isUuid } from '#kit/server/uuid.ts'
import type { SignedInVisit } from '#kit/server/visit.ts'
import { findOwnService } from '#features/services/server/own-service.store.ts'
import { type AlertsView, readAlerts, saveAlerts } from '../alerts.contract.ts'
import type { AlertsDeps, KnownAlerts } from './alerts.deps.ts'
import { chooseAlerts, presentAlerts } from './alerts.ts'

export function alertRoutes(deps: AlertsDeps): Route[] {
  const find = ({ visit, params }: { visit: SignedInVisit; params: { uuid: string } }) =>
    findOwnService(deps.db, visit.user.id, params.uuid)
  const present = (known: KnownAlerts | null): AlertsView => {
    if (!known) throw notFound()
    return presentAlerts(deps, known)
  }
  return [
    route(
      readAlerts,
      {
        access: 'verified',
        read: () => deps.readAlerts,
        values: ({ params: { uuid } }) => ({ uuid: isUuid(uuid) ? uuid : '' }),
      },
      ({ data }) => present(data),
    ),
    route(saveAlerts, { access: 'verified', find }, async ({ visit, found, body }) => {
      await chooseAlerts(deps, found.id, body)
      return present(await deps.readAlerts.of(deps.db, visit.user.id, { uuid: found.id }))
    }),
  ]
}
