import type { EndpointBody } from '#kit/contract/endpoint.ts'
import { isUniqueViolation, transact, type Trx } from '#kit/server/db.ts'
import { conflict, formError } from '#kit/server/http-error.ts'
import type { RequestContext } from '#kit/server/request-context.ts'
import { cardPaymentMessages } from '#features/orders/card-payment.contract.ts'
import { findOrderByKey, type Order } from '#features/orders/server/orders.store.ts'
import {
  awaitOrder,
  resolveCardPaymentSource,
  payAndAwaitOrder,
  type Payment,
  placeOrder,
  type OrderProgress,
} from '#features/orders/server/orders.ts'
import { isPlanOnSale, presentProduct } from '#features/plans/server/plans.ts'
import { findProduct } from '#features/plans/server/plans.store.ts'
import { planMessages } from '#features/plans/plans.contract.ts'
import { activationMessages } from '../activation.contract.ts'
import type { submitPayment } from '../pay-step.contract.ts'
import type { ActivationDeps } from './activation.deps.ts'
import { type ActivationRow, lockActivation, updateActivation } from './activation.store.ts'
import { getVisibleState } from './activation.present.ts'
import { hasSignedInSinceStart, checkNewCustomerWithLock } from './activation-customer.ts'
import { findActivationOrder } from './activation-order.ts'

type PaymentForm = EndpointBody<typeof submitPayment>

/**
 * Pays for the session's activation. Commits the order before sending the payment to the gateway. Repeating an idempotency key returns the
 * order from the first request.
 * @throws 400 when the payment failed and nothing was charged, 409 when there is nothing to pay or the price has changed, 429 after too
 * many refusals or activations
 */
export async function payForActivation(
  deps: ActivationDeps,
  visit: RequestContext,
  key: string | null,
  answers: PaymentForm,
): Promise<OrderProgress> {
  const sessionId = visit.session.id
  if (!sessionId) throw conflict(activationMessages.changed)
  const { order, made } = await commitOrder(deps, { visit, sessionId, key, answers })
  // The request that created the order also sends the payment to the gateway. If that request's process has died, a worker sends it.
  if (made === 'before') return awaitOrder(deps, order)
  return payAndAwaitOrder(deps, order, { isFirst: made === 'now' })
}

type PaymentRequest = { visit: RequestContext; sessionId: string; key: string | null; answers: PaymentForm }

/**
 * An order and how it was created: `now` means by this request, `before` by an earlier request with the same
 * idempotency key, and `by its twin` by a concurrent request with that key.
 */
type CommittedOrder = { order: Order; made: 'now' | 'before' | 'by its twin' }

async function commitOrder(deps: ActivationDeps, paymentRequest: PaymentRequest): Promise<CommittedOrder> {
  const { visit, sessionId, key } = paymentRequest
  try {
    return await transact(deps.db, async (trx) => {
      const activation = await lockActivation(trx, sessionId)
      const earlierOrder = key ? await findOrderByKey(trx, sessionId, key) : undefined
      if (earlierOrder) return { order: earlierOrder, made: 'before' }
      if (!activation) throw conflict(activationMessages.changed)
      const currentOrder = await findActivationOrder(trx, activation)
      if (getVisibleState(activation, currentOrder) !== 'PAYMENT') throw conflict(activationMessages.changed)
      if (currentOrder && currentOrder.state !== 'refused') throw conflict(activationMessages.underWay)
      // The visitor has signed in since the checkout was shown. Reject the payment until the page shows which account will get the service.
      if (hasSignedInSinceStart(activation, visit)) throw conflict(activationMessages.changed)
      return { order: await createOrder(trx, deps, paymentRequest, activation), made: 'now' }
    })
  } catch (error) {
    const concurrentOrder = key && isUniqueViolation(error) ? await findOrderByKey(deps.db, sessionId, key) : undefined
    if (concurrentOrder) return { order: concurrentOrder, made: 'by its twin' }
    throw error
  }
}

async function createOrder(
  trx: Trx,
  deps: ActivationDeps,
  { visit, key, answers }: PaymentRequest,
  activation: ActivationRow,
): Promise<Order> {
  const { product_id: productId } = activation
  const isPaidByVoucher = activation.method === 'voucher'
  const plan = productId ? await findProduct(trx, productId) : undefined
  const cardPayment = isPaidByVoucher ? null : await resolveCardPayment(trx, deps, { visit, answers }, activation)
  // A voucher still pays for its plan after the plan has been withdrawn from sale.
  if (!plan || (!isPaidByVoucher && !isPlanOnSale(plan))) throw conflict(activationMessages.changed)
  if (plan.new_customer_only && !isPaidByVoucher && !(await checkNewCustomerWithLock(trx, activation)))
    throw formError(planMessages.newCustomers)
  if (!activation.email || !activation.full_name) throw conflict(activationMessages.changed)
  if (cardPayment && 'refusal' in cardPayment) throw formError(cardPayment.refusal)
  const order = await placeOrder(
    trx,
    deps,
    {
      kind: 'activation',
      session_id: activation.session_id,
      user_id: activation.user_id,
      idempotency_key: key,
      product: presentProduct(plan),
      expectedTotal: answers.expected_total,
      voucher_id: activation.voucher_id,
      iccid: activation.iccid,
      msisdn: activation.msisdn,
      email: activation.email,
      full_name: activation.full_name,
      password_hash: activation.password_hash,
      marketing_consent: activation.marketing_consent,
      joins_user_id: activation.joins_user_id,
      porting: activation.setup_porting ? activation.porting : null,
    },
    cardPayment ? cardPayment.payment : { by: 'voucher' },
  )
  await updateActivation(trx, activation, { order_id: order.id }, deps.clock.now())
  return order
}

/**
 * Decides which card to charge. A new card is saved for renewals unless the visitor opts out. Only its signed-in owner
 * may pay with a saved card.
 */
async function resolveCardPayment(
  trx: Trx,
  deps: ActivationDeps,
  { visit, answers }: Pick<PaymentRequest, 'visit' | 'answers'>,
  { user_id: owner }: ActivationRow,
): Promise<{ payment: Payment } | { refusal: string }> {
  const isCardOwner = visit.user?.emailVerified && visit.user.id === owner
  if (answers.use_saved_card && !isCardOwner) return { refusal: cardPaymentMessages.noSavedCard }
  return resolveCardPaymentSource(deps, visit, answers, { store: answers.save_token ?? true, db: trx })
}
