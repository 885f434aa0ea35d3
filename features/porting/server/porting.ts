import type { Market } from '#kit/contract/bootstrap.ts'
import type { FieldErrors } from '#kit/contract/errors.ts'
import { parseDomesticMobile } from '#kit/contract/phone.ts'
import type { Actor } from '#kit/server/actor.ts'
import type { Clock } from '#kit/server/clock.ts'
import { transact, type Trx } from '#kit/server/db.ts'
import { collectErrors, badRequest } from '#kit/server/http-error.ts'
import type { NetworkAnswer } from '#providers/network/network.port.ts'
import { findService, isOwnNumber } from '#features/services/server/services.store.ts'
import { type PortingForm, portingMessages } from '../porting.contract.ts'
import { recordPortResponse, recordNoResponse } from './port-response.ts'
import type { PortingDeps } from './porting.deps.ts'
import { insertPortEvent } from './porting-events.store.ts'
import { donorExists, insertPort, markPortSubmitted, type PortingRequest } from './porting.store.ts'
import { isReservedByAnother, reassignReservation, reserveNumber } from './reserved-numbers.store.ts'

export async function reserveTransferNumber(trx: Trx, number: string, holder: string): Promise<boolean> {
  /*
   * Check our own numbers after the reservation, because a transfer that has just completed may have given the number
   * to one of our services.
   */
  return (await reserveNumber(trx, number, holder)) && !(await isOwnNumber(trx, number))
}

export async function requestPortForOrder(
  trx: Trx,
  { clock, market }: Pick<PortingDeps, 'clock' | 'market'>,
  port: { serviceId: string; orderId: string; orderCode: string; userId: string; form: PortingForm },
): Promise<void> {
  const { serviceId, orderId, orderCode, userId, form } = port
  const actor = { by: 'customer', userId } as const
  const msisdn = parseTransferNumber(market, form)
  await reassignReservation(trx, orderId, serviceId)
  // Orders that were paid for before number reservations existed have no reservation to reassign.
  await reserveNumber(trx, msisdn, serviceId)
  await insertRequestedPort(
    trx,
    { clock, actor },
    { externalId: `${orderCode}-port-1`, serviceId, orderId, msisdn, form },
  )
}

export async function insertRequestedPort(
  trx: Trx,
  { clock, actor }: { clock: Clock; actor: Actor },
  port: Parameters<typeof insertPort>[1],
): Promise<void> {
  const now = clock.now()
  await insertPortEvent(trx, await insertPort(trx, port, now), { event: 'requested', actor }, now)
}

/** The number to transfer, in E.164 format. The form's contract has already validated the number. */
export function parseTransferNumber({ phoneRegion }: Market, form: Pick<PortingForm, 'msisdn'>): string {
  const number = parseDomesticMobile(form.msisdn, phoneRegion)
  if (number === null) throw new Error('a number was accepted that cannot be read')
  return number
}

/**
 * The service that receives a transferred number. `msisdn` is its current number, and `holder` may already have
 * reserved the new number.
 */
type PortDestination = { msisdn: string | null; holder: string | null }

export const validateTransfer = (
  { db, market }: Pick<PortingDeps, 'db' | 'market'>,
  to: PortDestination,
  { msisdn, provider }: Partial<PortingForm>,
): Promise<FieldErrors> =>
  collectErrors(
    async () => {
      if (msisdn === undefined) return
      const number = parseTransferNumber(market, { msisdn })
      if (number === to.msisdn) throw badRequest({ msisdn: [portingMessages.ownNumber] })
      if ((await isReservedByAnother(db, number, to.holder)) || (await isOwnNumber(db, number)))
        throw badRequest({ msisdn: [portingMessages.taken] })
    },
    async () => {
      if (provider !== undefined && !(await donorExists(db, provider)))
        throw badRequest({ provider: [portingMessages.provider] })
    },
  )

export async function submitOrPollPort(deps: PortingDeps, port: PortingRequest): Promise<'known' | 'unknown'> {
  const existingResponse =
    port.handed_in_at !== null && (await deps.network.read(port.external_id, { portingMsisdn: port.msisdn }))
  if (existingResponse && existingResponse.outcome !== 'absent') return recordResponse(deps, port, existingResponse)
  const submittedPort = await markPortSubmitted(deps.db, port)
  // Another worker is submitting the transfer, or the transfer has been cancelled.
  if (!submittedPort) return 'known'
  return recordResponse(deps, submittedPort, await submitPort(deps, submittedPort))
}

async function recordResponse(
  deps: PortingDeps,
  port: PortingRequest,
  answer: NetworkAnswer,
): Promise<'known' | 'unknown'> {
  if (answer.outcome === 'unknown') {
    await recordNoResponse(deps, port, answer)
    return 'unknown'
  }
  await transact(deps.db, (trx) => recordPortResponse(trx, deps, port, answer))
  return 'known'
}

async function submitPort(deps: PortingDeps, port: PortingRequest): Promise<NetworkAnswer> {
  const service = await findService(deps.db, port.service_id)
  if (!service) throw new Error('a transfer without a service')
  return deps.network.place({
    externalId: port.external_id,
    kind: 'port_in',
    iccid: service.iccid,
    msisdn: service.msisdn,
    portingMsisdn: port.msisdn,
    donorProviderId: port.provider_id,
    billingMethod: port.billing_method,
    ...(port.prepaid_sim_number && { donorIccid: port.prepaid_sim_number }),
    ...(port.account_number && { donorAccountNumber: port.account_number }),
  })
}
