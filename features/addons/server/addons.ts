import type { BodyOf } from '#kit/contract/endpoint.ts'
import type { FieldErrors } from '#kit/contract/errors.ts'
import { audit } from '#kit/server/audit.ts'
import { fromDate } from '#kit/server/clock.ts'
import { transact, type Trx } from '#kit/server/db.ts'
import { countUse } from '#kit/server/limits.ts'
import { conflict, invalid, invalidForm, notFound } from '#kit/server/refusal.ts'
import type { SignedIn } from '#kit/server/session.ts'
import type { Visit } from '#kit/server/visit.ts'
import { findUser } from '#features/auth/server/users.store.ts'
import { orderMessages } from '#features/orders/orders.contract.ts'
import type { OrderDeps } from '#features/orders/server/orders.deps.ts'
import type { Order } from '#features/orders/server/orders.store.ts'
import {
  awaitOrder,
  cardPaymentOf,
  type Payment,
  resolveAndAwaitOrder,
  placeOrder,
  purchaseLimits,
  type OrderProgress,
} from '#features/orders/server/orders.ts'
import { findAddOnUnderWay, findPurchaseByKey } from '#features/orders/server/purchases.store.ts'
import type { Product } from '#features/plans/plans.contract.ts'
import { isAddOnOnOffer, presentProduct } from '#features/plans/server/plans.ts'
import { findProduct } from '#features/plans/server/plans.store.ts'
import { findOwnService } from '#features/services/server/own-service.store.ts'
import { lockServiceWithSchedule } from '#features/services/server/plan-life.store.ts'
import { addOnMessages, type buyAddOn } from '../addons.contract.ts'

type Answers = BodyOf<typeof buyAddOn>
type Customer = { user: SignedIn; visit: Visit; key: string | null }

/**
 * Buys an add-on: commits the order, and only then sends the payment to the gateway. A repeated idempotency key returns
 * the order of the first request.
 * @throws 404 when the customer has no such service, 400 when no money was kept, 409 when the price has changed, 429
 * after too many purchases
 */
export async function purchaseAddOn(deps: OrderDeps, customer: Customer, answers: Answers): Promise<OrderProgress> {
  const { user, key } = customer
  const service = await findOwnService(deps.db, user.id, answers.uuid)
  if (!service) throw notFound()
  const earlier = key ? await findPurchaseByKey(deps.db, user.id, key) : undefined
  const { order, isNew } = earlier
    ? { order: sameAddOn(earlier, service.id), isNew: false }
    : await begin(deps, customer, service.id, await choose(deps, customer, answers))
  return isNew ? resolveAndAwaitOrder(deps, order, { isFirst: true }) : awaitOrder(deps, order)
}

/** An idempotency key belongs to one service's form. The same key for another service is a conflict. */
function sameAddOn(order: Order, serviceId: string): Order {
  if (order.kind !== 'addon' || order.service_id !== serviceId) throw conflict(orderMessages.changed)
  return order
}

type Choice = { product: Product; payment: Payment; expectedTotal: string | undefined }

/** @throws 400 with all errors of the form */
async function choose(deps: OrderDeps, customer: Customer, answers: Answers): Promise<Choice> {
  const row = await findProduct(deps.db, answers.product)
  const card = await cardPaymentOf(deps, customer.visit, answers, { store: answers.save_token ?? false })
  const errors: FieldErrors = {}
  const isForSale = isAddOnOnOffer(row)
  if (!isForSale) errors['product'] = [addOnMessages.required]
  if ('refusal' in card) errors['__all__'] = [card.refusal]
  if (!isForSale || 'refusal' in card) throw invalid(errors)
  return { product: presentProduct(row), payment: card.payment, expectedTotal: answers.expected_total }
}

function begin(
  deps: OrderDeps,
  { user, visit, key }: Customer,
  serviceId: string,
  choice: Choice,
): Promise<{ order: Order; isNew: boolean }> {
  return transact(deps.db, async (trx) => {
    // The lock serialises requests for one service. While this request waited, a concurrent request with the same key
    // may have placed the order.
    const locked = await lockServiceWithSchedule(trx, serviceId)
    const twin = key ? await findPurchaseByKey(trx, user.id, key) : undefined
    if (twin) return { order: sameAddOn(twin, serviceId), isNew: false }
    const owner = await findUser(trx, user.id)
    if (!locked || !owner || locked.service.user_id !== user.id) throw notFound()
    if (Temporal.Instant.compare(fromDate(locked.schedule.expires_at), deps.clock.now()) <= 0)
      throw invalidForm(addOnMessages.expired)
    if (await findAddOnUnderWay(trx, serviceId, choice.product.unique_id)) throw invalidForm(addOnMessages.underWay)
    const order = await place(trx, deps, { owner, service: locked.service, sessionId: visit.session.id, key }, choice)
    // Counted after the order is placed, so that only orders count. A refusal rolls the order back.
    await countUse(trx, purchaseLimits(user.id, visit))
    await audit(trx, deps.clock, {
      event: 'addon_bought',
      userId: user.id,
      sessionId: visit.session.id,
      details: { order: order.order_code, service: serviceId, by: choice.payment.by },
    })
    return { order, isNew: true }
  })
}

type Buyer = {
  owner: { id: string; email: string; first_name: string; last_name: string }
  service: { id: string; iccid: string; msisdn: string }
  sessionId: string | null
  key: string | null
}

const place = (
  trx: Trx,
  deps: OrderDeps,
  { owner, service, sessionId, key }: Buyer,
  { product, payment, expectedTotal }: Choice,
): Promise<Order> =>
  placeOrder(
    trx,
    deps,
    {
      kind: 'addon',
      session_id: sessionId,
      user_id: owner.id,
      idempotency_key: key,
      product,
      expectedTotal,
      voucher_id: null,
      iccid: service.iccid,
      msisdn: service.msisdn,
      email: owner.email,
      full_name: `${owner.first_name} ${owner.last_name}`.trim(),
      password_hash: null,
      marketing_consent: false,
      porting: null,
      service_id: service.id,
    },
    payment,
  )
