import type { Trx } from '#kit/server/db.ts'
import { findSubsequentRenewals } from '#features/orders/server/subsequent-renewals.store.ts'
import type { OrderDeps } from '#features/orders/server/orders.deps.ts'
import { findOrder } from '#features/orders/server/orders.store.ts'
import { findSavedCards } from '#features/payment-method/server/saved-cards.store.ts'
import type { StepFacts } from './decide-step.ts'
import { findOffers } from './offer.ts'
import type { LockedAutoRenewal } from './locked-auto-renewal.ts'

export type StepDeps = OrderDeps & {
  leavingOf(trx: Trx, userIds: readonly string[]): Promise<Set<string>>
}

export async function readStepFacts(
  trx: Trx,
  deps: StepDeps,
  dueAutoRenewals: readonly LockedAutoRenewal[],
): Promise<StepFacts[]> {
  if (dueAutoRenewals.length === 0) return []
  const userIds = dueAutoRenewals.map(({ service }) => service.user_id)
  const renewals = await findSubsequentRenewals(
    trx,
    dueAutoRenewals.map(({ schedule }) => schedule),
  )
  const usersWithPendingErasure = await deps.leavingOf(trx, userIds)
  const offers = await findOffers(trx, dueAutoRenewals)
  const cards = await findSavedCards(trx, userIds)
  const facts: StepFacts[] = []
  for (const locked of dueAutoRenewals) {
    const { service, schedule, autoRenewal } = locked
    facts.push({
      locked,
      // Few of the due steps have a charge in progress, so it is fine to read the orders one at a time.
      chargeOrder: (autoRenewal.charge_order_id && (await findOrder(trx, autoRenewal.charge_order_id))) || null,
      renewal: renewals.get(schedule.scheduleId) ?? null,
      isLeaving: usersWithPendingErasure.has(service.user_id),
      offer: offers.get(locked) ?? null,
      card: cards.get(service.user_id) ?? null,
    })
  }
  return facts
}
