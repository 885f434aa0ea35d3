import { fromDate } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'
import { combinedQuery } from '#kit/server/combined-query.ts'
import { cancellingPlansQueryPart } from '#features/orders/server/cancelled-plans.store.ts'
import { savedCardsQueryPart } from '#features/payment-method/server/saved-cards.store.ts'
import type { ProductRow } from '#features/plans/server/plans.store.ts'
import { schedulesQueryPart } from '#features/services/server/plan-life.store.ts'
import {
  queuedOrderIdsQuery,
  queuedPlansQueryPart,
  mapQueuedPlansByService,
} from '#features/services/server/queued-plans.store.ts'
import { serviceProductsQueryPart } from '#features/services/server/services.store.ts'
import type { PlanStatusView } from '#features/services/services.contract.ts'
import type { ServicePlan } from '#features/services/server/services.deps.ts'
import type { SavedCard } from './card.ts'
import {
  type AutoRenewal,
  autoRenewalsQueryPart,
  notifiedProductsQueryPart,
  type QueuedPurchase,
  purchasesQueryPart,
  mapPurchasesByOrder,
} from './auto-renewal.store.ts'

import { getNextProductId, createRenewalOffer } from './offer.ts'
import { type PlanStatus, computePlanStatus, type PlanStatusContext } from './plan-status.ts'
import { presentPlanStatus } from './plan-status.present.ts'

type PlansAtTime = { plans: ServicePlan[]; now: Temporal.Instant }

export type CustomerPlanFacts = {
  autoRenewals: Map<string, AutoRenewal>
  cancelling: Set<string>
  card: SavedCard | null
  purchases: Map<string, QueuedPurchase>
  products: ReadonlyMap<string, ProductRow>
}

type PlanRows = {
  autoRenewals: AutoRenewal[]
  cancelling: { service_id: string }[]
  cards: SavedCard[]
  purchases: Parameters<typeof mapPurchasesByOrder>[0]
}

/**
 * Builds the facts about a customer's plans from database rows. `products` must contain every product that the rows
 * reference.
 */
export const planFactsFromRows = (rows: PlanRows, products: CustomerPlanFacts['products']): CustomerPlanFacts => ({
  autoRenewals: new Map(rows.autoRenewals.map((row) => [row.service_id, row])),
  cancelling: new Set(rows.cancelling.map((row) => row.service_id)),
  card: rows.cards[0] ?? null,
  purchases: mapPurchasesByOrder(rows.purchases),
  products,
})

function computePlanStatuses(
  { autoRenewals, cancelling, card, purchases, products }: CustomerPlanFacts,
  rules: PlanStatusContext,
  { plans, now }: PlansAtTime,
): Map<string, PlanStatus> {
  const productsToRenew = plans.map((plan) => findProductToRenew(plan, autoRenewals.get(plan.serviceId) ?? null))
  return new Map(
    plans.map(({ serviceId, product, expiresAt, queued }, at) => {
      const { nextId, notified } = productsToRenew[at]!
      const facts = {
        product,
        expiresAt,
        queued: queued && {
          ...queued,
          ...(purchases.get(queued.orderId) ?? createUnknownPurchase(queued.startsAt)),
        },
        isCancelling: cancelling.has(serviceId),
        autoRenewal: autoRenewals.get(serviceId) ?? null,
        offer: createRenewalOffer(products.get(nextId), notified),
        card,
      }
      return [serviceId, computePlanStatus(facts, now, rules)]
    }),
  )
}

/** Placeholder for a queued plan's order that is missing, which should never happen. The customer cannot cancel such a plan. */
const createUnknownPurchase = (paidAt: Temporal.Instant) => ({
  orderCode: '',
  paidCents: 0,
  paidAt,
  byVoucher: false,
  isPlacedByAutoRenewal: true,
})

/**
 * Returns the last plan bought, which auto-renewal renews next: the queued plan or else the current one. A notice only
 * applies to the current plan, so ignore it if another plan is queued.
 */
function findProductToRenew({ product, queued }: ServicePlan, autoRenewal: AutoRenewal | null) {
  const notifiedRenewal = queued ? null : autoRenewal
  const lastProduct = queued?.product ?? product
  return { last: lastProduct, notified: notifiedRenewal, nextId: getNextProductId(lastProduct, notifiedRenewal) }
}

export function presentPlanStatuses(
  facts: CustomerPlanFacts,
  rules: PlanStatusContext,
  plansAt: PlansAtTime,
): Map<string, { view: PlanStatusView; isRenewing: boolean }> {
  const statuses = computePlanStatuses(facts, rules, plansAt)
  return new Map(
    [...statuses].map(([id, planStatusOfService]) => [
      id,
      { view: presentPlanStatus(planStatusOfService, rules), isRenewing: planStatusOfService.isRenewing },
    ]),
  )
}

type ServiceKey = { id: string; user_id: string }

export type OrderPlanStatus = { orderId: string; outlook: PlanStatus }

export const findPlanStatus = async (
  db: Db | Trx,
  rules: PlanStatusContext,
  service: ServiceKey,
  now: Temporal.Instant,
) => (await findPlanStatuses(db, rules, [service], now)).get(service.id)?.outlook ?? null

export async function findPlanStatuses(
  db: Db | Trx,
  rules: PlanStatusContext,
  services: readonly ServiceKey[],
  now: Temporal.Instant,
): Promise<Map<string, OrderPlanStatus>> {
  const idsOf = (keyOf: (service: ServiceKey) => string): string => [...new Set(services.map(keyOf))].join()
  const planRows = await readPlans(db, {
    serviceIds: idsOf(({ id }) => id),
    userIds: idsOf((service) => service.user_id),
  })
  const productEntries = [...planRows.products, ...planRows.notified].map(
    (product) => [product.unique_id, product] as const,
  )
  const facts = planFactsFromRows(planRows, new Map(productEntries))
  const schedules = new Map(planRows.schedules.map((schedule) => [schedule.service_id, schedule]))
  const queuedByService = mapQueuedPlansByService(planRows.waiting)
  const cards = new Map(planRows.cards.map((card) => [card.user_id, card]))
  const statusesByService = new Map<string, OrderPlanStatus>()
  for (const { id: serviceId, user_id: userId } of services) {
    const schedule = schedules.get(serviceId)
    const product = schedule && facts.products.get(schedule.product_id)
    if (!schedule || !product) continue
    const queuedRow = queuedByService.get(serviceId)
    const next = queuedRow && facts.products.get(queuedRow.productId)
    const queuedPlan = queuedRow && next ? { ...queuedRow, product: next } : null
    const plan = { serviceId, product, expiresAt: fromDate(schedule.expires_at), queued: queuedPlan }
    const customerFacts = { ...facts, card: cards.get(userId) ?? null }
    const serviceStatus = computePlanStatuses(customerFacts, rules, { plans: [plan], now }).get(serviceId)
    if (serviceStatus) statusesByService.set(serviceId, { orderId: schedule.order_id, outlook: serviceStatus })
  }
  return statusesByService
}

const readPlans = combinedQuery((db, { serviceIds, userIds }: { serviceIds: string; userIds: string }) => {
  const ids = { listed: serviceIds }
  return {
    schedules: schedulesQueryPart(db, ids),
    waiting: queuedPlansQueryPart(db, ids),
    products: serviceProductsQueryPart(db, ids),
    notified: notifiedProductsQueryPart(db, ids),
    autoRenewals: autoRenewalsQueryPart(db, ids),
    cancelling: cancellingPlansQueryPart(db, ids),
    cards: savedCardsQueryPart(db, { listed: userIds }),
    purchases: purchasesQueryPart(db, queuedOrderIdsQuery(db, ids)),
  }
})
