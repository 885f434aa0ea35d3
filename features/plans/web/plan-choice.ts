import { filterPlansByLength } from '#kit/contract/plan-lists.ts'
import { type PlanFilter, type Product, productTypes } from '../plans.contract.ts'

/** `plan` is the chosen plan's `unique_id`, or '' for none. `length` is the displayed length in days, or 0. */
export type PlanChoice = { plan: string; length: number }

export const toPlanChoice = ({ unique_id, length }: Product): PlanChoice => ({ plan: unique_id, length })

type PlanOfferInput = {
  products: Readonly<Record<string, Product>>
  filters: readonly PlanFilter[]
  newCustomers: boolean
}

export function plansOnOffer({ products, filters, newCustomers }: PlanOfferInput): Product[] {
  return Object.values(products).filter(
    ({ product_type, sku, length, new_customer_only }) =>
      product_type === productTypes.plan &&
      sku &&
      (newCustomers || !new_customer_only) &&
      filters.some((filter) => filter.length === length),
  )
}

export const findNextProduct = (
  products: Readonly<Record<string, Product>>,
  { next_product_unique_id: next }: Product,
): Product | undefined => (next === null ? undefined : products[next])

/**
 * The plan length that the page displays: the selected length, otherwise 30 days (spec 9), otherwise the slider's first
 * length.
 */
export function chooseShownLength(filters: readonly PlanFilter[], selectedLength: number): number {
  const findFilterByLength = (days: number) => filters.find(({ length }) => length === days)
  const firstFilter = filters.toSorted((a, b) => a.position - b.position)[0]
  return (findFilterByLength(selectedLength) ?? findFilterByLength(30) ?? firstFilter)?.length ?? 30
}

export function sortPlansByData(plans: readonly Product[], length: number): Product[] {
  return filterPlansByLength(plans, length).toSorted((a, b) => a.data_gb - b.data_gb || a.sort_order - b.sort_order)
}

/**
 * When the customer selects a different length, chooses the plan of that length with the same amount of data. If there
 * is none, chooses no plan, because customers must not buy a plan that they cannot see.
 */
export function choosePlanOfLength(plans: readonly Product[], chosen: Product | undefined, length: number): PlanChoice {
  const planWithSameData = sortPlansByData(plans, length).find(({ data_gb }) => data_gb === chosen?.data_gb)
  return planWithSameData ? toPlanChoice(planWithSameData) : { plan: '', length }
}
