import { toDate } from '#kit/server/clock.ts'
import { type Route, route } from '#kit/server/route.ts'
import type { SignedInContext, RequestContext } from '#kit/server/request-context.ts'
import { findOwnService, type ServiceWithPlanRow } from '#features/services/server/own-service.store.ts'
import { enterPortCode } from '../port-code.contract.ts'
import { acknowledgePortFailure, cancelOwnPort, portService, readLastPort } from '../port-service.contract.ts'
import { portingFormSchemas } from '../porting.contract.ts'
import type { PortingDeps } from './porting.deps.ts'
import { cancelServicePort } from './cancel-own-port.ts'
import { submitPortCode } from './port-code.ts'
import { getPortDestination, requestPortForService } from './port-service.ts'
import { validateTransfer } from './porting.ts'
import { presentLastPort } from './porting.present.ts'
import { acknowledgeFailure, findLatestPort } from './porting.store.ts'

export function portServiceRoutes(deps: PortingDeps): Route[] {
  const findService = ({
    visit,
    params,
  }: {
    visit: SignedInContext
    params: { uuid: string }
  }): Promise<ServiceWithPlanRow | null> => findOwnService(deps.db, visit.user.id, params.uuid)
  const requestLimits = ({ visit }: { visit: RequestContext }) => [
    { key: `port:user:${visit.user?.id ?? visit.clientIp}`, times: 20, seconds: 3_600 },
  ]
  return [
    route(
      portService,
      {
        access: 'verified',
        body: () => portingFormSchemas[deps.market.phoneRegion],
        find: findService,
        limits: requestLimits,
        alsoWrong: ({ found, body }) => validateTransfer(deps, getPortDestination(found), body),
      },
      ({ found, body }) => requestPortForService(deps, found, body),
    ),
    route(readLastPort, { access: 'verified', find: findService }, async ({ found }) =>
      presentLastPort(await findLatestPort(deps.db, found.id)),
    ),
    route(
      cancelOwnPort,
      {
        access: 'verified',
        find: findService,
        limits: ({ visit }) => [
          { key: `port-cancel:user:${visit.user?.id ?? visit.clientIp}`, times: 20, seconds: 3_600 },
        ],
      },
      ({ found }) => cancelServicePort(deps, found),
    ),
    route(
      enterPortCode,
      {
        access: 'verified',
        find: findService,
        limits: ({ visit }) => [
          { key: `port-code:user:${visit.user?.id ?? visit.clientIp}`, times: 20, seconds: 3_600 },
        ],
      },
      ({ found, body }) => submitPortCode(deps, found, body.code),
    ),
    route(acknowledgePortFailure, { access: 'verified', find: findService }, async ({ found }) => {
      const acknowledgedAt = await acknowledgeFailure(deps.db, found.id, toDate(deps.clock.now()))
      return { failure_acknowledged_at: acknowledgedAt?.toISOString() ?? null }
    }),
  ]
}
