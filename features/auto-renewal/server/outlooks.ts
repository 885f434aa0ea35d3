import type { Db, Trx } from '#kit/server/db.ts'
import { findCancelling } from '#features/orders/server/cancelled-plans.store.ts'
import { findSavedCard } from '#features/payment-method/server/saved-cards.store.ts'
import { findProducts, type ProductRow } from '#features/plans/server/plans.store.ts'
import { findScheduleOf } from '#features/services/server/plan-life.store.ts'
import { findQueuedPlan } from '#features/services/server/queued-plans.store.ts'
import type { OutlookView } from '#features/services/services.contract.ts'
import type { PlanOfService } from '#features/services/server/services.deps.ts'
import type { SavedCard } from './card.ts'
import { type AutoRenewal, findAutoRenewals, findPurchases, type Purchased } from './auto-renewal.store.ts'
import { nextProductOf, offerOf } from './offer.ts'
import { type Outlook, outlook, type Rules } from './outlook.ts'
import { presentOutlook } from './outlook.present.ts'

/** The plans of a customer's services, and the instant from which they are looked at. */
type PlansAt = { plans: PlanOfService[]; now: Temporal.Instant }

/** What happens next to each of these services of one customer, by the service. It asks five times at most, however many there are. */
async function outlooksOf(
  db: Db | Trx,
  rules: Rules,
  userId: string,
  { plans, now }: PlansAt,
): Promise<Map<string, Outlook>> {
  const ids = plans.map(({ serviceId }) => serviceId)
  const autoRenewals = await findAutoRenewals(db, ids)
  const cancelling = await findCancelling(db, ids)
  const card = (await findSavedCard(db, userId)) ?? null
  const purchases = await findPurchases(
    db,
    plans.flatMap(({ queued }) => (queued ? [queued.orderId] : [])),
  )
  const ends = plans.map((plan) => endOf(plan, autoRenewals.get(plan.serviceId) ?? null))
  const products = await productsNamed(db, ends)
  return outlooksFrom({ autoRenewals, cancelling, card, purchases, products }, rules, { plans, now })
}

/** What is known of a customer's plans beside the plans: by the service, by the order, and by the product. */
export type FactsOfPlans = {
  autoRenewals: Map<string, AutoRenewal>
  cancelling: Set<string>
  card: SavedCard | null
  purchases: Map<string, Purchased>
  products: Map<string, ProductRow>
}

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

/** Its order is there; should it not be, nothing can be done about it here. */
const unknownPurchase = (paidAt: Temporal.Instant) => ({
  orderCode: '',
  paidCents: 0,
  paidAt,
  byVoucher: false,
  byUs: true,
})

/** What follows the last plan that is paid for. A notice is about the present plan: it says nothing of what follows one that waits. */
function endOf({ product, queued }: PlanOfService, autoRenewal: AutoRenewal | null) {
  const notified = queued ? null : autoRenewal
  const last = queued?.product ?? product
  return { last, notified, nextId: nextProductOf(last, notified) }
}

/** Most plans are followed by themselves, and are known. */
async function productsNamed(
  db: Db | Trx,
  ends: { last: ProductRow; nextId: string }[],
): Promise<Map<string, ProductRow>> {
  const known = new Map(ends.map(({ last }) => [last.unique_id, last]))
  const others = ends.map(({ nextId }) => nextId).filter((id) => !known.has(id))
  return new Map([...known, ...(await findProducts(db, [...new Set(others)]))])
}

/** The same as they leave the building, of what is known already. */
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

/** What happens next to one service, as it is in this transaction. Null without a plan. */
export async function findOutlook(
  trx: Db | Trx,
  rules: Rules,
  service: { id: string; user_id: string },
  now: Temporal.Instant,
): Promise<Outlook | null> {
  const schedule = await findScheduleOf(trx, service.id)
  const waiting = await findQueuedPlan(trx, service.id)
  const products = await findProducts(
    trx,
    [schedule?.productId, waiting?.productId].filter((id) => id !== undefined),
  )
  const product = schedule && products.get(schedule.productId)
  const next = waiting && products.get(waiting.productId)
  if (!schedule || !product) return null
  const queued = waiting && next ? { ...waiting, product: next } : null
  const plan = { serviceId: service.id, product, expiresAt: schedule.expiresAt, queued }
  return (await outlooksOf(trx, rules, service.user_id, { plans: [plan], now })).get(service.id) ?? null
}
