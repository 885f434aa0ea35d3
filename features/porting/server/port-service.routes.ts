import { toDate } from '#kit/server/clock.ts'
import { type Route, route } from '#kit/server/route.ts'
import type { SignedInVisit, Visit } from '#kit/server/visit.ts'
import { findOwnService, type OwnService } from '#features/services/server/own-service.store.ts'
import { acknowledgePortFailure, portService } from '../port-service.contract.ts'
import type { PortingDeps } from './porting.deps.ts'
import { requestPortForService } from './port-service.ts'
import { acknowledgeFailure } from './porting.store.ts'

export function portServiceRoutes(deps: PortingDeps): Route[] {
  const find = ({ visit, params }: { visit: SignedInVisit; params: { uuid: string } }): Promise<OwnService | null> =>
    findOwnService(deps.db, visit.user.id, params.uuid)
  const limits = ({ visit }: { visit: Visit }) => [
    { key: `port:user:${visit.user?.id ?? visit.clientIp}`, times: 20, seconds: 3_600 },
  ]
  return [
    route(portService, { access: 'verified', find, limits }, ({ found, body }) =>
      requestPortForService(deps, found, body),
    ),
    route(acknowledgePortFailure, { access: 'verified', find }, async ({ found }) => {
      const at = await acknowledgeFailure(deps.db, found.id, toDate(deps.clock.now()))
      return { failure_acknowledged_at: at?.toISOString() ?? null }
    }),
  ]
}
