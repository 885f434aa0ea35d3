import { toDate } from '#kit/server/clock.ts'
import { type Route, route } from '#kit/server/route.ts'
import type { SignedInVisit, Visit } from '#kit/server/visit.ts'
import { findOwnService, type OwnService } from '#features/services/server/own-service.store.ts'
import { enterPortCode } from '../port-code.contract.ts'
import { acknowledgePortFailure, cancelOwnPort, portService, readLastPort } from '../port-service.contract.ts'
import { portingFormSchemas } from '../porting.contract.ts'
import type { PortingDeps } from './porting.deps.ts'
import { cancelPortOfService } from './cancel-own-port.ts'
import { enterCodeOfPort } from './port-code.ts'
import { destinationOf, requestPortForService } from './port-service.ts'
import { transferFaults } from './porting.ts'
import { presentLastPort } from './porting.present.ts'
import { acknowledgeFailure, latestPort } from './porting.store.ts'

export function portServiceRoutes(deps: PortingDeps): Route[] {
  const find = ({ visit, params }: { visit: SignedInVisit; params: { uuid: string } }): Promise<OwnService | null> =>
    findOwnService(deps.db, visit.user.id, params.uuid)
  const limits = ({ visit }: { visit: Visit }) => [
    { key: `port:user:${visit.user?.id ?? visit.clientIp}`, times: 20, seconds: 3_600 },
  ]
  return [
    route(
      portService,
      {
        access: 'verified',
        body: () => portingFormSchemas[deps.market.phoneRegion],
        find,
        limits,
        alsoWrong: ({ found, body }) => transferFaults(deps, destinationOf(found), body),
      },
      ({ found, body }) => requestPortForService(deps, found, body),
    ),
    route(readLastPort, { access: 'verified', find }, async ({ found }) =>
      presentLastPort(await latestPort(deps.db, found.id)),
    ),
    route(
      cancelOwnPort,
      {
        access: 'verified',
        find,
        limits: ({ visit }) => [
          { key: `port-cancel:user:${visit.user?.id ?? visit.clientIp}`, times: 20, seconds: 3_600 },
        ],
      },
      ({ found }) => cancelPortOfService(deps, found),
    ),
    route(
      enterPortCode,
      {
        access: 'verified',
        find,
        limits: ({ visit }) => [
          { key: `port-code:user:${visit.user?.id ?? visit.clientIp}`, times: 20, seconds: 3_600 },
        ],
      },
      ({ found, body }) => enterCodeOfPort(deps, found, body.code),
    ),
    route(acknowledgePortFailure, { access: 'verified', find }, async ({ found }) => {
      const at = await acknowledgeFailure(deps.db, found.id, toDate(deps.clock.now()))
      return { failure_acknowledged_at: at?.toISOString() ?? null }
    }),
  ]
}
