import { audit } from '#kit/server/audit.ts'
import type { Trx } from '#kit/server/db.ts'
import type { OrderDeps } from '#features/orders/server/orders.deps.ts'
import type { Order } from '#features/orders/server/orders.store.ts'
import { parseDeclineReason } from '#features/orders/server/declines.present.ts'
import { type Attempt, internalFaultCode, findLatestAttempt } from '#features/orders/server/payments.store.ts'
import { reportUnconfirmedCard } from '#features/orders/server/unconfirmed-cards.store.ts'
import { presentProduct } from '#features/plans/server/plans.ts'
import { placeRenewals } from '#features/renewal/server/renewal.ts'
import { findChargeableCard, type CardProblem, getCardName, type SavedCard } from './card.ts'
import { type FailedCharge, notifyChargeFailure } from './charge.mail.ts'
import type { RenewalOffer } from './offer.ts'
import { type AutoRenewalFailure, saveFailure, saveAutoRenewalSetting, scheduleStep } from './auto-renewal.store.ts'
import { schedulePlacedCharges } from './steps.store.ts'
import { type DueStep, createNextChargeStep } from './auto-renewal.times.ts'
import type { StepDeps } from './step-facts.ts'
import { getStepKey, type LockedAutoRenewal } from './locked-auto-renewal.ts'

/**
 * Orders the next plans for all due charges and pays for them with the saved cards. The caller must have locked the
 * services. Orders, payment attempts and next steps are written in the caller's transaction, so no charge can happen
 * twice.
 */
export async function placeCharges(
  trx: Trx,
  deps: StepDeps,
  charges: readonly { locked: LockedAutoRenewal; offer: RenewalOffer }[],
): Promise<void> {
  if (charges.length === 0) return
  // Place the orders sorted by customer id, so that two processes that lock the same customers' rows cannot deadlock.
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
  await schedulePlacedCharges(
    trx,
    plans.map(({ locked }, at) => ({
      serviceId: locked.service.id,
      next: computeRetryStep(deps, locked),
      orderId: orders[at]!.id,
    })),
  )
}

const computeRetryStep = ({ market }: OrderDeps, { schedule, autoRenewal, now }: LockedAutoRenewal): DueStep | null =>
  createNextChargeStep(autoRenewal.attempts + 1, now, schedule.expiresAt, market.zone)

export async function handleCardProblem(
  trx: Trx,
  deps: OrderDeps,
  locked: LockedAutoRenewal,
  { trouble, card }: { trouble: CardProblem; card: SavedCard | null },
): Promise<void> {
  const next = computeRetryStep(deps, locked)
  await reportUnconfirmedCard(trx, locked.service.user_id)
  await scheduleStep(trx, locked.service.id, next)
  await handleChargeFailure(trx, deps, locked, {
    event: getStepKey(locked),
    failure: trouble,
    card,
    next: next?.dueAt ?? null,
  })
}

export async function handleFailedOrder(
  trx: Trx,
  deps: OrderDeps,
  locked: LockedAutoRenewal,
  { order, next }: { order: Order; next: Temporal.Instant | null },
): Promise<void> {
  const { card } = await findChargeableCard(trx, locked.service.user_id, locked.now, deps.market.zone)
  const attempt = await findLatestAttempt(trx, order.id)
  const failure = getChargeFailure(order, attempt)
  // The customer may have replaced the card since it was charged.
  const chargedCard = card && card.stored_id === attempt?.stored_card_id ? card : null
  await handleChargeFailure(trx, deps, locked, { event: order.id, failure, card: chargedCard, next })
}

function getChargeFailure(
  { state, failure_code: code }: Order,
  attempt: Attempt | undefined,
): Exclude<AutoRenewalFailure, 'withdrawn'> {
  if (state === 'undone') return 'network'
  if (code === 'payment_not_confirmed' || code === internalFaultCode) return 'unconfirmed'
  const declineReason = parseDeclineReason(attempt?.refusal ?? null)
  return declineReason === 'expired' ? 'card-expired' : (declineReason ?? 'refused')
}

export async function handleChargeFailure(
  trx: Trx,
  deps: OrderDeps,
  locked: LockedAutoRenewal,
  failedCharge: FailedCharge,
): Promise<void> {
  if (!failedCharge.next) await stopAfterLastAttempt(trx, deps, locked, failedCharge.failure)
  await saveFailure(trx, locked.service.id, {
    failure: failedCharge.failure,
    failed_card: failedCharge.card && getCardName(failedCharge.card),
  })
  await notifyChargeFailure(trx, deps, locked, failedCharge)
}

export async function stopAfterLastAttempt(
  trx: Trx,
  deps: OrderDeps,
  { service, autoRenewal }: LockedAutoRenewal,
  reason: AutoRenewalFailure,
): Promise<void> {
  if (!autoRenewal.enabled) return
  await saveAutoRenewalSetting(trx, service.id, false, null)
  await audit(trx, deps.clock, {
    event: 'auto_renewal_disabled',
    userId: service.user_id,
    details: { service: service.id, reason },
  })
}
