import { plansOfLength } from '#kit/contract/plans.ts'
import { type PlanFilter, type Product, productTypes } from '../plans.contract.ts'

/** What a form knows of the choice: the plan's `unique_id`, or '', and the length that is looked at in days, or 0. */
export type PlanChoice = { plan: string; length: number }

export const choiceOf = ({ unique_id, length }: Product): PlanChoice => ({ plan: unique_id, length })

type Offer = { products: Readonly<Record<string, Product>>; filters: readonly PlanFilter[]; newCustomers: boolean }

/** The plans that can be bought and that a position of the slider leads to. */
export function plansOnOffer({ products, filters, newCustomers }: Offer): Product[] {
  return Object.values(products).filter(
    ({ product_type, sku, length, new_customer_only }) =>
      product_type === productTypes.plan &&
      sku &&
      (newCustomers || !new_customer_only) &&
      filters.some((filter) => filter.length === length),
  )
}

/** What a plan is renewed with, where that is another one and sold. */
export const nextProduct = (
  products: Readonly<Record<string, Product>>,
  { next_product_unique_id: next }: Product,
): Product | undefined => (next === null ? undefined : products[next])

/** The length to show: the one looked at, else 30 days (spec 9), else the slider's first. */
export function lengthToShow(filters: readonly PlanFilter[], looked: number): number {
  const at = (days: number) => filters.find(({ length }) => length === days)
  const first = filters.toSorted((a, b) => a.position - b.position)[0]
  return (at(looked) ?? at(30) ?? first)?.length ?? 30
}

/** The plans of one length, the least data first. */
export function plansByData(plans: readonly Product[], length: number): Product[] {
  return plansOfLength(plans, length).toSorted((a, b) => a.data_gb - b.data_gb || a.sort_order - b.sort_order)
}

/** At another length the chosen data stays chosen. Where there is none of it nothing is: what is out of sight cannot be bought. */
export function choiceOfLength(plans: readonly Product[], chosen: Product | undefined, length: number): PlanChoice {
  const same = plansByData(plans, length).find(({ data_gb }) => data_gb === chosen?.data_gb)
  return same ? choiceOf(same) : { plan: '', length }
}
