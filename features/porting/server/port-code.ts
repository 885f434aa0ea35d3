import type { EndpointOutput } from '#kit/contract/endpoint.ts'
import { audit } from '#kit/server/audit.ts'
import { transact } from '#kit/server/db.ts'
import { badRequest, formError } from '#kit/server/http-error.ts'
import type { ServiceWithPlanRow } from '#features/services/server/own-service.store.ts'
import { type enterPortCode, portCodeMessages } from '../port-code.contract.ts'
import { isTransferOver, toWireStatus } from '../porting.states.ts'
import { recordPortResponse } from './port-response.ts'
import { getCurrentStep } from './port-progress.ts'
import type { PortingDeps } from './porting.deps.ts'
import { findMilestonesOfPort } from './porting-milestones.store.ts'
import { findLatestPort, type PortingRequest, portQueue } from './porting.store.ts'

type EnterCodeResponse = EndpointOutput<typeof enterPortCode>

/**
 * Passes the customer's confirmation code to the network. The code is sent to the old SIM, so only its holder can read
 * it, and we do not store it. If a response is lost, the network accepts the same code again.
 * @throws 400 when the network rejects the code, or is not waiting for one
 */
export async function submitPortCode(
  deps: PortingDeps,
  { id, user_id: userId }: ServiceWithPlanRow,
  code: string,
): Promise<EnterCodeResponse | { status: 202; body: EnterCodeResponse }> {
  const port = await findLatestPort(deps.db, id)
  // The client may be repeating a request whose response was lost.
  if (port && (await hasNumberMoved(deps, port))) return { status: toWireStatus(port.status) }
  if (deps.market.code !== 'AU' || !port || !(await isAwaitingCode(deps, port)))
    throw formError(portCodeMessages.notAwaited)
  const { external_id: externalId } = port
  const details = { transfer: externalId }
  await audit(deps.db, deps.clock, { event: 'number_transfer_code_entered', userId, details })
  const codeResponse = await deps.network.sendDonorCode({ externalId, code })
  if (codeResponse.outcome === 'unknown') {
    /*
     * The network may have received the code although its response is missing. A job checks this, so that the customer
     * need not wait for another timeout.
     */
    await deps.jobs.send(deps.db, portQueue, externalId)
    return { status: 202, body: { status: toWireStatus(port.status) } }
  }
  // After a rejected code, the transfer may still be waiting for a code, or it may have failed.
  const portState = codeResponse.outcome === 'known' ? codeResponse : await deps.network.read(externalId)
  if (portState.outcome === 'known') await transact(deps.db, (trx) => recordPortResponse(trx, deps, port, portState))
  return getResponseAfterCode(deps, id, codeResponse.outcome === 'known')
}

async function getResponseAfterCode(
  deps: PortingDeps,
  serviceId: string,
  isAccepted: boolean,
): Promise<EnterCodeResponse> {
  const port = await findLatestPort(deps.db, serviceId)
  if (!port) throw new Error('a transfer is gone')
  if (!isAccepted && (await isAwaitingCode(deps, port))) throw badRequest({ code: [portCodeMessages.wrong] })
  return { status: toWireStatus(port.status) }
}

const isAwaitingCode = async (deps: PortingDeps, port: PortingRequest): Promise<boolean> =>
  !isTransferOver(port.status) && port.status !== 'CANCELLING' && (await findCurrentStep(deps, port)) === 'reply'

const hasNumberMoved = async (deps: PortingDeps, port: PortingRequest): Promise<boolean> =>
  port.status === 'COMPLETED' || (!isTransferOver(port.status) && (await findCurrentStep(deps, port)) === 'moving')

const findCurrentStep = async (deps: PortingDeps, port: PortingRequest) =>
  getCurrentStep(deps, port, await findMilestonesOfPort(deps.db, port.id)).step
