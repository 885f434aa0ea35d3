import type { OutputOf } from '#kit/contract/endpoint.ts'
import { audit } from '#kit/server/audit.ts'
import { transact } from '#kit/server/db.ts'
import { invalid, invalidForm } from '#kit/server/refusal.ts'
import type { OwnService } from '#features/services/server/own-service.store.ts'
import { type enterPortCode, portCodeMessages } from '../port-code.contract.ts'
import { isOver, wireStatus } from '../porting.states.ts'
import { recordAnswer } from './port-answer.ts'
import { stepOf } from './port-progress.ts'
import type { PortingDeps } from './porting.deps.ts'
import { milestonesOfPort } from './porting-milestones.store.ts'
import { latestPort, type PortingRequest, portRetries } from './porting.store.ts'

type Told = OutputOf<typeof enterPortCode>

/**
 * Passes the network the confirmation code, which only the holder of the old SIM can read. The code is not stored.
 * Entering it again after a lost response is idempotent at the network.
 * @throws 400 when the network rejects the code, and when no code is awaited
 */
export async function enterCodeOfPort(
  deps: PortingDeps,
  { id, user_id: userId }: OwnService,
  code: string,
): Promise<Told | { status: 202; body: Told }> {
  const port = await latestPort(deps.db, id)
  // The request is a repeat whose first response was lost.
  if (port && (await hasCome(deps, port))) return { status: wireStatus(port.status) }
  if (deps.market.code !== 'AU' || !port || !(await awaitsCode(deps, port)))
    throw invalidForm(portCodeMessages.notAwaited)
  const { external_id: externalId } = port
  const details = { transfer: externalId }
  await audit(deps.db, deps.clock, { event: 'number_transfer_code_entered', userId, details })
  const answer = await deps.network.sendDonorCode({ externalId, code })
  if (answer.outcome === 'unknown') {
    // The code may have arrived all the same. A job checks, so that the customer does not wait for a second timeout.
    await deps.jobs.send(deps.db, portRetries, externalId)
    return { status: 202, body: { status: wireStatus(port.status) } }
  }
  // After a rejection, the transfer may still await the code, or may be over.
  const stands = answer.outcome === 'known' ? answer : await deps.network.read(externalId)
  if (stands.outcome === 'known') await transact(deps.db, (trx) => recordAnswer(trx, deps, port, stands))
  return toldAfter(deps, id, answer.outcome === 'known')
}

async function toldAfter(deps: PortingDeps, serviceId: string, isTaken: boolean): Promise<Told> {
  const port = await latestPort(deps.db, serviceId)
  if (!port) throw new Error('a transfer is gone')
  if (!isTaken && (await awaitsCode(deps, port))) throw invalid({ code: [portCodeMessages.wrong] })
  return { status: wireStatus(port.status) }
}

const awaitsCode = async (deps: PortingDeps, port: PortingRequest): Promise<boolean> =>
  !isOver(port.status) && port.status !== 'CANCELLING' && (await stepNow(deps, port)) === 'reply'

const hasCome = async (deps: PortingDeps, port: PortingRequest): Promise<boolean> =>
  port.status === 'COMPLETED' || (!isOver(port.status) && (await stepNow(deps, port)) === 'moving')

const stepNow = async (deps: PortingDeps, port: PortingRequest) =>
  stepOf(deps, port, await milestonesOfPort(deps.db, port.id)).step
