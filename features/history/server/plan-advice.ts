import { setImmediate as nextTurn } from 'node:timers/promises'
import { spentOnDataAddOns } from '#features/invoices/server/invoices.store.ts'
import {
  findProduct,
  findProductsBySku,
  listFilters,
  listVisibleProducts,
  type ProductRow,
} from '#features/plans/server/plans.store.ts'
import { productTypes } from '#features/plans/plans.contract.ts'
import { numbersPerPage } from '#features/services/services.contract.ts'
import { findListedService, listServicesOf } from '#features/services/server/services.store.ts'
import { maxCycles, type PlanAdvice } from '../history.contract.ts'
import { advise, type Advice, cyclesThatCount, fewest, type WeighedPlan } from './advice.ts'
import { wordsOf } from './advice-words.ts'
import { listEndedCycles } from './cycle-usage.store.ts'
import type { HistoryDeps } from './history.deps.ts'

/** Longer than cycles are kept, so that it covers everything that is stored. */
const keptDays = 400

type Deps = Pick<HistoryDeps, 'db' | 'clock'>

export async function adviceFor(
  { db, clock }: Deps,
  service: { id: string; userId: string; productId: string },
  offers: readonly ProductRow[],
): Promise<{ advice: Advice; plan: WeighedPlan } | null> {
  const present = await findProduct(db, service.productId)
  const usual = [present?.next_product_id, service.productId]
    .map((id) => offers.find(({ unique_id }) => unique_id === id))
    .find((offer) => offer !== undefined)
  if (!usual) return null
  const plan = weighed(usual)
  const now = clock.now()
  const rows = await listEndedCycles(db, service.id, {
    since: now.subtract({ hours: keptDays * 24 }),
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
  const [newest, ...older] = cyclesThatCount(plan, cycles).filter(({ usedMb }) => usedMb !== null)
  const oldest = older.at(fewest - 2)
  if (!newest || !oldest) return null
  const spent = await spentOnDataAddOns(
    db,
    { userId: service.userId, serviceId: service.id },
    { since: oldest.startsAt, until: newest.endsAt },
  )
  const extraCents = await extraIn({ db }, spent)
  const advice = advise({ plan, cycles, extraCents, offers: offers.map(weighed) })
  return advice && { advice, plan }
}

/**
 * The advice for one of a customer's services. Without a uuid, for the oldest services only, because each takes several
 * queries.
 */
export async function presentAdvice(deps: Deps, userId: string, uuid?: string): Promise<Record<string, PlanAdvice>> {
  const offers = await plansOnOffer(deps)
  const advised: [string, PlanAdvice][] = []
  const services =
    uuid === undefined
      ? (await listServicesOf(deps.db, userId)).slice(0, numbersPerPage)
      : [await findListedService(deps.db, userId, { uuid })].filter((service) => service !== undefined)
  for (const { id, product_id } of services) {
    // Other requests can run between the services of a customer who has many.
    await nextTurn()
    const found = await adviceFor(deps, { id, userId, productId: product_id }, offers)
    if (!found) continue
    const { advice, plan } = found
    const other = advice.kind === 'right' ? advice.longer?.plan : advice.plan
    advised.push([id, { kind: advice.kind, text: wordsOf(advice, plan), plan_id: other?.id ?? null }])
  }
  return Object.fromEntries(advised)
}

const weighed = (product: ProductRow): WeighedPlan => ({
  id: product.unique_id,
  dataGb: product.data_gb,
  lengthDays: product.length_days,
  priceCents: product.price_cents,
})

export async function plansOnOffer({ db }: Pick<Deps, 'db'>): Promise<ProductRow[]> {
  const lengths = new Set((await listFilters(db)).map(({ length }) => length))
  return (await listVisibleProducts(db)).filter(
    ({ product_type: type, sku, new_customer_only: isForNew, length_days: length }) =>
      type === productTypes.plan && sku && !isForNew && lengths.has(length),
  )
}

async function extraIn({ db }: Pick<Deps, 'db'>, spent: ReadonlyMap<string | null, number>): Promise<number> {
  const products = await findProductsBySku(
    db,
    [...spent.keys()].filter((sku) => sku !== null),
  )
  return [...spent].filter(([sku]) => !(sku && products.get(sku)?.roaming)).reduce((sum, [, cents]) => sum + cents, 0)
}
