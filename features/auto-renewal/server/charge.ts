import { audit } from '#kit/server/audit.ts'
import type { Trx } from '#kit/server/db.ts'
import type { OrderDeps } from '#features/orders/server/orders.deps.ts'
import type { Order } from '#features/orders/server/orders.store.ts'
import { declineOf } from '#features/orders/server/declines.present.ts'
import { type Attempt, faultOfOurs, latestAttempt } from '#features/orders/server/payments.store.ts'
import { reportUnconfirmedCard } from '#features/orders/server/unconfirmed-cards.store.ts'
import { presentProduct } from '#features/plans/server/plans.ts'
import { placeRenewals } from '#features/renewal/server/renewal.ts'
import { cardFor, type CardTrouble, nameOfCard, type SavedCard } from './card.ts'
import { type FailedCharge, sendFailure } from './charge.mail.ts'
import type { Offer } from './offer.ts'
import { type Failure, saveFailure, saveSwitch, scheduleStep } from './auto-renewal.store.ts'
import { scheduleCharged } from './steps.store.ts'
import { type DueStep, nextCharge } from './auto-renewal.times.ts'
import type { StepDeps } from './step-facts.ts'
import { stepKey, type LockedAutoRenewal } from './turn.ts'

/**
 * Orders the next plans of due charges with the saved cards. The order, the payment attempt and the following step are
 * written in one transaction, in which the services are locked. A charge therefore happens at most once.
 */
export async function chargeAll(
  trx: Trx,
  deps: StepDeps,
  charges: readonly { locked: LockedAutoRenewal; offer: Offer }[],
): Promise<void> {
  if (charges.length === 0) return
  // Sorted by customer, so that two processes that lock rows of the same customers cannot deadlock.
  const plans = charges.toSorted(({ locked: one }, { locked: other }) =>
    one.service.user_id < other.service.user_id ? -1 : 1,
  )
  const orders = await placeRenewals(
    trx,
    deps,
    plans.map(({ locked: { service, schedule }, offer: { product, amountCents } }) => ({
      service,
      product: presentProduct(product),
      amountCents,
      autoRenewal: true,
      startsAt: schedule.expiresAt,
      sessionId: null,
      key: null,
      payment: { by: 'saved_card', payer: null },
    })),
  )
  await scheduleCharged(
    trx,
    plans.map(({ locked }, at) => ({
      serviceId: locked.service.id,
      next: afterCharge(deps, locked),
      orderId: orders[at]!.id,
    })),
  )
}

const afterCharge = ({ market }: OrderDeps, { schedule, autoRenewal, now }: LockedAutoRenewal): DueStep | null =>
  nextCharge(autoRenewal.attempts + 1, now, schedule.expiresAt, market.zone)

export async function cardInTrouble(
  trx: Trx,
  deps: OrderDeps,
  locked: LockedAutoRenewal,
  { trouble, card }: { trouble: CardTrouble; card: SavedCard | null },
): Promise<void> {
  const next = afterCharge(deps, locked)
  await reportUnconfirmedCard(trx, locked.service.user_id)
  await scheduleStep(trx, locked.service.id, next)
  await chargeFailed(trx, deps, locked, { event: stepKey(locked), failure: trouble, card, next: next?.dueAt ?? null })
}

export async function orderFailed(
  trx: Trx,
  deps: OrderDeps,
  locked: LockedAutoRenewal,
  { order, next }: { order: Order; next: Temporal.Instant | null },
): Promise<void> {
  const { card } = await cardFor(trx, locked.service.user_id, locked.now, deps.market.zone)
  const attempt = await latestAttempt(trx, order.id)
  const failure = failureOf(order, attempt)
  // Another card may have replaced the charged card since.
  const charged = card && card.stored_id === attempt?.stored_card_id ? card : null
  await chargeFailed(trx, deps, locked, { event: order.id, failure, card: charged, next })
}

function failureOf({ state, failure_code: code }: Order, attempt: Attempt | undefined): Exclude<Failure, 'withdrawn'> {
  if (state === 'undone') return 'network'
  if (code === 'payment_not_confirmed' || code === faultOfOurs) return 'unconfirmed'
  const decline = declineOf(attempt?.refusal ?? null)
  return decline === 'expired' ? 'card-expired' : (decline ?? 'refused')
}

export async function chargeFailed(
  trx: Trx,
  deps: OrderDeps,
  locked: LockedAutoRenewal,
  failed: FailedCharge,
): Promise<void> {
  if (!failed.next) await giveUp(trx, deps, locked, failed.failure)
  await saveFailure(trx, locked.service.id, {
    failure: failed.failure,
    failed_card: failed.card && nameOfCard(failed.card),
  })
  await sendFailure(trx, deps, locked, failed)
}

export async function giveUp(
  trx: Trx,
  deps: OrderDeps,
  { service, autoRenewal }: LockedAutoRenewal,
  reason: Failure,
): Promise<void> {
  if (!autoRenewal.enabled) return
  await saveSwitch(trx, service.id, false, null)
  await audit(trx, deps.clock, {
    event: 'auto_renewal_disabled',
    userId: service.user_id,
    details: { service: service.id, reason },
  })
}
