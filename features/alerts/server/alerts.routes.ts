import { notFound } from '#kit/server/http-error.ts'
import { type Route, route } from '#kit/server/route.ts'
import { isUuid } from '#kit/server/uuid.ts'
import type { SignedInContext } from '#kit/server/request-context.ts'
import { findOwnService } from '#features/services/server/own-service.store.ts'
import { type AlertsView, readAlerts, saveAlerts } from '../alerts.contract.ts'
import type { AlertsDeps, StoredAlerts } from './alerts.deps.ts'
import { saveAlertChoices, presentAlerts } from './alerts.ts'

export function alertRoutes(deps: AlertsDeps): Route[] {
  const findService = ({ visit, params }: { visit: SignedInContext; params: { uuid: string } }) =>
    findOwnService(deps.db, visit.user.id, params.uuid)
  const presentAlertsOrThrow = (storedAlerts: StoredAlerts | null): AlertsView => {
    if (!storedAlerts) throw notFound()
    return presentAlerts(deps, storedAlerts)
  }
  return [
    route(
      readAlerts,
      {
        access: 'verified',
        read: () => deps.readAlerts,
        values: ({ params: { uuid } }) => ({ uuid: isUuid(uuid) ? uuid : '' }),
      },
      ({ data }) => presentAlertsOrThrow(data),
    ),
    route(saveAlerts, { access: 'verified', find: findService }, async ({ visit, found, body }) => {
      await saveAlertChoices(deps, found.id, body)
      return presentAlertsOrThrow(await deps.readAlerts.of(deps.db, visit.user.id, { uuid: found.id }))
    }),
  ]
}
