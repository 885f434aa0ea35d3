import type { EndpointBody } from '#kit/contract/endpoint.ts'
import type { FieldErrors } from '#kit/contract/errors.ts'
import type { Actor } from '#kit/server/actor.ts'
import { audit } from '#kit/server/audit.ts'
import { fromDate } from '#kit/server/clock.ts'
import { transact, type Trx } from '#kit/server/db.ts'
import { countLimitUse, type Limit } from '#kit/server/limits.ts'
import { conflict, badRequest, formError, notFound } from '#kit/server/http-error.ts'
import type { SignedInUser } from '#kit/server/session.ts'
import type { RequestContext } from '#kit/server/request-context.ts'
import { orderMessages } from '#features/orders/orders.contract.ts'
import type { OrderDeps } from '#features/orders/server/orders.deps.ts'
import type { Order } from '#features/orders/server/orders.store.ts'
import {
  accountPurchaseLimit,
  awaitOrder,
  resolveCardPaymentSource,
  type Payment,
  payAndAwaitOrder,
  purchaseLimits,
  type OrderProgress,
} from '#features/orders/server/orders.ts'
import { findPurchaseByKey } from '#features/orders/server/purchases.store.ts'
import { planMessages, type Product } from '#features/plans/plans.contract.ts'
import { isPlanOnSale, presentProduct } from '#features/plans/server/plans.ts'
import { findProduct } from '#features/plans/server/plans.store.ts'
import { findServiceSchedule, lockService } from '#features/services/server/plan-life.store.ts'
import { findListedService } from '#features/services/server/services.store.ts'
import { checkVoucher } from '#features/vouchers/server/vouchers.ts'
import { voucherMessages } from '#features/vouchers/vouchers.contract.ts'
import { type renewPlan, renewalMessages } from '../renewal.contract.ts'
import { placeRenewal } from './renewal.ts'

type RenewalForm = EndpointBody<typeof renewPlan>
type CustomerRequest = { user: SignedInUser; visit: RequestContext; key: string | null }

type RenewalRequester = {
  userId: string
  sessionId: string | null
  key: string | null
  actor?: Actor
  limits: Limit[]
  card(): Promise<{ payment: Payment } | { refusal: string }>
}

/**
 * Renews a plan at a customer's request. Commits the order before calling the gateway. Repeating the request with the
 * same key returns the first request's order.
 * @throws 404 when the schedule is not the customer's, 400 when nothing was bought, 409 when the price has changed, 429
 * when the customer started too many purchases
 */
export const renewByCustomer = (
  deps: OrderDeps,
  { user, visit, key }: CustomerRequest,
  answers: RenewalForm,
): Promise<OrderProgress> =>
  placeRequestedRenewal(
    deps,
    {
      userId: user.id,
      sessionId: visit.session.id,
      key,
      limits: purchaseLimits(user.id, visit),
      card: () => resolveCardPaymentSource(deps, visit, answers, { store: answers.save_token ?? true }),
    },
    answers,
  )

/**
 * Renews a customer's plan at a staff member's request.
 * @throws like `renewByCustomer`
 */
export const renewByStaff = (
  deps: OrderDeps,
  { userId, actor, key }: { userId: string; actor: Actor; key: string },
  answers: RenewalForm,
): Promise<OrderProgress> =>
  placeRequestedRenewal(
    deps,
    {
      userId,
      sessionId: null,
      key,
      actor,
      limits: [accountPurchaseLimit(userId)],
      card: async () => ({ payment: { by: 'saved_card', payer: null } }),
    },
    answers,
  )

async function placeRequestedRenewal(
  deps: OrderDeps,
  requester: RenewalRequester,
  answers: RenewalForm,
): Promise<OrderProgress> {
  const { userId, key } = requester
  const service = await findServiceToRenew(deps, userId, answers)
  if (!service) throw notFound()
  const earlierOrder = key ? await findPurchaseByKey(deps.db, userId, key) : undefined
  const { order, isNew } = earlierOrder
    ? { order: requireSameService(earlierOrder, service.id), isNew: false }
    : await createOrder(deps, requester, service.id, { ...(await validateRenewal(deps, requester, answers)), answers })
  return isNew ? payAndAwaitOrder(deps, order, { isFirst: true }) : awaitOrder(deps, order)
}

/** Finds the service to renew. The service's uuid and the schedule's ID must both belong to the customer, if given. */
async function findServiceToRenew(
  { db }: OrderDeps,
  userId: string,
  { uuid, schedule }: RenewalForm,
): Promise<{ id: string } | undefined> {
  if (!uuid && !schedule) return undefined
  return findListedService(db, userId, { uuid: uuid || undefined, schedule: schedule || undefined })
}

/** An idempotency key belongs to one form, so reusing it for a different service is a conflict. */
function requireSameService(order: Order, serviceId: string): Order {
  if (order.kind !== 'recharge' || order.service_id !== serviceId) throw conflict(orderMessages.changed)
  return order
}

type ValidRenewal = { product: Product; voucherId: string | null; payment: Payment }

/**
 * Validates a renewal form.
 * @throws 400 with all errors of the form
 */
async function validateRenewal(
  deps: OrderDeps,
  requester: RenewalRequester,
  answers: RenewalForm,
): Promise<ValidRenewal> {
  // A replacement plan must start when the queued plan would have started.
  if (answers.instead_of !== undefined && answers.starts !== 'at_end')
    throw badRequest({ starts: [renewalMessages.starts] })
  if (answers.payment_method === '2') return validateVoucherRenewal(deps, answers)
  const row = answers.product ? await findProduct(deps.db, answers.product) : undefined
  const cardPayment = await requester.card()
  const errors: FieldErrors = {}
  const isOnSale = isPlanOnSale(row) && !row.new_customer_only
  if (!isOnSale) errors['product'] = [planMessages.required]
  if ('refusal' in cardPayment) errors['__all__'] = [cardPayment.refusal]
  if (!isOnSale || 'refusal' in cardPayment) throw badRequest(errors)
  return { product: presentProduct(row), voucherId: null, payment: cardPayment.payment }
}

/** A voucher remains valid for its plan even if the plan is no longer on sale. */
async function validateVoucherRenewal(deps: OrderDeps, { code }: RenewalForm): Promise<ValidRenewal> {
  if (!code) throw badRequest({ code: [voucherMessages.required] })
  const voucher = await checkVoucher(deps, code, 'RENEWAL')
  if ('refusal' in voucher) throw formError(voucher.refusal)
  return { product: presentProduct(voucher.product), voucherId: voucher.id, payment: { by: 'voucher' } }
}

function createOrder(
  deps: OrderDeps,
  { userId, sessionId, key, actor, limits }: RenewalRequester,
  serviceId: string,
  { product, voucherId, payment, answers }: ValidRenewal & { answers: RenewalForm },
): Promise<{ order: Order; isNew: boolean }> {
  return transact(deps.db, async (trx) => {
    // The lock serialises requests for one service. While this request waited, a duplicate may have created the order.
    await lockService(trx, serviceId)
    const concurrentOrder = key ? await findPurchaseByKey(trx, userId, key) : undefined
    if (concurrentOrder) return { order: requireSameService(concurrentOrder, serviceId), isNew: false }
    const startsAt = await findPlanStart(trx, deps, serviceId, answers)
    const { instead_of: old } = answers
    const replacedOrderId = old === undefined ? null : await deps.planToChange(trx, serviceId, old)
    const order = await placeRenewal(trx, deps, {
      service: { id: serviceId, user_id: userId },
      product,
      expectedTotal: answers.expected_total,
      autoRenewal: false,
      startsAt,
      insteadOf: replacedOrderId,
      sessionId,
      key,
      payment,
      voucherId,
    })
    // The limits count new orders, not repeated requests. Exceeding a limit rolls the order back.
    await countLimitUse(trx, limits)
    await audit(trx, deps.clock, {
      event: 'plan_renewed',
      userId,
      sessionId,
      ...(actor && { actor }),
      details: {
        order: order.order_code,
        service: serviceId,
        by: payment.by,
        starts: order.starts_at ? fromDate(order.starts_at).toString() : 'now',
        ...(old !== undefined && { instead_of: old }),
      },
    })
    return { order, isNew: true }
  })
}

/**
 * Returns the time at which the next plan starts; `null` means now, including when the current plan has already ended.
 * The caller must hold the service's lock.
 * @throws 400 when the current plan has been renewed since the form was displayed
 */
async function findPlanStart(
  trx: Trx,
  { clock }: OrderDeps,
  serviceId: string,
  { starts, expiry_date: shown }: RenewalForm,
): Promise<Temporal.Instant | null> {
  const plan = await findServiceSchedule(trx, serviceId)
  if (plan && shown !== undefined && Date.parse(shown) !== plan.expiresAt.epochMilliseconds)
    throw formError(orderMessages.changed)
  const isQueued = starts === 'at_end' && plan && Temporal.Instant.compare(plan.expiresAt, clock.now()) > 0
  return isQueued ? plan.expiresAt : null
}
