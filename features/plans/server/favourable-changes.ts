import { formatPrice } from '#kit/contract/money.ts'
import { formatDays } from '#kit/contract/plans.ts'
import { formatCents, listUndercutPrices, findCheapestPrices } from './undercut-prices.ts'
import {
  totalDataGb,
  type Offer,
  findOffers,
  type ProductInCatalogue,
  indexProductsById,
  getRenewalCents,
  getSuccessor,
  computeUnitPrices,
} from './offers.ts'
import { isOnSale } from './plans.ts'
import type { Catalogue, ProductRow } from './plans.store.ts'

export const maxPercentWithoutApproval = 20

/**
 * Lists, as sentences, the changes in customers' favour that one person may not publish alone. If the list is empty,
 * the catalogue needs no second approver.
 * @param approved the catalogue that two people last approved: all changes since then add up
 * @param onSale the catalogue that is on sale now
 */
export function findFavourableChanges(approved: Catalogue, onSale: Catalogue, wanted: Catalogue): string[] {
  const [before, after] = [indexProductsById(approved.products), indexProductsById(wanted.products)]
  const cheapestPrices = [approved, onSale].map(findCheapestPrices)
  const bySku = new Map(approved.products.flatMap((product) => (product.sku ? [[product.sku, product] as const] : [])))
  return wanted.products.flatMap((product) => {
    const approvedProduct = before.get(product.unique_id)
    // The network treats a product with a new ID but an approved SKU as the approved product, so compare it with that product.
    const comparedProduct = approvedProduct ?? bySku.get(product.sku ?? '')
    const isNewlyOnSale = !approvedProduct || (!isOnSale(approvedProduct) && isOnSale(product))
    const sentences = [
      ...(comparedProduct
        ? findFavourableProductChanges({ product: comparedProduct, all: before }, { product, all: after })
        : []),
      ...(isNewlyOnSale ? listUndercutPrices(findOffers(product, after), cheapestPrices) : []),
    ]
    const name = `${product.title} (${approvedProduct ? '' : 'new, '}${formatDays((approvedProduct ?? product).length_days)})`
    return sentences.map((sentence) => `${name}: ${sentence}`)
  })
}

function findFavourableProductChanges(before: ProductInCatalogue, after: ProductInCatalogue): string[] {
  const [from, to] = [findOffers(before.product, before.all), findOffers(after.product, after.all)]
  return [
    ...findFavourableOfferChanges('price', from.purchase, to.purchase),
    ...findAutoRenewalPriceFalls(before.product, after.product),
    ...(hasSameSuccessor(before, after)
      ? []
      : findFavourableOfferChanges('renewal', from.renewal, to.renewal, to.renewal.product.title)),
    ...listNonNumericGains(before.product, after.product),
  ]
}

const hasSameSuccessor = (before: ProductInCatalogue, after: ProductInCatalogue): boolean =>
  getSuccessor(before.product, before.all).unique_id === getSuccessor(after.product, after.all).unique_id

/**
 * Lists changes to the auto-renewal price, if a product has a separate one. Changes in data, minutes, texts and length are
 * left out, because the comparison of purchase prices already reports them.
 */
function findAutoRenewalPriceFalls(before: ProductRow, after: ProductRow): string[] {
  if (before.price_rebill_cents === null && after.price_rebill_cents === null) return []
  const [from, to] = [before, after].map((product) => ({ cents: getRenewalCents(product), product })) as [Offer, Offer]
  return findFavourableOfferChanges(autoRenewalPriceName, from, to).filter((sentence) =>
    sentence.startsWith(autoRenewalPriceName),
  )
}
const autoRenewalPriceName = 'price of auto-renewal'

function findFavourableOfferChanges(name: string, from: Offer, to: Offer, renewsWith?: string): string[] {
  const prefix = renewsWith === undefined ? '' : `it renews as ${renewsWith}, whose `
  const priceName = renewsWith === undefined ? name : 'price'
  const singleChanges = [
    ...(isFallTooLarge(from.cents, to.cents)
      ? [`${priceName} falls ${describeChange(formatPrice, from.cents, to.cents)}`]
      : []),
    ...productSizes.flatMap(({ label, of, format }) => {
      const [oldSize, wanted] = [of(from.product), of(to.product)]
      // A plan's total data grows with its data per cycle, so report such an increase only once.
      if (of === totalDataGb && isRiseTooLarge(from.product.data_gb, to.product.data_gb)) return []
      return isRiseTooLarge(oldSize, wanted) ? [`${label} ${describeChange(format, oldSize, wanted)}`] : []
    }),
  ]
  const unitChanges = singleChanges.length > 0 ? [] : findUnitPriceFalls(priceName, from, to)
  return [...singleChanges, ...unitChanges].map((sentence) => prefix + sentence)
}

function findUnitPriceFalls(name: string, from: Offer, to: Offer): string[] {
  const previousPrices = computeUnitPrices(from)
  return [...computeUnitPrices(to)].flatMap(([unit, cents]) => {
    const oldPrice = previousPrices.get(unit)
    return oldPrice !== undefined && isFallTooLarge(oldPrice, cents)
      ? [`${name} per ${unit} falls ${describeChange(formatCents, oldPrice, cents)}`]
      : []
  })
}

const productSizes = [
  { label: 'data rises', of: ({ data_gb: gb }: ProductRow) => gb, format: (gb: number) => `${gb} GB` },
  { label: 'data over the whole length rises', of: totalDataGb, format: (gb: number) => `${gb} GB` },
  { label: 'minutes rise', of: ({ voice_mins: minutes }: ProductRow) => minutes, format: String },
  { label: 'texts rise', of: ({ txt_sms: texts }: ProductRow) => texts, format: String },
  { label: 'length rises', of: ({ length_days: days }: ProductRow) => days, format: formatDays },
]

function listNonNumericGains(before: ProductRow, after: ProductRow): string[] {
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

const isFallTooLarge = (from: number, to: number): boolean =>
  to * 100 < from * (100 - maxPercentWithoutApproval) * (1 - roundingTolerance)
const isRiseTooLarge = (from: number, to: number): boolean =>
  to * 100 > from * (100 + maxPercentWithoutApproval) * (1 + roundingTolerance)
/** Tolerates floating-point errors, so that an increase of exactly 20% is allowed. */
const roundingTolerance = 1e-9

function describeChange(format: (amount: number) => string, from: number, to: number): string {
  const roundedPercent = Math.round((Math.abs(to - from) / from) * 1_000) / 10
  // Never round a percentage just above the limit down to the limit.
  const percent = Math.max(roundedPercent, maxPercentWithoutApproval + 0.1)
  // Show a fall of 100% only if the new price is 0.
  const shownPercent = to > 0 && to < from ? Math.min(percent, 99.9) : percent
  const change = from > 0 ? ` (${to < from ? '-' : '+'}${shownPercent} %)` : ''
  return `from ${format(from)} to ${format(to)}${change}`
}
