import type { EndpointBody } from '#kit/contract/endpoint.ts'
import type { FieldErrors } from '#kit/contract/errors.ts'
import { audit } from '#kit/server/audit.ts'
import { fromDate } from '#kit/server/clock.ts'
import { transact, type Trx } from '#kit/server/db.ts'
import { countLimitUse } from '#kit/server/limits.ts'
import { conflict, badRequest, formError, notFound } from '#kit/server/http-error.ts'
import type { SignedInUser } from '#kit/server/session.ts'
import type { RequestContext } from '#kit/server/request-context.ts'
import { findUser } from '#features/auth/server/users.store.ts'
import { orderMessages } from '#features/orders/orders.contract.ts'
import type { OrderDeps } from '#features/orders/server/orders.deps.ts'
import type { Order } from '#features/orders/server/orders.store.ts'
import {
  awaitOrder,
  resolveCardPaymentSource,
  type Payment,
  payAndAwaitOrder,
  placeOrder,
  purchaseLimits,
  type OrderProgress,
} from '#features/orders/server/orders.ts'
import { findOpenAddOnOrder, findPurchaseByKey } from '#features/orders/server/purchases.store.ts'
import type { Product } from '#features/plans/plans.contract.ts'
import { isAddOnOnSale, presentProduct } from '#features/plans/server/plans.ts'
import { findProduct } from '#features/plans/server/plans.store.ts'
import { findOwnService } from '#features/services/server/own-service.store.ts'
import { lockServiceWithSchedule } from '#features/services/server/plan-life.store.ts'
import { addOnMessages, type buyAddOn } from '../addons.contract.ts'

type AddOnForm = EndpointBody<typeof buyAddOn>
type PurchaseRequest = { user: SignedInUser; visit: RequestContext; key: string | null }

/**
 * Buys an add-on. Commits the order before sending the payment to the gateway. Repeating an idempotency key returns the
 * order from the first request.
 * @throws 404 when the customer does not own the service, 400 when the purchase failed and no money was kept, 409 when
 * the price has changed, 429 after too many purchases
 */
export async function purchaseAddOn(
  deps: OrderDeps,
  purchaseRequest: PurchaseRequest,
  answers: AddOnForm,
): Promise<OrderProgress> {
  const { user, key } = purchaseRequest
  const service = await findOwnService(deps.db, user.id, answers.uuid)
  if (!service) throw notFound()
  const earlierOrder = key ? await findPurchaseByKey(deps.db, user.id, key) : undefined
  const { order, isNew } = earlierOrder
    ? { order: requireSameService(earlierOrder, service.id), isNew: false }
    : await createOrder(deps, purchaseRequest, service.id, await validatePurchase(deps, purchaseRequest, answers))
  return isNew ? payAndAwaitOrder(deps, order, { isFirst: true }) : awaitOrder(deps, order)
}

/** @throws 409 when the idempotency key has already been used for a different service or a different kind of order */
function requireSameService(order: Order, serviceId: string): Order {
  if (order.kind !== 'addon' || order.service_id !== serviceId) throw conflict(orderMessages.changed)
  return order
}

type ValidPurchase = { product: Product; payment: Payment; expectedTotal: string | undefined }

/** @throws 400 with all of the form's errors together */
async function validatePurchase(
  deps: OrderDeps,
  customer: PurchaseRequest,
  answers: AddOnForm,
): Promise<ValidPurchase> {
  const row = await findProduct(deps.db, answers.product)
  const cardPayment = await resolveCardPaymentSource(deps, customer.visit, answers, {
    store: answers.save_token ?? false,
  })
  const errors: FieldErrors = {}
  const isOnSale = isAddOnOnSale(row)
  if (!isOnSale) errors['product'] = [addOnMessages.required]
  if ('refusal' in cardPayment) errors['__all__'] = [cardPayment.refusal]
  if (!isOnSale || 'refusal' in cardPayment) throw badRequest(errors)
  return { product: presentProduct(row), payment: cardPayment.payment, expectedTotal: answers.expected_total }
}

function createOrder(
  deps: OrderDeps,
  { user, visit, key }: PurchaseRequest,
  serviceId: string,
  validPurchase: ValidPurchase,
): Promise<{ order: Order; isNew: boolean }> {
  return transact(deps.db, async (trx) => {
    // A concurrent request with the same idempotency key may have placed the order while this one was waiting for the lock.
    const lockedService = await lockServiceWithSchedule(trx, serviceId)
    const concurrentOrder = key ? await findPurchaseByKey(trx, user.id, key) : undefined
    if (concurrentOrder) return { order: requireSameService(concurrentOrder, serviceId), isNew: false }
    const owner = await findUser(trx, user.id)
    if (!lockedService || !owner || lockedService.service.user_id !== user.id) throw notFound()
    if (Temporal.Instant.compare(fromDate(lockedService.schedule.expires_at), deps.clock.now()) <= 0)
      throw formError(addOnMessages.expired)
    if (await findOpenAddOnOrder(trx, serviceId, validPurchase.product.unique_id))
      throw formError(addOnMessages.underWay)
    const order = await placeAddOnOrder(
      trx,
      deps,
      { owner, service: lockedService.service, sessionId: visit.session.id, key },
      validPurchase,
    )
    // Only count orders that were actually placed. Exceeding the limit here rolls the order back.
    await countLimitUse(trx, purchaseLimits(user.id, visit))
    await audit(trx, deps.clock, {
      event: 'addon_bought',
      userId: user.id,
      sessionId: visit.session.id,
      details: { order: order.order_code, service: serviceId, by: validPurchase.payment.by },
    })
    return { order, isNew: true }
  })
}

type AddOnBuyer = {
  owner: { id: string; email: string; first_name: string; last_name: string }
  service: { id: string; iccid: string; msisdn: string }
  sessionId: string | null
  key: string | null
}

const placeAddOnOrder = (
  trx: Trx,
  deps: OrderDeps,
  { owner, service, sessionId, key }: AddOnBuyer,
  { product, payment, expectedTotal }: ValidPurchase,
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
