import type { EndpointOutput } from '#kit/contract/endpoint.ts'
import { toDate } from '#kit/server/clock.ts'
import { formError } from '#kit/server/http-error.ts'
import type { ServiceWithPlanRow } from '#features/services/server/own-service.store.ts'
import { type cancelOwnPort, portServiceMessages } from '../port-service.contract.ts'
import { isTransferOver, portingStatusCodes } from '../porting.states.ts'
import { cancelPort } from './cancel-port.ts'
import type { PortingDeps } from './porting.deps.ts'
import { acknowledgeFailure, findLatestPort } from './porting.store.ts'

type CancelResponse = EndpointOutput<typeof cancelOwnPort>

/**
 * Cancels the transfer of a service's number at the customer's request. The customer does not have to acknowledge the
 * cancelled transfer as a failure.
 * @throws 400 when no transfer is in progress, or when the network replies that it is too late to cancel
 */
export async function cancelServicePort(
  deps: PortingDeps,
  { id, user_id: userId }: ServiceWithPlanRow,
): Promise<CancelResponse | { status: 202; body: CancelResponse }> {
  const port = await findLatestPort(deps.db, id)
  // The client may be repeating a request whose response was lost.
  if (port?.status === 'CANCELLED') return { status: portingStatusCodes.FAILED }
  if (!port || isTransferOver(port.status)) throw formError(portServiceMessages.none)
  const cancelOutcome = await cancelPort(deps, port.external_id, { by: 'customer', userId })
  switch (cancelOutcome.outcome) {
    case 'cancelled':
      await acknowledgeFailure(deps.db, id, toDate(deps.clock.now()))
      return { status: portingStatusCodes.FAILED }
    case 'undecided':
      return { status: 202, body: { status: portingStatusCodes.SUBMITTED } }
    case 'refused':
      throw formError(portServiceMessages.tooLate)
    case 'over':
      throw formError(cancelOutcome.status === 'COMPLETED' ? portServiceMessages.done : portServiceMessages.none)
    case 'impossible':
      throw formError(portServiceMessages.none)
  }
}
