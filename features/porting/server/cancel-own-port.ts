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
 * A customer calls the transfer of their service off, as the provider's people can. Once it is, they need not be told of it as of a
 * failure.
 * @throws 400 when none is under way, and when the network has said that it is too late
 */
export async function cancelPortOfService(
  deps: PortingDeps,
  { id, user_id: userId }: OwnService,
): Promise<Told | { status: 202; body: Told }> {
  const port = await latestPort(deps.db, id)
  // The same asked again, whose first answer was lost.
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
    // It ended while we looked at it.
    case 'impossible':
      throw invalidForm(portServiceMessages.none)
  }
}
