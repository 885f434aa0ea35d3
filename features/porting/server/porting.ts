import type { Market } from '#kit/contract/bootstrap.ts'
import { parseMobile } from '#kit/contract/phone.ts'
import { toDate } from '#kit/server/clock.ts'
import { transact, type Trx } from '#kit/server/db.ts'
import { invalid } from '#kit/server/refusal.ts'
import { backOff } from '#kit/server/retries.ts'
import type { NetworkAnswer } from '#providers/network/network.port.ts'
import { changeNumber, findService } from '#features/services/server/services.store.ts'
import { type PortingForm, portingMessages } from '../porting.contract.ts'
import { isOver, type PortingEvent, type PortingStatus } from '../porting.states.ts'
import type { PortingDeps } from './porting.deps.ts'
import { sendPortMail } from './porting.mail.ts'
import { insertPort, movePort, type PortingRequest, retryPortIn } from './porting.store.ts'

/** Writes a transfer down; it is handed in by `submitOrPollPort`, however often that takes. */
export async function requestPortForOrder(
  trx: Trx,
  port: { serviceId: string; orderId: string; orderCode: string; form: PortingForm },
  at: Temporal.Instant,
): Promise<void> {
  const { serviceId, orderId, orderCode, form } = port
  await insertPort(trx, { externalId: `${orderCode}-port-1`, serviceId, orderId, msisdn: numberInE164(form), form }, at)
}

/** The number to bring, in E.164. The contract has checked it. */
function numberInE164(form: Pick<PortingForm, 'msisdn'>): string {
  for (const region of ['NZ', 'AU'] as const) {
    const parsed = parseMobile(form.msisdn, region)
    if (typeof parsed !== 'string') return parsed.e164
  }
  throw new Error('a number was accepted that cannot be read')
}

/**
 * Reads the number to bring, as `numberInE164` does, and checks that it is one of the market's.
 * @throws 400 when it is not
 */
export function parseNumberToBring({ phoneRegion }: Market, form: Pick<PortingForm, 'msisdn'>): string {
  const number = numberInE164(form)
  if (parseMobile(number, phoneRegion) === 'invalid' || !number.startsWith(phoneRegion === 'NZ' ? '+64' : '+61'))
    throw invalid({ msisdn: [portingMessages.number] })
  return number
}

/** Hands a transfer in, or, once the network may have it, asks how it stands; `unknown` when the network gave no answer. */
export async function submitOrPollPort(deps: PortingDeps, port: PortingRequest): Promise<'known' | 'unknown'> {
  const answer = await askNetwork(deps, port)
  if (answer.outcome === 'unknown') {
    await retryPortIn(deps.db, port, backOff(port.tries, 60))
    return 'unknown'
  }
  await transact(deps.db, (trx) => recordAnswer(trx, deps, port, answer))
  return 'known'
}

async function askNetwork(deps: PortingDeps, port: PortingRequest): Promise<NetworkAnswer> {
  if (port.status === 'SUBMITTED' || port.tries > 0) {
    const known = await deps.network.read(port.external_id)
    if (known.outcome !== 'absent') return known
  }
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

async function recordAnswer(
  trx: Trx,
  deps: PortingDeps,
  port: PortingRequest,
  answer: Exclude<NetworkAnswer, { outcome: 'unknown' }>,
): Promise<void> {
  const status = answer.outcome === 'rejected' ? 'FAILED' : deps.statusOfPortAnswer(answer)
  if (status === 'NEW' || status === port.status) return retryPortIn(trx, port, port.tries < 10 ? 2 : 30)
  const over = isOver(status)
  const code = answer.outcome === 'rejected' ? answer.code : (answer.fault?.code ?? null)
  const end = over ? { failure_code: code, ended_at: toDate(deps.clock.now()) } : {}
  const moved = await movePort(trx, port, newsOf[status], end)
  if (!moved) return
  if (status === 'COMPLETED') await changeNumber(trx, port.service_id, port.msisdn)
  if (over) await sendPortMail(trx, deps, moved)
  else await retryPortIn(trx, moved, 2)
}

const newsOf: Record<Exclude<PortingStatus, 'NEW'>, PortingEvent> = {
  SUBMITTED: 'submitted',
  COMPLETED: 'completed',
  FAILED: 'failed',
}
