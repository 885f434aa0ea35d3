import { formatPrice } from '#kit/contract/money.ts'
import { formatDays } from '#kit/contract/plans.ts'
import { type Offers, findOffers, indexProductsById, type Unit, computeUnitPrices } from './offers.ts'
import { isOnSale } from './plans.ts'
import type { Catalogue, ProductRow } from './plans.store.ts'

type CheapestPrice = { cents: number; title: string }

export type CheapestPrices = ReadonlyMap<string, ReadonlyMap<Unit, CheapestPrice>>

const getComparisonGroup = (
  kind: keyof Offers,
  { product_type: type, roaming }: ProductRow,
  newCustomers: boolean,
): string => `${kind} ${type} ${roaming} ${newCustomers}`

export function findCheapestPrices({ products }: Catalogue): CheapestPrices {
  const productMap = indexProductsById(products)
  const cheapestPricesByGroup = new Map<string, Map<Unit, CheapestPrice>>()
  for (const product of products.filter(isOnSale)) {
    const offers = findOffers(product, productMap)
    const title = `${product.title}, ${formatDays(product.length_days)}`
    // A new product for everyone is compared only with products for everyone, not with new-customer products.
    const newCustomerFlags = product.new_customer_only ? [true] : [true, false]
    for (const kind of ['purchase', 'renewal'] as const) {
      const prices = computeUnitPrices(offers[kind])
      for (const newCustomers of newCustomerFlags)
        updateCheapestPrices(
          cheapestPricesByGroup,
          getComparisonGroup(kind, offers[kind].product, newCustomers),
          prices,
          title,
        )
    }
  }
  return cheapestPricesByGroup
}

function updateCheapestPrices(
  groups: Map<string, Map<Unit, CheapestPrice>>,
  group: string,
  prices: ReadonlyMap<Unit, number>,
  title: string,
): void {
  const cheapestByUnit = groups.get(group) ?? new Map<Unit, CheapestPrice>()
  groups.set(group, cheapestByUnit)
  for (const [unit, cents] of prices)
    if (cents < (cheapestByUnit.get(unit)?.cents ?? Infinity)) cheapestByUnit.set(unit, { cents, title })
}

/**
 * Explains where a new product undercuts the products on sale: one sentence about its purchase price, and another about
 * its renewal price if that differs. Per unit, such as a GB or a day, the new product must cost at least as much as the
 * cheapest comparable product in every catalogue. A unit that no comparable product includes is reported as well, because
 * there is no price to compare it with.
 */
export function listUndercutPrices(offers: Offers, catalogues: readonly CheapestPrices[]): string[] {
  const { purchase, renewal } = offers
  const isSamePrice = purchase.cents === renewal.cents && purchase.product === renewal.product
  const kinds = isSamePrice ? (['purchase'] as const) : (['purchase', 'renewal'] as const)
  return kinds.flatMap((kind) => findFirstUndercutPrice(kind, offers, catalogues) ?? [])
}

function findFirstUndercutPrice(
  kind: keyof Offers,
  offers: Offers,
  catalogues: readonly CheapestPrices[],
): string | undefined {
  const { cents: totalCents, product } = offers[kind]
  const group = getComparisonGroup(kind, product, offers.purchase.product.new_customer_only)
  const prices = [...computeUnitPrices(offers[kind])]
  for (const catalogue of catalogues) {
    const cheapestByUnit = catalogue.get(group)
    const undercutPrice = prices.find(
      ([unit, cents]) => cents < (cheapestByUnit?.get(unit)?.cents ?? Infinity) * (1 - 1e-9),
    )
    if (!undercutPrice) continue
    const [unit, cents] = undercutPrice
    const cheapestPrice = cheapestByUnit?.get(unit)
    return (
      `${kind === 'purchase' ? 'costs' : 'renews for'} ${formatPrice(totalCents)}, which is ${formatCents(cents)} per ${unit}: ` +
      (cheapestPrice
        ? `less than the cheapest on sale (${cheapestPrice.title}, ${formatCents(cheapestPrice.cents)})`
        : 'nothing of its kind is on sale to compare it with')
    )
  }
  return undefined
}

export const formatCents = (cents: number): string => `${Number(cents.toPrecision(3))} cents`
