import { audit } from '#kit/server/audit.ts'
import { fromDate } from '#kit/server/clock.ts'
import type { Trx } from '#kit/server/db.ts'
import type { OrderDeps } from '#features/orders/server/orders.deps.ts'
import type { Order } from '#features/orders/server/orders.store.ts'
import { latestAttempt } from '#features/orders/server/payments.store.ts'
import { presentProduct } from '#features/plans/server/plans.ts'
import { type ChargeStep, scheduleStep, setAutoRenewal } from './auto-renewal.store.ts'
import { cardFor, type SavedCard } from './auto-renewal.card.ts'
import { type Failure, sendFailure, type Subject } from './auto-renewal.mail.ts'
import type { Offer } from './auto-renewal.offer.ts'
import { nextCharge } from './auto-renewal.times.ts'
import { placeRenewal } from '#features/renewal/server/renewal.ts'

/**
 * Orders the next plan with the stored card. Order, payment attempt and the step after it are one transaction under the
 * schedule's lock: it happens once, or not at all.
 */
export async function charge(
  trx: Trx,
  deps: OrderDeps,
  subject: Subject,
  step: ChargeStep,
  offer: Offer,
  now: Temporal.Instant,
): Promise<void> {
  const { service, schedule } = subject
  const { zone } = deps.market
  const expiresAt = fromDate(schedule.expires_at)
  const next = nextCharge(step, now, expiresAt, zone)
  const { card, trouble } = await cardFor(trx, service.user_id, now, zone)
  if (trouble) {
    await scheduleStep(trx, schedule.id, next)
    return chargeFailed(trx, deps, subject, {
      event: `${schedule.id}:${schedule.auto_due_at?.toISOString() ?? ''}`,
      failure: trouble,
      card,
      next: next?.dueAt ?? null,
    })
  }
  const order = await placeRenewal(trx, deps, {
    service,
    product: presentProduct(offer.product),
    amountCents: offer.amountCents,
    autoRenewal: true,
    startsAt: expiresAt,
    sessionId: null,
    key: null,
    payment: { by: 'saved_card', payer: null },
  })
  await scheduleStep(trx, schedule.id, next, { auto_order_id: order.id })
}

/** An order of ours that ended without a plan. */
export async function orderFailed(
  trx: Trx,
  deps: OrderDeps,
  subject: Subject,
  order: Order,
  next: Temporal.Instant | null,
): Promise<void> {
  const { card } = await cardFor(trx, subject.service.user_id, deps.clock.now(), deps.market.zone)
  const attempt = await latestAttempt(trx, order.id)
  const failure: Failure =
    order.state === 'undone' ? 'network' : order.failure_code === 'payment_not_confirmed' ? 'unconfirmed' : 'refused'
  // It may have been replaced since.
  const charged = card && card.stored_id === attempt?.stored_card_id ? card : null
  await chargeFailed(trx, deps, subject, { event: order.id, failure, card: charged, next })
}

type Failed = {
  /** Names the attempt: one mail for each. */
  event: string
  failure: Failure
  card: SavedCard | null
  /** When we try again; null: never, and the plan expires on its day. */
  next: Temporal.Instant | null
}

export async function chargeFailed(
  trx: Trx,
  deps: OrderDeps,
  subject: Subject,
  { event, failure, card, next }: Failed,
): Promise<void> {
  if (!next) await giveUp(trx, deps, subject, failure)
  await sendFailure(trx, deps, subject, event, failure, card, next)
}

/** We do not try any more. The customer sees it: from 'renews on' it becomes 'expires on'. */
export async function giveUp(
  trx: Trx,
  deps: OrderDeps,
  { service, schedule }: Subject,
  reason: Failure | 'withdrawn',
): Promise<void> {
  if (!(await setAutoRenewal(trx, deps, schedule.id, false))) return
  await audit(trx, deps.clock, {
    event: 'auto_renewal_disabled',
    userId: service.user_id,
    details: { service: service.id, reason },
  })
}
