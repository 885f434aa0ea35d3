import { formatPrice } from '#kit/contract/money.ts'
import { formatDays } from '#kit/contract/plans.ts'
import { type Offer, offersOf, productsById, type Unit, unitPrices } from './offers.ts'
import { isOnOffer } from './plans.ts'
import type { Catalogue, ProductRow } from './plans.store.ts'

type Offers = ReturnType<typeof offersOf>

/**
 * Why a new product undercuts what is on sale: a sentence for its purchase, and one for its renewal if that differs. It may cost as
 * much per unit as the cheapest product of its kind in every one of the catalogues, and no less. A unit that nothing of its kind
 * includes cannot be compared, which is a sentence too.
 */
export function cheaperThanOnSale(offers: Offers, catalogues: readonly Catalogue[]): string[] {
  const { purchase, renewal } = offers
  const isSame = purchase.cents === renewal.cents && purchase.product === renewal.product
  const kinds = isSame ? (['purchase'] as const) : (['purchase', 'renewal'] as const)
  return kinds.flatMap((kind) => undercuts(kind, offers, catalogues).slice(0, 1))
}

function undercuts(kind: keyof Offers, offers: Offers, catalogues: readonly Catalogue[]): string[] {
  const { cents: whole } = offers[kind]
  const costs = `${kind === 'purchase' ? 'costs' : 'renews for'} ${formatPrice(whole)}, which is`
  return catalogues.flatMap((catalogue) => {
    const cheapest = cheapestOf(catalogue, kind, offers)
    return [...unitPrices(offers[kind])].flatMap(([unit, cents]) => {
      const known = cheapest.get(unit)
      const own = `${costs} ${centsText(cents)} per ${unit}`
      if (!known) return [`${own}: nothing of its kind is on sale to compare it with`]
      if (cents >= known.cents * (1 - 1e-9)) return []
      return [`${own}: less than the cheapest on sale (${known.title}, ${centsText(known.cents)})`]
    })
  })
}

type Cheapest = { cents: number; title: string }

function cheapestOf({ products }: Catalogue, kind: keyof Offers, offers: Offers): Map<Unit, Cheapest> {
  const all = productsById(products)
  const cheapest = new Map<Unit, Cheapest>()
  for (const product of products.filter((each) => isOnOffer(each) && mayCompare(each, offers.purchase.product))) {
    const offer = offersOf(product, all)[kind]
    if (!isOfKind(offer, offers[kind])) continue
    for (const [unit, cents] of unitPrices(offer))
      if (cents < (cheapest.get(unit)?.cents ?? Infinity))
        cheapest.set(unit, { cents, title: `${product.title}, ${formatDays(product.length_days)}` })
  }
  return cheapest
}

/** What only new customers may buy is no measure of what everybody may. */
const mayCompare = (known: ProductRow, wanted: ProductRow): boolean =>
  wanted.new_customer_only || !known.new_customer_only

const isOfKind = (known: Offer, wanted: Offer): boolean =>
  known.product.product_type === wanted.product.product_type && known.product.roaming === wanted.product.roaming

/** Fractions of a cent, as far as a person compares them. */
export const centsText = (cents: number): string => `${Number(cents.toPrecision(3))} cents`
