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

/** Who has a plan renewed: its customer in a visit of theirs, or somebody at the provider for them. */
type Buyer = {
  userId: string
  sessionId: string | null
  key: string | null
  /** Where it is not the customer. */
  actor?: Actor
  limits: Limit[]
  card(): Promise<{ payment: Payment } | { refusal: string }>
}

/**
 * Renews a plan, at once or from the present one's end: commits the order, and only then asks the gateway. The same key
 * again answers the order that it made the first time.
 * @throws 404 when the schedule is none of theirs, 400 when nothing was kept, 409 when it costs something else by now, 429 when too
 * many were begun
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

/** The same for a customer who is not there: with their saved card, if it is to be a card at all. @throws as that does */
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

/** The service whose schedule this is; whichever of the two the form names has to be theirs. */
async function findRenewable(
  { db }: OrderDeps,
  userId: string,
  { uuid, schedule }: Answers,
): Promise<{ id: string } | undefined> {
  if (!uuid && !schedule) return undefined
  return findListedService(db, userId, { uuid: uuid || undefined, schedule: schedule || undefined })
}

/** A key is for one form; in another service's it is not that form any more. */
function sameRenewal(order: Order, serviceId: string): Order {
  if (order.kind !== 'recharge' || order.service_id !== serviceId) throw conflict(orderMessages.changed)
  return order
}

type Choice = { product: Product; voucherId: string | null; payment: Payment }

/** What the form asks for. @throws 400 with all that is wrong with it */
async function choose(deps: OrderDeps, buyer: Buyer, answers: Answers): Promise<Choice> {
  // What takes the place of a plan that waits begins when that would have.
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

/** What a voucher was sold for stays good when the plan is no longer on offer. */
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
    // Presses of one service take turns here: while this one waited, its twin with the same key may have made the order.
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
    // Orders are counted, not presses: what is refused here takes the row back with it.
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
 * When the next plan begins: null for at once, which is also when the present one has ended by now. The service must be locked.
 * @throws 400 when the form was about another plan, which has been renewed since
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
