import { portAnswers } from '#quality/support/journey.ts'
import type { Service } from '#features/services/services.contract.ts'
import { askDesk, tryDesk } from './desk.ts'
import { type Bought, type Life, tell } from './life.ts'

/** The operator refunds the whole activation. A repeated request refunds it only once. */
export async function refund(
  { world, diary, email }: Life,
  _service: Service,
  { order_code: code, cents }: Bought,
): Promise<void> {
  if (cents === 0) return
  const { refused } = await askDesk(world.processes, ['orders', 'refund', code, '--reason', 'asked for'], world.signal)
  if (!refused) tell(diary, { order_code: code, kind: 'refund', paid_with: 'card', cents, email, said: 'accepted' })
}

/** A person refunds a part, and does not repeat the refund when its outcome is unknown. */
export async function refundPart(
  { world }: Life,
  _service: Service,
  { order_code: code, cents }: Bought,
): Promise<void> {
  if (cents > 0) await tryDesk(world.processes, ['orders', 'refund', code, '--amount', '1.00', '--reason', 'asked for'])
}

export async function transfer({ world, browser, random }: Life, service: Service): Promise<void> {
  const isCalledOff = random.chance(0.5)
  const number = world.portableNumber(isCalledOff ? 'waits_for_donor' : 'completes')
  const { status } = await browser.post(`/api/services/port/${service.uuid}/`, portAnswers(number))
  if (status === 200 && isCalledOff) await askDesk(world.processes, ['ports', 'cancel', number], world.signal)
}

const disputes = [
  ['NOTIFICATION_OF_CHARGEBACK'],
  ['NOTIFICATION_OF_CHARGEBACK', 'CHARGEBACK'],
  ['NOTIFICATION_OF_CHARGEBACK', 'CHARGEBACK', 'CHARGEBACK_REVERSED'],
] as const

export async function dispute(
  { world, random }: Life,
  _service: Service,
  { order_code: code, cents }: Bought,
): Promise<void> {
  if (cents === 0) return
  const line = world.gateway.ledger().find((row) => row.reference.startsWith(`${code}-`) && row.captured > 0)
  if (!line) return
  for (const event of random.pick(disputes)) await world.tellGateway('disputes', { reference: line.reference, event })
}

export async function erase({ world, email }: Life): Promise<void> {
  const { body } = await askDesk(world.processes, ['customers', 'find', email], world.signal)
  const id = body?.customers?.[0]?.id
  if (id) await askDesk(world.processes, ['customers', 'erase', id, '--yes'], world.signal)
}
