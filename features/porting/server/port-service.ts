import type { BodyOf } from '#kit/contract/endpoint.ts'
import type { Actor } from '#kit/server/actor.ts'
import { audit } from '#kit/server/audit.ts'
import { isUniqueViolation, transact, type Trx } from '#kit/server/db.ts'
import { toDate } from '#kit/server/clock.ts'
import { invalid, invalidForm, refuseAny } from '#kit/server/refusal.ts'
import type { OwnService } from '#features/services/server/own-service.store.ts'
import { type PortingForm, portingMessages } from '../porting.contract.ts'
import { type portService, portServiceMessages } from '../port-service.contract.ts'
import { hasNotCome, portingStatus } from '../porting.states.ts'
import type { PortingDeps } from './porting.deps.ts'
import { numberToBring, reserveNumberToBring, transferFaults, writePort } from './porting.ts'
import { acknowledgeFailure, countPorts, latestPort, lockPort, portRetries } from './porting.store.ts'

type PortedService = Pick<OwnService, 'id' | 'msisdn' | 'user_id'>

export const destinationOf = ({ id, msisdn }: PortedService) => ({ msisdn, holder: id })

/**
 * @throws 400 for an invalid number or provider, or a number that is ours or is being transferred to us; also while a
 * transfer of the service is under way or has completed
 */
export async function requestPortForService(
  deps: PortingDeps,
  service: OwnService,
  form: BodyOf<typeof portService>,
): Promise<{ status: 1 | 2 | 3 | 4 }> {
  refuseAny(await transferFaults(deps, destinationOf(service), form))
  const actor = { by: 'customer', userId: service.user_id } as const
  try {
    await transact(deps.db, async (trx) => {
      const last = await latestPort(trx, service.id)
      // Lock order: the transfer before the number's reservation, as in a resubmission. The opposite order could
      // deadlock.
      const latest = last && (await lockPort(trx, last.external_id))
      if (latest?.status === 'COMPLETED') throw invalidForm(portServiceMessages.done)
      if (latest && !hasNotCome(latest.status)) throw invalidForm(portServiceMessages.underWay)
      await requestNextPort(trx, deps, { service, form, actor })
    })
  } catch (error) {
    // A simultaneous request was first.
    if (isUniqueViolation(error)) throw invalidForm(portServiceMessages.underWay)
    throw error
  }
  return { status: portingStatus.NEW }
}

/**
 * Records the next transfer of a service that has none under way, and returns the transfer's id at the network.
 * @throws 400 for a number that is ours or is being transferred to us
 */
export async function requestNextPort(
  trx: Trx,
  deps: PortingDeps,
  { service, form, actor }: { service: PortedService; form: PortingForm; actor: Actor },
): Promise<string> {
  const msisdn = numberToBring(deps.market, form)
  if (!(await reserveNumberToBring(trx, msisdn, service.id))) throw invalid({ msisdn: [portingMessages.taken] })
  // A new request supersedes the failure notice of the last one.
  await acknowledgeFailure(trx, service.id, toDate(deps.clock.now()))
  const externalId = `${service.id}-port-${(await countPorts(trx, service.id)) + 1}`
  const port = { externalId, serviceId: service.id, orderId: null, msisdn, form }
  await writePort(trx, { clock: deps.clock, actor }, port)
  await deps.jobs.send(trx, portRetries, externalId)
  await audit(trx, deps.clock, {
    event: 'number_transfer_requested',
    userId: service.user_id,
    actor,
    details: { service: service.id },
  })
  return externalId
}
