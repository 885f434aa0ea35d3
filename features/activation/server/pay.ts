import { randomUUID } from 'node:crypto'
import type { BodyOf } from '#kit/contract/endpoint.ts'
import { fromWire } from '#kit/contract/money.ts'
import { isUniqueViolation, transact, type Trx } from '#kit/server/db.ts'
import { conflict, invalidForm } from '#kit/server/refusal.ts'
import type { Visit } from '#kit/server/visit.ts'
import { orderMessages } from '#features/orders/orders.contract.ts'
import { newOrderCode } from '#features/orders/server/order-code.ts'
import { findOrder, findOrderByKey, insertOrder, type Order } from '#features/orders/server/orders.store.ts'
import { acceptOrder, authorise } from '#features/orders/server/payments.ts'
import { insertAttempt } from '#features/orders/server/payments.store.ts'
import { answerFor } from '#features/orders/server/resume.ts'
import { isPlanOnOffer, presentProduct } from '#features/plans/server/plans.ts'
import { findProduct } from '#features/plans/server/plans.store.ts'
import { claimSim } from '#features/services/server/sim-packs.store.ts'
import { claimVoucher } from '#features/vouchers/server/vouchers.store.ts'
import { voucherMessages } from '#features/vouchers/vouchers.contract.ts'
import { activationMessages, type submitPayment } from '../activation.contract.ts'
import type { ActivationDeps } from './activation.deps.ts'
import { type ActivationRow, lockActivation, updateActivation } from './activation.store.ts'
import { stateOf } from './view.ts'

type Payment = BodyOf<typeof submitPayment>

/**
 * Pays for the session's activation: claims SIM and voucher, commits the order and its attempt, and only then asks
 * the gateway. The same key again answers the order it made the first time.
 * @throws 400 when nothing was kept, 409 when there is nothing to pay
 */
export async function pay(deps: ActivationDeps, visit: Visit, key: string | null, payment: Payment): Promise<{ order: Order; outcome: 'accepted' | 'unknown' }> {
  const sessionId = visit.session.id
  if (!sessionId) throw conflict(activationMessages.changed)
  const earlier = key ? await findOrderByKey(deps.db, sessionId, key) : undefined
  const order = earlier ?? (await placeOrder(deps, sessionId, key, payment))
  if (!earlier && order.state === 'paying') await authorise(deps, order)
  const now = (await findOrder(deps.db, order.id)) ?? order
  return { order: now, outcome: answerFor(now) }
}

async function placeOrder(deps: ActivationDeps, sessionId: string, key: string | null, payment: Payment): Promise<Order> {
  try {
    return await transact(deps.db, async (trx) => {
      const activation = await lockActivation(trx, sessionId)
      if (!activation || activation.state !== 'PAYMENT') throw conflict(activationMessages.changed)
      const open = activation.order_id ? await findOrder(trx, activation.order_id) : undefined
      if (open && stateOf(activation, open) === 'PAYMENT' && open.state !== 'refused') throw conflict(activationMessages.underWay)
      if (open && open.state !== 'refused') throw conflict(activationMessages.changed)
      return activation.method === 'voucher' ? orderByVoucher(deps, trx, activation, key) : orderByCard(deps, trx, activation, key, payment)
    })
  } catch (error) {
    // The twin of this very call was faster: its order is the answer.
    const twin = key && isUniqueViolation(error) ? await findOrderByKey(deps.db, sessionId, key) : undefined
    if (twin) return twin
    throw error
  }
}

async function orderByCard(deps: ActivationDeps, trx: Trx, activation: ActivationRow, key: string | null, payment: Payment): Promise<Order> {
  if (!payment.adyen_encrypted) throw invalidForm(orderMessages.cardUnreadable)
  const order = await createOrder(deps, trx, activation, key, 'paying')
  // A card paid with in an activation is kept for renewals.
  await insertAttempt(trx, order, { sealedCard: deps.secrets.seal(payment.adyen_encrypted), storedCardId: null, store: true })
  return order
}

async function orderByVoucher(deps: ActivationDeps, trx: Trx, activation: ActivationRow, key: string | null): Promise<Order> {
  if (!activation.voucher_id) throw conflict(activationMessages.changed)
  const order = await createOrder(deps, trx, activation, key, 'paying')
  if (!(await claimVoucher(trx, activation.voucher_id, order.id, deps.clock.now()))) throw invalidForm(voucherMessages.used)
  await acceptOrder(deps, trx, order)
  return order
}

async function createOrder(deps: ActivationDeps, trx: Trx, activation: ActivationRow, key: string | null, state: 'paying'): Promise<Order> {
  const plan = activation.product_id ? await findProduct(trx, activation.product_id) : undefined
  const byVoucher = activation.method === 'voucher'
  // What a voucher was sold for stays good when the plan is no longer on offer.
  if (!plan || (!byVoucher && !isPlanOnOffer(plan))) throw conflict(activationMessages.changed)
  if (!activation.email || !activation.full_name) throw conflict(activationMessages.changed)
  const product = presentProduct(plan)
  const id = randomUUID()
  const order = await insertOrder(
    trx,
    {
      id,
      order_code: newOrderCode(),
      kind: 'activation',
      state,
      session_id: activation.session_id,
      user_id: activation.user_id,
      idempotency_key: key,
      product_id: plan.unique_id,
      product,
      amount_cents: byVoucher ? 0 : fromWire(product.price),
      currency: deps.market.currency,
      voucher_id: activation.voucher_id,
      iccid: activation.iccid,
      msisdn: activation.msisdn,
      email: activation.email,
      full_name: activation.full_name,
      password_hash: activation.password_hash,
      marketing_consent: activation.marketing_consent,
      porting: activation.setup_porting ? activation.porting : null,
    },
    deps.clock.now(),
  )
  if (!(await claimSim(trx, activation.iccid, id))) throw invalidForm(activationMessages.simTaken)
  await updateActivation(trx, activation.id, { order_id: id }, deps.clock.now())
  return order
}
