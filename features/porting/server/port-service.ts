import type { BodyOf } from '#kit/contract/endpoint.ts'
import { audit } from '#kit/server/audit.ts'
import { isUniqueViolation, transact } from '#kit/server/db.ts'
import { toDate } from '#kit/server/clock.ts'
import { invalid, invalidForm, refuseAny } from '#kit/server/refusal.ts'
import type { OwnService } from '#features/services/server/own-service.store.ts'
import { portingMessages } from '../porting.contract.ts'
import { type portService, portServiceMessages } from '../port-service.contract.ts'
import { portingStatus } from '../porting.states.ts'
import type { PortingDeps } from './porting.deps.ts'
import { followPortJob } from './porting.jobs.ts'
import { numberToBring, reserveNumberToBring, transferFaults } from './porting.ts'
import { acknowledgeFailure, countPorts, insertPort, latestPort } from './porting.store.ts'

export const destinationOf = ({ id, msisdn }: OwnService) => ({ msisdn, holder: id })

/**
 * Asks for another provider's number to be moved to a service.
 * @throws 400 for a number or provider that cannot be, for a number that is here or on its way, and while a transfer is under way or done
 */
export async function requestPortForService(
  deps: PortingDeps,
  service: OwnService,
  form: BodyOf<typeof portService>,
): Promise<{ status: 1 | 2 | 3 | 4 }> {
  refuseAny(await transferFaults(deps, destinationOf(service), form))
  const number = numberToBring(deps.market, form)
  try {
    await transact(deps.db, async (trx) => {
      const latest = await latestPort(trx, service.id)
      if (latest?.status === 'COMPLETED') throw invalidForm(portServiceMessages.done)
      if (latest && latest.status !== 'FAILED') throw invalidForm(portServiceMessages.underWay)
      if (!(await reserveNumberToBring(trx, number, service.id))) throw invalid({ msisdn: [portingMessages.taken] })
      const now = deps.clock.now()
      // Another try is news enough of the last one.
      if (latest) await acknowledgeFailure(trx, service.id, toDate(now))
      const externalId = `${service.id}-port-${(await countPorts(trx, service.id)) + 1}`
      await insertPort(trx, { externalId, serviceId: service.id, orderId: null, msisdn: number, form }, now)
      await deps.jobs.send(trx, followPortJob, { externalId })
      await audit(trx, deps.clock, {
        event: 'number_transfer_requested',
        userId: service.user_id,
        details: { service: service.id },
      })
    })
  } catch (error) {
    // Two presses at once: the other one was first.
    if (isUniqueViolation(error)) throw invalidForm(portServiceMessages.underWay)
    throw error
  }
  return { status: portingStatus.NEW }
}
