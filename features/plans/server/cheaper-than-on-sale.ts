import { formatPrice } from '#kit/contract/money.ts'
import { formatDays } from '#kit/contract/plans.ts'
import { type Offers, offersOf, productsById, type Unit, unitPrices } from './offers.ts'
import { isOnOffer } from './plans.ts'
import type { Catalogue, ProductRow } from './plans.store.ts'

type Cheapest = { cents: number; title: string }

export type CheapestOnSale = ReadonlyMap<string, ReadonlyMap<Unit, Cheapest>>

const groupOf = (kind: keyof Offers, { product_type: type, roaming }: ProductRow, newCustomers: boolean): string =>
  `${kind} ${type} ${roaming} ${newCustomers}`

export function cheapestOnSale({ products }: Catalogue): CheapestOnSale {
  const all = productsById(products)
  const groups = new Map<string, Map<Unit, Cheapest>>()
  for (const product of products.filter(isOnOffer)) {
    const offers = offersOf(product, all)
    const title = `${product.title}, ${formatDays(product.length_days)}`
    // A product only for new customers is not compared with products for everybody.
    const audiences = product.new_customer_only ? [true] : [true, false]
    for (const kind of ['purchase', 'renewal'] as const) {
      const prices = unitPrices(offers[kind])
      for (const newCustomers of audiences)
        lower(groups, groupOf(kind, offers[kind].product, newCustomers), prices, title)
    }
  }
  return groups
}

function lower(
  groups: Map<string, Map<Unit, Cheapest>>,
  group: string,
  prices: ReadonlyMap<Unit, number>,
  title: string,
): void {
  const cheapest = groups.get(group) ?? new Map<Unit, Cheapest>()
  groups.set(group, cheapest)
  for (const [unit, cents] of prices)
    if (cents < (cheapest.get(unit)?.cents ?? Infinity)) cheapest.set(unit, { cents, title })
}

/**
 * Why a new product undercuts the products on sale: a sentence for its purchase, and one for its renewal if that
 * differs. Per unit, it must cost at least as much as the cheapest comparable product in every catalogue.
 * A unit that no comparable product includes cannot be compared, which is a sentence too.
 */
export function cheaperThanOnSale(offers: Offers, catalogues: readonly CheapestOnSale[]): string[] {
  const { purchase, renewal } = offers
  const isSame = purchase.cents === renewal.cents && purchase.product === renewal.product
  const kinds = isSame ? (['purchase'] as const) : (['purchase', 'renewal'] as const)
  return kinds.flatMap((kind) => firstUndercut(kind, offers, catalogues) ?? [])
}

function firstUndercut(kind: keyof Offers, offers: Offers, catalogues: readonly CheapestOnSale[]): string | undefined {
  const { cents: whole, product } = offers[kind]
  const group = groupOf(kind, product, offers.purchase.product.new_customer_only)
  const prices = [...unitPrices(offers[kind])]
  for (const catalogue of catalogues) {
    const cheapest = catalogue.get(group)
    const undercut = prices.find(([unit, cents]) => cents < (cheapest?.get(unit)?.cents ?? Infinity) * (1 - 1e-9))
    if (!undercut) continue
    const [unit, cents] = undercut
    const known = cheapest?.get(unit)
    return (
      `${kind === 'purchase' ? 'costs' : 'renews for'} ${formatPrice(whole)}, which is ${centsText(cents)} per ${unit}: ` +
      (known
        ? `less than the cheapest on sale (${known.title}, ${centsText(known.cents)})`
        : 'nothing of its kind is on sale to compare it with')
    )
  }
  return undefined
}

export const centsText = (cents: number): string => `${Number(cents.toPrecision(3))} cents`
