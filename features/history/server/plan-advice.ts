import { type Document, listDocuments } from '#features/invoices/server/invoices.store.ts'
import {
  findProduct,
  findProductsBySku,
  listFilters,
  listVisibleProducts,
  type ProductRow,
} from '#features/plans/server/plans.store.ts'
import { productTypes } from '#features/plans/plans.contract.ts'
import { listServicesOf } from '#features/services/server/services.store.ts'
import type { PlanAdvice } from '../history.contract.ts'
import { advise, type Advice, cyclesThatCount, fewest, type WeighedPlan } from './advice.ts'
import { wordsOf } from './advice-words.ts'
import { listEndedCycles } from './cycle-usage.store.ts'
import type { HistoryDeps } from './history.deps.ts'

/** As far back as anything is kept: a year of cycles is no more than that. */
const keptDays = 400

type Deps = Pick<HistoryDeps, 'db' | 'clock'>

/** The advice on a service's plan, and the plan that it is about; null while there is none. */
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
  const rows = await listEndedCycles(db, service.id, { since: now.subtract({ hours: keptDays * 24 }), now })
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
  const documents = await listDocuments(db, { userId: service.userId, serviceId: service.id })
  const extraCents = await extraIn({ db }, documents, { since: oldest.startsAt, until: newest.endsAt })
  const advice = advise({ plan, cycles, extraCents, offers: offers.map(weighed) })
  return advice && { advice, plan }
}

/** The advice for each of a customer's services that there is one for. */
export async function presentAdvice(deps: Deps, userId: string): Promise<Record<string, PlanAdvice>> {
  const offers = await plansOnOffer(deps)
  const advised: [string, PlanAdvice][] = []
  for (const { id, product_id } of await listServicesOf(deps.db, userId)) {
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

/** What a customer may renew with, as the pages offer it. */
export async function plansOnOffer({ db }: Pick<Deps, 'db'>): Promise<ProductRow[]> {
  const lengths = new Set((await listFilters(db)).map(({ length }) => length))
  return (await listVisibleProducts(db)).filter(
    ({ product_type: type, sku, new_customer_only: isForNew, length_days: length }) =>
      type === productTypes.plan && sku && !isForNew && lengths.has(length),
  )
}

/** What extra data for use at home has cost in a time, less what was given back. */
async function extraIn(
  { db }: Pick<Deps, 'db'>,
  documents: readonly Document[],
  { since, until }: { since: Date; until: Date },
): Promise<number> {
  const items = documents
    .filter(({ created_at: at }) => at >= since && at < until)
    .flatMap(({ line_items: lines }) => lines)
    .filter(({ product }) => product.product_type === productTypes.addon && product.data_gb > 0)
  const skus = items.flatMap(({ product: { sku } }) => (sku ? [sku] : []))
  const products = await findProductsBySku(db, [...new Set(skus)])
  return items
    .filter(({ product: { sku } }) => !(sku && products.get(sku)?.roaming))
    .reduce((sum, { subtotal_cents: cents }) => sum + cents, 0)
}
