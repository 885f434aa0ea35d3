import type { OutputOf } from '#kit/contract/endpoint.ts'
import { toDate } from '#kit/server/clock.ts'
import { invalidForm } from '#kit/server/refusal.ts'
import type { OwnService } from '#features/services/server/own-service.store.ts'
import { type cancelOwnPort, portServiceMessages } from '../port-service.contract.ts'
import { isOver, portingStatus } from '../porting.states.ts'
import { cancelPort } from './cancel-port.ts'
import type { PortingDeps } from './porting.deps.ts'
import { acknowledgeFailure, latestPort } from './porting.store.ts'

type Told = OutputOf<typeof cancelOwnPort>

/**
 * Cancels the transfer of a customer's service at the customer's request. The failure counts as acknowledged, because
 * the customer caused it.
 * @throws 400 when no transfer is under way, and when the network replies that it is too late
 */
export async function cancelPortOfService(
  deps: PortingDeps,
  { id, user_id: userId }: OwnService,
): Promise<Told | { status: 202; body: Told }> {
  const port = await latestPort(deps.db, id)
  // The request is a repeat whose first response was lost.
  if (port?.status === 'CANCELLED') return { status: portingStatus.FAILED }
  if (!port || isOver(port.status)) throw invalidForm(portServiceMessages.none)
  const told = await cancelPort(deps, port.external_id, { by: 'customer', userId })
  switch (told.outcome) {
    case 'cancelled':
      await acknowledgeFailure(deps.db, id, toDate(deps.clock.now()))
      return { status: portingStatus.FAILED }
    case 'undecided':
      return { status: 202, body: { status: portingStatus.SUBMITTED } }
    case 'refused':
      throw invalidForm(portServiceMessages.tooLate)
    case 'over':
      throw invalidForm(told.status === 'COMPLETED' ? portServiceMessages.done : portServiceMessages.none)
    case 'impossible':
      throw invalidForm(portServiceMessages.none)
  }
}
