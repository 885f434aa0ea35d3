import type { BodyOf } from '#kit/contract/endpoint.ts'
import type { FieldErrors } from '#kit/contract/errors.ts'
import type { Actor } from '#kit/server/actor.ts'
import { audit } from '#kit/server/audit.ts'
import { fromDate } from '#kit/server/clock.ts'
import { transact, type Trx } from '#kit/server/db.ts'
import { countUse, type Limit } from '#kit/server/limits.ts'
import { conflict, invalid, invalidForm, notFound } from '#kit/server/refusal.ts'
import type { SignedIn } from '#kit/server/session.ts'
import type { Visit } from '#kit/server/visit.ts'
import { orderMessages } from '#features/orders/orders.contract.ts'
import type { OrderDeps } from '#features/orders/server/orders.deps.ts'
import type { Order } from '#features/orders/server/orders.store.ts'
import {
  accountPurchases,
  awaitOrder,
  cardPaymentOf,
  type Payment,
  resolveAndAwaitOrder,
  purchaseLimits,
  type OrderProgress,
} from '#features/orders/server/orders.ts'
import { findPurchaseByKey } from '#features/orders/server/purchases.store.ts'
import { planMessages, type Product } from '#features/plans/plans.contract.ts'
import { isPlanOnOffer, presentProduct } from '#features/plans/server/plans.ts'
import { findProduct } from '#features/plans/server/plans.store.ts'
import { findScheduleOf, lockService } from '#features/services/server/plan-life.store.ts'
import { findListedService } from '#features/services/server/services.store.ts'
import { checkVoucher } from '#features/vouchers/server/vouchers.ts'
import { voucherMessages } from '#features/vouchers/vouchers.contract.ts'
import { type recharge, renewalMessages } from '../renewal.contract.ts'
import { placeRenewal } from './renewal.ts'

type Answers = BodyOf<typeof recharge>
type Customer = { user: SignedIn; visit: Visit; key: string | null }

type Buyer = {
  userId: string
  sessionId: string | null
  key: string | null
  actor?: Actor
  limits: Limit[]
  card(): Promise<{ payment: Payment } | { refusal: string }>
}

/**
 * The order is committed before the gateway is called. A repeat with the same key returns the order of the first
 * request.
 * @throws 404 when the schedule is not the customer's, 400 when nothing was bought, 409 when the price has changed, 429
 * when the customer started too many purchases
 */
export const renew = (deps: OrderDeps, { user, visit, key }: Customer, answers: Answers): Promise<OrderProgress> =>
  renewBy(
    deps,
    {
      userId: user.id,
      sessionId: visit.session.id,
      key,
      limits: purchaseLimits(user.id, visit),
      card: () => cardPaymentOf(deps, visit, answers, { store: answers.save_token ?? true }),
    },
    answers,
  )

/** @throws like `renew` */
export const renewFor = (
  deps: OrderDeps,
  { userId, actor, key }: { userId: string; actor: Actor; key: string },
  answers: Answers,
): Promise<OrderProgress> =>
  renewBy(
    deps,
    {
      userId,
      sessionId: null,
      key,
      actor,
      limits: [accountPurchases(userId)],
      card: async () => ({ payment: { by: 'saved_card', payer: null } }),
    },
    answers,
  )

async function renewBy(deps: OrderDeps, buyer: Buyer, answers: Answers): Promise<OrderProgress> {
  const { userId, key } = buyer
  const service = await findRenewable(deps, userId, answers)
  if (!service) throw notFound()
  const earlier = key ? await findPurchaseByKey(deps.db, userId, key) : undefined
  const { order, isNew } = earlier
    ? { order: sameRenewal(earlier, service.id), isNew: false }
    : await begin(deps, buyer, service.id, { ...(await choose(deps, buyer, answers)), answers })
  return isNew ? resolveAndAwaitOrder(deps, order, { isFirst: true }) : awaitOrder(deps, order)
}

/** The service of this schedule. Both the uuid and the schedule, when given, must belong to the customer. */
async function findRenewable(
  { db }: OrderDeps,
  userId: string,
  { uuid, schedule }: Answers,
): Promise<{ id: string } | undefined> {
  if (!uuid && !schedule) return undefined
  return findListedService(db, userId, { uuid: uuid || undefined, schedule: schedule || undefined })
}

/** An idempotency key belongs to one form. Its reuse for another service is a conflict. */
function sameRenewal(order: Order, serviceId: string): Order {
  if (order.kind !== 'recharge' || order.service_id !== serviceId) throw conflict(orderMessages.changed)
  return order
}

type Choice = { product: Product; voucherId: string | null; payment: Payment }

/** @throws 400 with every error of the form */
async function choose(deps: OrderDeps, buyer: Buyer, answers: Answers): Promise<Choice> {
  // A replacement for the queued plan starts when the queued plan would have started.
  if (answers.instead_of !== undefined && answers.starts !== 'at_end')
    throw invalid({ starts: [renewalMessages.starts] })
  if (answers.payment_method === '2') return chooseByVoucher(deps, answers)
  const row = answers.product ? await findProduct(deps.db, answers.product) : undefined
  const card = await buyer.card()
  const errors: FieldErrors = {}
  const isForSale = isPlanOnOffer(row) && !row.new_customer_only
  if (!isForSale) errors['product'] = [planMessages.required]
  if ('refusal' in card) errors['__all__'] = [card.refusal]
  if (!isForSale || 'refusal' in card) throw invalid(errors)
  return { product: presentProduct(row), voucherId: null, payment: card.payment }
}

/** A voucher remains valid for its plan after the plan is no longer on offer. */
async function chooseByVoucher(deps: OrderDeps, { code }: Answers): Promise<Choice> {
  if (!code) throw invalid({ code: [voucherMessages.required] })
  const voucher = await checkVoucher(deps, code, 'RENEWAL')
  if ('refusal' in voucher) throw invalidForm(voucher.refusal)
  return { product: presentProduct(voucher.product), voucherId: voucher.id, payment: { by: 'voucher' } }
}

function begin(
  deps: OrderDeps,
  { userId, sessionId, key, actor, limits }: Buyer,
  serviceId: string,
  { product, voucherId, payment, answers }: Choice & { answers: Answers },
): Promise<{ order: Order; isNew: boolean }> {
  return transact(deps.db, async (trx) => {
    // The lock serialises requests for one service. A duplicate with the same key may have created the order while this
    // request waited.
    await lockService(trx, serviceId)
    const twin = key ? await findPurchaseByKey(trx, userId, key) : undefined
    if (twin) return { order: sameRenewal(twin, serviceId), isNew: false }
    const startsAt = await startOf(trx, deps, serviceId, answers)
    const { instead_of: old } = answers
    const insteadOf = old === undefined ? null : await deps.planToChange(trx, serviceId, old)
    const order = await placeRenewal(trx, deps, {
      service: { id: serviceId, user_id: userId },
      product,
      expectedTotal: answers.expected_total,
      autoRenewal: false,
      startsAt,
      insteadOf,
      sessionId,
      key,
      payment,
      voucherId,
    })
    // Counts orders rather than requests. Exceeding a limit rolls the order back.
    await countUse(trx, limits)
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
 * When the next plan starts; `null` means now, also when the current plan has ended. The service must be locked.
 * @throws 400 when the form showed another plan, which has been renewed since
 */
async function startOf(
  trx: Trx,
  { clock }: OrderDeps,
  serviceId: string,
  { starts, expiry_date: shown }: Answers,
): Promise<Temporal.Instant | null> {
  const plan = await findScheduleOf(trx, serviceId)
  if (plan && shown !== undefined && Date.parse(shown) !== plan.expiresAt.epochMilliseconds)
    throw invalidForm(orderMessages.changed)
  const waits = starts === 'at_end' && plan && Temporal.Instant.compare(plan.expiresAt, clock.now()) > 0
  return waits ? plan.expiresAt : null
}
