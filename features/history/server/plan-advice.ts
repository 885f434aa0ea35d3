import { setImmediate as nextTurn } from 'node:timers/promises'
import { sumDataAddOnSpending } from '#features/invoices/server/invoices.store.ts'
import {
  findProduct,
  findProductsBySku,
  listFilters,
  listVisibleProducts,
  type ProductRow,
} from '#features/plans/server/plans.store.ts'
import { productTypes } from '#features/plans/plans.contract.ts'
import { numbersPerPage } from '#features/services/services.contract.ts'
import { findListedService, listUserServices } from '#features/services/server/services.store.ts'
import { maxCycles, type PlanAdvice } from '../history.contract.ts'
import { advisePlan, type Advice, filterComparableCycles, minKnownCycles, type ComparedPlan } from './advice.ts'
import { describeAdvice } from './advice.labels.ts'
import { listEndedCycles } from './cycle-usage.store.ts'
import type { HistoryDeps } from './history.deps.ts'

/** How many days of past usage the plan advice considers. Cycles are deleted after thirteen months, so this covers all stored cycles. */
const advicePeriodDays = 400

type AdviceDeps = Pick<HistoryDeps, 'db' | 'clock'>

export async function findPlanAdvice(
  { db, clock }: AdviceDeps,
  service: { id: string; userId: string; productId: string },
  offers: readonly ProductRow[],
): Promise<{ advice: Advice; plan: ComparedPlan } | null> {
  const currentProduct = await findProduct(db, service.productId)
  const renewalProduct = [currentProduct?.next_product_id, service.productId]
    .map((id) => offers.find(({ unique_id }) => unique_id === id))
    .find((offer) => offer !== undefined)
  if (!renewalProduct) return null
  const plan = toComparedPlan(renewalProduct)
  const now = clock.now()
  const rows = await listEndedCycles(db, service.id, {
    since: now.subtract({ hours: advicePeriodDays * 24 }),
    now,
    limit: maxCycles,
  })
  const cycles = rows.map((row) => ({
    startsAt: row.starts_at,
    endsAt: row.ends_at,
    usedMb: row.used_mb,
    ranOut: row.ran_out_at !== null,
    isWhole: row.is_whole,
    lengthDays: row.length_days,
  }))
  const [newestCycle, ...olderCycles] = filterComparableCycles(plan, cycles).filter(({ usedMb }) => usedMb !== null)
  const oldestCycle = olderCycles.at(minKnownCycles - 2)
  if (!newestCycle || !oldestCycle) return null
  const spentBySku = await sumDataAddOnSpending(
    db,
    { userId: service.userId, serviceId: service.id },
    { since: oldestCycle.startsAt, until: newestCycle.endsAt },
  )
  const extraCents = await sumExtraDataCents({ db }, spentBySku)
  const advice = advisePlan({ plan, cycles, extraCents, offers: offers.map(toComparedPlan) })
  return advice && { advice, plan }
}

/**
 * Returns the plan advice for one of a customer's services. Without a uuid, returns the advice for the customer's oldest
 * services only, because each service takes several queries.
 */
export async function readPlanAdvice(
  deps: AdviceDeps,
  userId: string,
  uuid?: string,
): Promise<Record<string, PlanAdvice>> {
  const offers = await listPlansOnOffer(deps)
  const adviceEntries: [string, PlanAdvice][] = []
  const services =
    uuid === undefined
      ? (await listUserServices(deps.db, userId)).slice(0, numbersPerPage)
      : [await findListedService(deps.db, userId, { uuid })].filter((service) => service !== undefined)
  for (const { id, product_id } of services) {
    // Yield between services, so that other requests can run while a customer with many services is handled.
    await nextTurn()
    const serviceAdvice = await findPlanAdvice(deps, { id, userId, productId: product_id }, offers)
    if (!serviceAdvice) continue
    const { advice, plan } = serviceAdvice
    const otherPlan = advice.kind === 'right' ? advice.longer?.plan : advice.plan
    adviceEntries.push([id, { kind: advice.kind, text: describeAdvice(advice, plan), plan_id: otherPlan?.id ?? null }])
  }
  return Object.fromEntries(adviceEntries)
}

const toComparedPlan = (product: ProductRow): ComparedPlan => ({
  id: product.unique_id,
  dataGb: product.data_gb,
  lengthDays: product.length_days,
  priceCents: product.price_cents,
})

export async function listPlansOnOffer({ db }: Pick<AdviceDeps, 'db'>): Promise<ProductRow[]> {
  const offeredLengths = new Set((await listFilters(db)).map(({ length }) => length))
  return (await listVisibleProducts(db)).filter(
    ({ product_type: type, sku, new_customer_only: isForNew, length_days: length }) =>
      type === productTypes.plan && sku && !isForNew && offeredLengths.has(length),
  )
}

async function sumExtraDataCents(
  { db }: Pick<AdviceDeps, 'db'>,
  spent: ReadonlyMap<string | null, number>,
): Promise<number> {
  const products = await findProductsBySku(
    db,
    [...spent.keys()].filter((sku) => sku !== null),
  )
  return [...spent].filter(([sku]) => !(sku && products.get(sku)?.roaming)).reduce((sum, [, cents]) => sum + cents, 0)
}
