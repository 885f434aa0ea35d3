import type { Trx } from '#kit/server/db.ts'
import { findLiveRenewals } from '#features/orders/server/live-renewals.store.ts'
import type { OrderDeps } from '#features/orders/server/orders.deps.ts'
import { findSavedCards } from '#features/payment-method/server/saved-cards.store.ts'
import { type Offer, offersFor } from './offer.ts'
import type { LockedAutoRenewal } from './turn.ts'

export type StepDeps = OrderDeps & {
  /** Of these customers, those who have asked that nothing be kept of them. */
  leavingOf(trx: Trx, userIds: readonly string[]): Promise<Set<string>>
}

/**
 * Of steps of a kind that are due, those of plans that are simply to renew, with what they renew with: they run, auto-renewal is on, they
 * are not renewed already, their customers stay, and their next plans are sold.
 */
export async function findRenewable(
  trx: Trx,
  deps: StepDeps,
  due: readonly LockedAutoRenewal[],
  step: 'notice' | 'charge',
): Promise<Map<LockedAutoRenewal, Offer>> {
  const plans = due.filter((each) => each.autoRenewal.step === step && isOn(each))
  if (plans.length === 0) return new Map()
  const renewals = await findLiveRenewals(
    trx,
    plans.map(({ schedule }) => schedule),
  )
  const leaving = await deps.leavingOf(
    trx,
    plans.map(({ service }) => service.user_id),
  )
  return offersFor(
    trx,
    plans.filter(({ service, schedule }) => !renewals.has(schedule.scheduleId) && !leaving.has(service.user_id)),
  )
}

/** The saved cards of whose plans they are, by their customers. */
export const cardsOf = (trx: Trx, plans: ReadonlyMap<LockedAutoRenewal, Offer>) =>
  findSavedCards(
    trx,
    [...plans.keys()].map(({ service }) => service.user_id),
  )

const isOn = ({ service, schedule, autoRenewal, now }: LockedAutoRenewal): boolean =>
  autoRenewal.enabled &&
  autoRenewal.charge_order_id === null &&
  service.released_at === null &&
  Temporal.Instant.compare(schedule.expiresAt, now) > 0
