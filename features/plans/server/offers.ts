import { cyclesOf } from '#kit/contract/plans.ts'
import { productTypes } from '../plans.contract.ts'
import type { ProductRow } from './plans.store.ts'

export type Offer = { cents: number; product: ProductRow }
export type Offers = { purchase: Offer; renewal: Offer }
export type Products = ReadonlyMap<string, ProductRow>

export type Placed = { product: ProductRow; all: Products }

export const productsById = (products: readonly ProductRow[]): Products =>
  new Map(products.map((product) => [product.unique_id, product]))

export const renewsAs = (product: ProductRow, all: Products): ProductRow =>
  all.get(product.next_product_id ?? product.unique_id) ?? product

export const renewalCents = ({ price_rebill_cents, price_cents }: ProductRow): number =>
  price_rebill_cents ?? price_cents

export function offersOf(product: ProductRow, all: Products): Offers {
  const next = renewsAs(product, all)
  return {
    purchase: { cents: product.price_cents, product },
    renewal: { cents: renewalCents(next), product: next },
  }
}

const timesGiven = ({ product_type: type, length_days: days }: ProductRow): number =>
  type === productTypes.plan ? cyclesOf(days) : 1

export const dataInAll = (product: ProductRow): number => product.data_gb * timesGiven(product)

/** Ordered by how much each unit says about a price, most first. */
export const units = ['GB and day', 'GB', 'day', 'minute', 'text'] as const
export type Unit = (typeof units)[number]

export function unitPrices({ cents, product }: Offer): Map<Unit, number> {
  const { length_days: days, data_gb: gb, voice_mins: minutes, txt_sms: texts } = product
  const amounts: Record<Unit, number> = {
    day: days,
    GB: dataInAll(product),
    'GB and day': gb * days,
    minute: minutes * timesGiven(product),
    text: texts * timesGiven(product),
  }
  return new Map(units.filter((unit) => amounts[unit] > 0).map((unit) => [unit, cents / amounts[unit]]))
}
