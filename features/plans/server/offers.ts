import { getCycleCount } from '#kit/contract/plans.ts'
import { productTypes } from '../plans.contract.ts'
import type { ProductRow } from './plans.store.ts'

export type Offer = { cents: number; product: ProductRow }
export type Offers = { purchase: Offer; renewal: Offer }
export type ProductMap = ReadonlyMap<string, ProductRow>

export type ProductInCatalogue = { product: ProductRow; all: ProductMap }

export const indexProductsById = (products: readonly ProductRow[]): ProductMap =>
  new Map(products.map((product) => [product.unique_id, product]))

export const getSuccessor = (product: ProductRow, all: ProductMap): ProductRow =>
  all.get(product.next_product_id ?? product.unique_id) ?? product

export const getRenewalCents = ({ price_rebill_cents, price_cents }: ProductRow): number =>
  price_rebill_cents ?? price_cents

export function findOffers(product: ProductRow, all: ProductMap): Offers {
  const next = getSuccessor(product, all)
  return {
    purchase: { cents: product.price_cents, product },
    renewal: { cents: getRenewalCents(next), product: next },
  }
}

const countAllowances = ({ product_type: type, length_days: days }: ProductRow): number =>
  type === productTypes.plan ? getCycleCount(days) : 1

export const totalDataGb = (product: ProductRow): number => product.data_gb * countAllowances(product)

/** The units in which prices are compared, most meaningful first. */
export const units = ['GB and day', 'GB', 'day', 'minute', 'text'] as const
export type Unit = (typeof units)[number]

export function computeUnitPrices({ cents, product }: Offer): Map<Unit, number> {
  const { length_days: days, data_gb: gb, voice_mins: minutes, txt_sms: texts } = product
  const amountByUnit: Record<Unit, number> = {
    day: days,
    GB: totalDataGb(product),
    'GB and day': gb * days,
    minute: minutes * countAllowances(product),
    text: texts * countAllowances(product),
  }
  return new Map(units.filter((unit) => amountByUnit[unit] > 0).map((unit) => [unit, cents / amountByUnit[unit]]))
}
