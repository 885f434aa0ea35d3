import { fromDate } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'
import { readTogether } from '#kit/server/read-together.ts'
import { cancellingAsked } from '#features/orders/server/cancelled-plans.store.ts'
import { savedCardsAsked } from '#features/payment-method/server/saved-cards.store.ts'
import type { ProductRow } from '#features/plans/server/plans.store.ts'
import { schedulesAsked } from '#features/services/server/plan-life.store.ts'
import { ordersOfQueuedPlans, queuedPlansAsked, queuedPlansFrom } from '#features/services/server/queued-plans.store.ts'
import { productsOfServicesAsked } from '#features/services/server/services.store.ts'
import type { OutlookView } from '#features/services/services.contract.ts'
import type { PlanOfService } from '#features/services/server/services.deps.ts'
import type { SavedCard } from './card.ts'
import {
  type AutoRenewal,
  autoRenewalsAsked,
  notifiedProductsAsked,
  type Purchased,
  purchasesAsked,
  purchasesFrom,
} from './auto-renewal.store.ts'

import { nextProductOf, offerOf } from './offer.ts'
import { type Outlook, outlook, type Rules } from './outlook.ts'
import { presentOutlook } from './outlook.present.ts'

type PlansAt = { plans: PlanOfService[]; now: Temporal.Instant }

export type FactsOfPlans = {
  autoRenewals: Map<string, AutoRenewal>
  cancelling: Set<string>
  card: SavedCard | null
  purchases: Map<string, Purchased>
  products: ReadonlyMap<string, ProductRow>
}

type KnownOfPlans = {
  autoRenewals: AutoRenewal[]
  cancelling: { service_id: string }[]
  cards: SavedCard[]
  purchases: Parameters<typeof purchasesFrom>[0]
}

/** `products` must include every product that the rows name. */
export const factsFrom = (known: KnownOfPlans, products: FactsOfPlans['products']): FactsOfPlans => ({
  autoRenewals: new Map(known.autoRenewals.map((row) => [row.service_id, row])),
  cancelling: new Set(known.cancelling.map((row) => row.service_id)),
  card: known.cards[0] ?? null,
  purchases: purchasesFrom(known.purchases),
  products,
})

function outlooksFrom(
  { autoRenewals, cancelling, card, purchases, products }: FactsOfPlans,
  rules: Rules,
  { plans, now }: PlansAt,
): Map<string, Outlook> {
  const ends = plans.map((plan) => endOf(plan, autoRenewals.get(plan.serviceId) ?? null))
  return new Map(
    plans.map(({ serviceId, product, expiresAt, queued }, at) => {
      const { nextId, notified } = ends[at]!
      const facts = {
        product,
        expiresAt,
        queued: queued && {
          ...queued,
          ...(purchases.get(queued.orderId) ?? unknownPurchase(queued.startsAt)),
        },
        isCancelling: cancelling.has(serviceId),
        autoRenewal: autoRenewals.get(serviceId) ?? null,
        offer: offerOf(products.get(nextId), notified),
        card,
      }
      return [serviceId, outlook(facts, now, rules)]
    }),
  )
}

/** The order should exist. If it does not, the plan is shown as one that cannot be cancelled. */
const unknownPurchase = (paidAt: Temporal.Instant) => ({
  orderCode: '',
  paidCents: 0,
  paidAt,
  byVoucher: false,
  byUs: true,
})

/** A notice concerns the current plan and does not apply to a queued plan. */
function endOf({ product, queued }: PlanOfService, autoRenewal: AutoRenewal | null) {
  const notified = queued ? null : autoRenewal
  const last = queued?.product ?? product
  return { last, notified, nextId: nextProductOf(last, notified) }
}

export function presentOutlooks(
  facts: FactsOfPlans,
  rules: Rules,
  plansAt: PlansAt,
): Map<string, { view: OutlookView; isRenewing: boolean }> {
  const outlooks = outlooksFrom(facts, rules, plansAt)
  return new Map(
    [...outlooks].map(([id, each]) => [id, { view: presentOutlook(each, rules), isRenewing: each.isRenewing }]),
  )
}

type OfService = { id: string; user_id: string }

export type PlanAhead = { orderId: string; outlook: Outlook }

export const findOutlook = async (db: Db | Trx, rules: Rules, service: OfService, now: Temporal.Instant) =>
  (await findPlansAhead(db, rules, [service], now)).get(service.id)?.outlook ?? null

export async function findPlansAhead(
  db: Db | Trx,
  rules: Rules,
  services: readonly OfService[],
  now: Temporal.Instant,
): Promise<Map<string, PlanAhead>> {
  const ids = (which: (service: OfService) => string): string => [...new Set(services.map(which))].join()
  const known = await readPlans(db, { serviceIds: ids(({ id }) => id), userIds: ids((service) => service.user_id) })
  const named = [...known.products, ...known.notified].map((product) => [product.unique_id, product] as const)
  const facts = factsFrom(known, new Map(named))
  const schedules = new Map(known.schedules.map((schedule) => [schedule.service_id, schedule]))
  const queue = queuedPlansFrom(known.waiting)
  const cards = new Map(known.cards.map((card) => [card.user_id, card]))
  const ahead = new Map<string, PlanAhead>()
  for (const { id: serviceId, user_id: userId } of services) {
    const schedule = schedules.get(serviceId)
    const product = schedule && facts.products.get(schedule.product_id)
    if (!schedule || !product) continue
    const waiting = queue.get(serviceId)
    const next = waiting && facts.products.get(waiting.productId)
    const queued = waiting && next ? { ...waiting, product: next } : null
    const plan = { serviceId, product, expiresAt: fromDate(schedule.expires_at), queued }
    const own = { ...facts, card: cards.get(userId) ?? null }
    const outlook = outlooksFrom(own, rules, { plans: [plan], now }).get(serviceId)
    if (outlook) ahead.set(serviceId, { orderId: schedule.order_id, outlook })
  }
  return ahead
}

const readPlans = readTogether((db, { serviceIds, userIds }: { serviceIds: string; userIds: string }) => {
  const ids = { listed: serviceIds }
  return {
    schedules: schedulesAsked(db, ids),
    waiting: queuedPlansAsked(db, ids),
    products: productsOfServicesAsked(db, ids),
    notified: notifiedProductsAsked(db, ids),
    autoRenewals: autoRenewalsAsked(db, ids),
    cancelling: cancellingAsked(db, ids),
    cards: savedCardsAsked(db, { listed: userIds }),
    purchases: purchasesAsked(db, ordersOfQueuedPlans(db, ids)),
  }
})
