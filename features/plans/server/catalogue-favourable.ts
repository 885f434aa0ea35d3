import { formatPrice } from '#kit/contract/money.ts'
import { formatDays } from '#kit/contract/plans.ts'
import { centsText, cheaperThanOnSale, cheapestOnSale } from './cheaper-than-on-sale.ts'
import {
  dataInAll,
  type Offer,
  offersOf,
  type Placed,
  productsById,
  renewalCents,
  renewsAs,
  unitPrices,
} from './offers.ts'
import { isOnOffer } from './plans.ts'
import type { Catalogue, ProductRow } from './plans.store.ts'

export const aloneUpToPercent = 20

/**
 * Changes in the customers' favour that one person may not publish alone, as sentences. Empty: no second person is
 * needed for them.
 * @param approved the last catalogue that two people approved: every step since then counts together
 * @param onSale the catalogue that is on sale now
 */
export function favourableChanges(approved: Catalogue, onSale: Catalogue, wanted: Catalogue): string[] {
  const [before, after] = [productsById(approved.products), productsById(wanted.products)]
  const cheapest = [approved, onSale].map(cheapestOnSale)
  const bySku = new Map(approved.products.flatMap((product) => (product.sku ? [[product.sku, product] as const] : [])))
  return wanted.products.flatMap((product) => {
    const known = before.get(product.unique_id)
    // A product with a new id and a known SKU is the same product for the network, so it is compared with that product.
    const same = known ?? bySku.get(product.sku ?? '')
    const isNewOnSale = !known || (!isOnOffer(known) && isOnOffer(product))
    const sentences = [
      ...(same ? changesOfProduct({ product: same, all: before }, { product, all: after }) : []),
      ...(isNewOnSale ? cheaperThanOnSale(offersOf(product, after), cheapest) : []),
    ]
    const name = `${product.title} (${known ? '' : 'new, '}${formatDays((known ?? product).length_days)})`
    return sentences.map((sentence) => `${name}: ${sentence}`)
  })
}

function changesOfProduct(before: Placed, after: Placed): string[] {
  const [from, to] = [offersOf(before.product, before.all), offersOf(after.product, after.all)]
  return [
    ...better('price', from.purchase, to.purchase),
    ...betterRebill(before.product, after.product),
    ...(isSameNext(before, after) ? [] : better('renewal', from.renewal, to.renewal, to.renewal.product.title)),
    ...granted(before.product, after.product),
  ]
}

const isSameNext = (before: Placed, after: Placed): boolean =>
  renewsAs(before.product, before.all).unique_id === renewsAs(after.product, after.all).unique_id

/**
 * Changes of the auto-renewal price, where it differs from the price. Changes of size are left out, because the
 * purchase reports them.
 */
function betterRebill(before: ProductRow, after: ProductRow): string[] {
  if (before.price_rebill_cents === null && after.price_rebill_cents === null) return []
  const [from, to] = [before, after].map((product) => ({ cents: renewalCents(product), product })) as [Offer, Offer]
  return better(rebillName, from, to).filter((sentence) => sentence.startsWith(rebillName))
}
const rebillName = 'price of auto-renewal'

function better(name: string, from: Offer, to: Offer, renewsWith?: string): string[] {
  const prefix = renewsWith === undefined ? '' : `it renews as ${renewsWith}, whose `
  const priceName = renewsWith === undefined ? name : 'price'
  const single = [
    ...(falls(from.cents, to.cents) ? [`${priceName} falls ${span(formatPrice, from.cents, to.cents)}`] : []),
    ...sizes.flatMap(({ label, of, format }) => {
      const [old, wanted] = [of(from.product), of(to.product)]
      // The total changes along with the size, so it needs no line of its own.
      if (of === dataInAll && rises(from.product.data_gb, to.product.data_gb)) return []
      return rises(old, wanted) ? [`${label} ${span(format, old, wanted)}`] : []
    }),
  ]
  const together = single.length > 0 ? [] : unitsBetter(priceName, from, to)
  return [...single, ...together].map((sentence) => prefix + sentence)
}

function unitsBetter(name: string, from: Offer, to: Offer): string[] {
  const before = unitPrices(from)
  return [...unitPrices(to)].flatMap(([unit, cents]) => {
    const old = before.get(unit)
    return old !== undefined && falls(old, cents) ? [`${name} per ${unit} falls ${span(centsText, old, cents)}`] : []
  })
}

const sizes = [
  { label: 'data rises', of: ({ data_gb: gb }: ProductRow) => gb, format: (gb: number) => `${gb} GB` },
  { label: 'data over the whole length rises', of: dataInAll, format: (gb: number) => `${gb} GB` },
  { label: 'minutes rise', of: ({ voice_mins: minutes }: ProductRow) => minutes, format: String },
  { label: 'texts rise', of: ({ txt_sms: texts }: ProductRow) => texts, format: String },
  { label: 'length rises', of: ({ length_days: days }: ProductRow) => days, format: formatDays },
]

function granted(before: ProductRow, after: ProductRow): string[] {
  return [
    ...(before.roaming !== after.roaming && after.roaming ? ['can be used for roaming'] : []),
    ...(before.new_customer_only && !after.new_customer_only ? ['is no longer for new customers only'] : []),
    ...(after.sku !== null && before.sku !== after.sku
      ? [`the network delivers ${after.sku} instead of ${before.sku ?? 'nothing'}`]
      : []),
    ...(before.product_type === after.product_type ? [] : ['a plan becomes an add-on, or an add-on a plan']),
    ...(before.tax_class === after.tax_class ? [] : [`tax is ${after.tax_class} instead of ${before.tax_class}`]),
  ]
}

const falls = (from: number, to: number): boolean => to * 100 < from * (100 - aloneUpToPercent) * (1 - rounding)
const rises = (from: number, to: number): boolean => to * 100 > from * (100 + aloneUpToPercent) * (1 + rounding)
/** Tolerance for floating point: exactly 20 % is allowed. */
const rounding = 1e-9

function span(format: (amount: number) => string, from: number, to: number): string {
  const rounded = Math.round((Math.abs(to - from) / from) * 1_000) / 10
  // A figure just beyond the limit must not be rounded to the limit itself.
  const percent = Math.max(rounded, aloneUpToPercent + 0.1)
  // Only a price of 0 has fallen by 100 %.
  const shown = to > 0 && to < from ? Math.min(percent, 99.9) : percent
  const change = from > 0 ? ` (${to < from ? '-' : '+'}${shown} %)` : ''
  return `from ${format(from)} to ${format(to)}${change}`
}
