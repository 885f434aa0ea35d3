import type { Market } from '#kit/contract/bootstrap.ts'
import type { FieldErrors } from '#kit/contract/errors.ts'
import { parseHome } from '#kit/contract/phone.ts'
import type { Actor } from '#kit/server/actor.ts'
import type { Clock } from '#kit/server/clock.ts'
import { transact, type Trx } from '#kit/server/db.ts'
import { faultsIn, invalid } from '#kit/server/refusal.ts'
import type { NetworkAnswer } from '#providers/network/network.port.ts'
import { findService, isOurNumber } from '#features/services/server/services.store.ts'
import { type PortingForm, portingMessages } from '../porting.contract.ts'
import { recordAnswer, waitForAnswer } from './port-answer.ts'
import type { PortingDeps } from './porting.deps.ts'
import { insertPortEvent } from './porting-events.store.ts'
import { donorExists, insertPort, markHandedIn, type PortingRequest } from './porting.store.ts'
import { isReservedByAnother, passNumberOn, reserveNumber } from './reserved-numbers.store.ts'

export async function reserveNumberToBring(trx: Trx, number: string, holder: string): Promise<boolean> {
  // Checked after the reservation, because a transfer that completed in between has given the number to a service.
  return (await reserveNumber(trx, number, holder)) && !(await isOurNumber(trx, number))
}

export async function requestPortForOrder(
  trx: Trx,
  { clock, market }: Pick<PortingDeps, 'clock' | 'market'>,
  port: { serviceId: string; orderId: string; orderCode: string; userId: string; form: PortingForm },
): Promise<void> {
  const { serviceId, orderId, orderCode, userId, form } = port
  const actor = { by: 'customer', userId } as const
  const msisdn = numberToBring(market, form)
  await passNumberOn(trx, orderId, serviceId)
  // Orders that were paid for before reservations existed have no number to pass on.
  await reserveNumber(trx, msisdn, serviceId)
  await writePort(trx, { clock, actor }, { externalId: `${orderCode}-port-1`, serviceId, orderId, msisdn, form })
}

export async function writePort(
  trx: Trx,
  { clock, actor }: { clock: Clock; actor: Actor },
  port: Parameters<typeof insertPort>[1],
): Promise<void> {
  const now = clock.now()
  await insertPortEvent(trx, await insertPort(trx, port, now), { event: 'requested', actor }, now)
}

/** The number to transfer, in E.164 format. The contract has validated it. */
export function numberToBring({ phoneRegion }: Market, form: Pick<PortingForm, 'msisdn'>): string {
  const number = parseHome(form.msisdn, phoneRegion)
  if (number === null) throw new Error('a number was accepted that cannot be read')
  return number
}

/**
 * The target of a transfer: `msisdn` is the number that it replaces, and `holder` may already have the new number
 * reserved.
 */
type Destination = { msisdn: string | null; holder: string | null }

export const transferFaults = (
  { db, market }: Pick<PortingDeps, 'db' | 'market'>,
  to: Destination,
  { msisdn, provider }: Partial<PortingForm>,
): Promise<FieldErrors> =>
  faultsIn(
    async () => {
      if (msisdn === undefined) return
      const number = numberToBring(market, { msisdn })
      if (number === to.msisdn) throw invalid({ msisdn: [portingMessages.ownNumber] })
      if ((await isReservedByAnother(db, number, to.holder)) || (await isOurNumber(db, number)))
        throw invalid({ msisdn: [portingMessages.taken] })
    },
    async () => {
      if (provider !== undefined && !(await donorExists(db, provider)))
        throw invalid({ provider: [portingMessages.provider] })
    },
  )

export async function submitOrPollPort(deps: PortingDeps, port: PortingRequest): Promise<'known' | 'unknown'> {
  const known =
    port.handed_in_at !== null && (await deps.network.read(port.external_id, { portingMsisdn: port.msisdn }))
  if (known && known.outcome !== 'absent') return record(deps, port, known)
  const marked = await markHandedIn(deps.db, port)
  // Another worker is submitting the transfer, or it has been cancelled.
  if (!marked) return 'known'
  return record(deps, marked, await handIn(deps, marked))
}

async function record(deps: PortingDeps, port: PortingRequest, answer: NetworkAnswer): Promise<'known' | 'unknown'> {
  if (answer.outcome === 'unknown') {
    await waitForAnswer(deps, port, answer)
    return 'unknown'
  }
  await transact(deps.db, (trx) => recordAnswer(trx, deps, port, answer))
  return 'known'
}

async function handIn(deps: PortingDeps, port: PortingRequest): Promise<NetworkAnswer> {
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
