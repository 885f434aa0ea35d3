import { portForm } from '#quality/support/activation-journey.ts'
import type { Service } from '#features/services/services.contract.ts'
import { retryCommand, tryOperatorCommand } from './operator-commands.ts'
import { type FirstPurchase, type SimulatedCustomer, tell } from './simulated-customer.ts'

/** Has the operator refund the entire activation. If the request is repeated, the refund must still be made only once. */
export async function refundActivation(
  { world, diary, email }: SimulatedCustomer,
  _service: Service,
  { order_code: code, cents }: FirstPurchase,
): Promise<void> {
  if (cents === 0) return
  const { refused } = await retryCommand(
    world.processes,
    ['orders', 'refund', code, '--reason', 'asked for'],
    world.signal,
  )
  if (!refused) tell(diary, { order_code: code, kind: 'refund', paid_with: 'card', cents, email, said: 'accepted' })
}

/** Has staff refund part of an order. If the outcome is unknown, they don't repeat the refund. */
export async function refundPartially(
  { world }: SimulatedCustomer,
  _service: Service,
  { order_code: code, cents }: FirstPurchase,
): Promise<void> {
  if (cents > 0)
    await tryOperatorCommand(world.processes, ['orders', 'refund', code, '--amount', '1.00', '--reason', 'asked for'])
}

export async function transferNumber({ world, browser, random }: SimulatedCustomer, service: Service): Promise<void> {
  const isCancelled = random.chance(0.5)
  const number = world.portableNumber(isCancelled ? 'waits_for_donor' : 'completes')
  const { status } = await browser.post(`/api/services/port/${service.uuid}/`, portForm(number))
  if (status === 200 && isCancelled) await retryCommand(world.processes, ['ports', 'cancel', number], world.signal)
}

const disputes = [
  ['NOTIFICATION_OF_CHARGEBACK'],
  ['NOTIFICATION_OF_CHARGEBACK', 'CHARGEBACK'],
  ['NOTIFICATION_OF_CHARGEBACK', 'CHARGEBACK', 'CHARGEBACK_REVERSED'],
] as const

export async function dispute(
  { world, random }: SimulatedCustomer,
  _service: Service,
  { order_code: code, cents }: FirstPurchase,
): Promise<void> {
  if (cents === 0) return
  const line = world.gateway.ledger().find((row) => row.reference.startsWith(`${code}-`) && row.captured > 0)
  if (!line) return
  for (const event of random.pick(disputes)) await world.tellGateway('disputes', { reference: line.reference, event })
}

export async function erase({ world, email }: SimulatedCustomer): Promise<void> {
  const { body } = await retryCommand(world.processes, ['customers', 'find', email], world.signal)
  const id = body?.customers?.[0]?.id
  if (id) await retryCommand(world.processes, ['customers', 'erase', id, '--yes'], world.signal)
}
