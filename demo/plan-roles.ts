import { cycleLengthDays } from '#kit/contract/plans.ts'
import type { Db } from '#kit/server/db.ts'
import { isPlanOnSale } from '#features/plans/server/plans.ts'
import { listVisibleProducts, type ProductRow } from '#features/plans/server/plans.store.ts'

/** The plans that the demo's stories need, whatever the catalogue calls them. One plan can have several roles. */
export type PlanRoles = {
  /** The cheapest, the middle-priced and the dearest plan of the length nearest to one data cycle. */
  cheapest: ProductRow
  usual: ProductRow
  dearest: ProductRow
  /** The cheapest plan of the shortest length. */
  shortest: ProductRow
  /** The middle-priced plan of the longest length. */
  longest: ProductRow
}
export type PlanRole = keyof PlanRoles

/** Reads which plan has each role in the current catalogue; `null` if no plan is on sale. */
export const readPlanRoles = async (db: Db): Promise<PlanRoles | null> => choosePlanRoles(await listVisibleProducts(db))

/** Chooses a plan for each role. Plans that cost nothing or are only for new customers are chosen only if there are no others. */
export function choosePlanRoles(products: readonly ProductRow[]): PlanRoles | null {
  const plans = preferredPlans(products)
  const planLengths = [...new Set(plans.map((plan) => plan.length_days))].toSorted((one, other) => one - other)
  const listPlansByPrice = (length: number | undefined): ProductRow[] =>
    plans.filter((plan) => plan.length_days === length).toSorted((one, other) => one.price_cents - other.price_cents)
  const usualPlans = listPlansByPrice(
    planLengths.toSorted((one, other) => distanceFromCycle(one) - distanceFromCycle(other))[0],
  )
  const [cheapest, usual, dearest] = [0, 0.5, 1].map((share) => pickPlanAtQuantile(usualPlans, share))
  const [shortest, longest] = [
    pickPlanAtQuantile(listPlansByPrice(planLengths[0]), 0),
    pickPlanAtQuantile(listPlansByPrice(planLengths.at(-1)), 0.5),
  ]
  return cheapest && usual && dearest && shortest && longest ? { cheapest, usual, dearest, shortest, longest } : null
}

function preferredPlans(products: readonly ProductRow[]): ProductRow[] {
  const plansOnSale = products.filter(isPlanOnSale)
  const plansForEveryone = plansOnSale.filter((plan) => !plan.new_customer_only)
  const paid = plansForEveryone.filter((plan) => plan.price_cents > 0)
  return [paid, plansForEveryone, plansOnSale].find((plans) => plans.length > 0) ?? []
}

/** The distance is logarithmic: two cycles are as far from one cycle as half a cycle is. */
const distanceFromCycle = (days: number): number => Math.abs(Math.log2(days / cycleLengthDays))

const pickPlanAtQuantile = (plans: readonly ProductRow[], share: number): ProductRow | undefined =>
  plans[Math.floor((plans.length - 1) * share)]
