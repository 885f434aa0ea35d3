import type { EndpointBody } from '#kit/contract/endpoint.ts'
import type { Actor } from '#kit/server/actor.ts'
import { audit } from '#kit/server/audit.ts'
import { isUniqueViolation, transact, type Trx } from '#kit/server/db.ts'
import { toDate } from '#kit/server/clock.ts'
import { badRequest, formError, throwIfInvalid } from '#kit/server/http-error.ts'
import type { ServiceWithPlanRow } from '#features/services/server/own-service.store.ts'
import { type PortingForm, portingMessages } from '../porting.contract.ts'
import { type portService, portServiceMessages } from '../port-service.contract.ts'
import { hasEndedWithoutTransfer, portingStatusCodes } from '../porting.states.ts'
import type { PortingDeps } from './porting.deps.ts'
import { parseTransferNumber, reserveTransferNumber, validateTransfer, insertRequestedPort } from './porting.ts'
import { acknowledgeFailure, countPorts, findLatestPort, lockPort, portQueue } from './porting.store.ts'

type PortedService = Pick<ServiceWithPlanRow, 'id' | 'msisdn' | 'user_id'>

export const getPortDestination = ({ id, msisdn }: PortedService) => ({ msisdn, holder: id })

/**
 * Requests a number transfer for an existing service.
 * @throws 400 if the number or provider is invalid, the number is ours or already being transferred to us, or the
 * service's own transfer is in progress or complete
 */
export async function requestPortForService(
  deps: PortingDeps,
  service: ServiceWithPlanRow,
  form: EndpointBody<typeof portService>,
): Promise<{ status: 1 | 2 | 3 | 4 }> {
  throwIfInvalid(await validateTransfer(deps, getPortDestination(service), form))
  const actor = { by: 'customer', userId: service.user_id } as const
  try {
    await transact(deps.db, async (trx) => {
      const latestRequest = await findLatestPort(trx, service.id)
      // Lock the transfer before the number's reservation, as a resubmission does. The opposite order could deadlock.
      const lockedRequest = latestRequest && (await lockPort(trx, latestRequest.external_id))
      if (lockedRequest?.status === 'COMPLETED') throw formError(portServiceMessages.done)
      if (lockedRequest && !hasEndedWithoutTransfer(lockedRequest.status)) throw formError(portServiceMessages.underWay)
      await insertNextPort(trx, deps, { service, form, actor })
    })
  } catch (error) {
    // A concurrent request has already created a transfer.
    if (isUniqueViolation(error)) throw formError(portServiceMessages.underWay)
    throw error
  }
  return { status: portingStatusCodes.NEW }
}

/**
 * Records a new transfer for a service whose earlier transfers have ended. Returns the ID under which the network will
 * know the transfer.
 * @throws 400 if the number is ours or already being transferred to us
 */
export async function insertNextPort(
  trx: Trx,
  deps: PortingDeps,
  { service, form, actor }: { service: PortedService; form: PortingForm; actor: Actor },
): Promise<string> {
  const msisdn = parseTransferNumber(deps.market, form)
  if (!(await reserveTransferNumber(trx, msisdn, service.id))) throw badRequest({ msisdn: [portingMessages.taken] })
  // A new request makes the previous transfer's failure notice obsolete.
  await acknowledgeFailure(trx, service.id, toDate(deps.clock.now()))
  const externalId = `${service.id}-port-${(await countPorts(trx, service.id)) + 1}`
  const port = { externalId, serviceId: service.id, orderId: null, msisdn, form }
  await insertRequestedPort(trx, { clock: deps.clock, actor }, port)
  await deps.jobs.send(trx, portQueue, externalId)
  await audit(trx, deps.clock, {
    event: 'number_transfer_requested',
    userId: service.user_id,
    actor,
    details: { service: service.id },
  })
  return externalId
}
