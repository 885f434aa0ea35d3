import { formatPrice } from '#kit/contract/money.ts'
import { type ProductInCatalogue, indexProductsById, getRenewalCents, getSuccessor } from './offers.ts'
import type { Catalogue, ProductRow } from './plans.store.ts'

type UnfavourableChange = { unique_id: string; words: string }

/** Lists the changes that leave customers worse off. New and withdrawn products are ignored. */
export function findUnfavourableChanges(before: Catalogue, after: Catalogue): UnfavourableChange[] {
  const [oldProducts, newProducts] = [indexProductsById(before.products), indexProductsById(after.products)]
  return after.products.flatMap((product) => {
    const oldProduct = oldProducts.get(product.unique_id)
    if (!oldProduct || product.hidden) return []
    const sentences = [
      ...listContentReductions(oldProduct, product),
      ...listPriceIncreases({ product: oldProduct, all: oldProducts }, { product, all: newProducts }),
    ]
    return sentences.map((sentence) => ({ unique_id: product.unique_id, words: `${product.title}: ${sentence}` }))
  })
}

export const listUnfavourableChanges = (known: Catalogue[], wanted: Catalogue): string[] => [
  ...new Set(known.flatMap((before) => findUnfavourableChanges(before, wanted)).map(({ words }) => words)),
]

function listPriceIncreases(before: ProductInCatalogue, after: ProductInCatalogue): string[] {
  const priceChanges = [
    ['price', before.product.price_cents, after.product.price_cents],
    ['price of auto-renewal', getRenewalCents(before.product), getRenewalCents(after.product)],
    ['price of the plan it renews as', ...getSuccessorPrices(before, after)],
  ] as const
  return priceChanges.flatMap(([name, from, to]) =>
    to > from ? [`${name} ${formatPrice(from)} → ${formatPrice(to)}`] : [],
  )
}

/**
 * Returns a plan's renewal prices before and after a change. If the plan still renews as the same product, both prices are returned as
 * zero, because a change to the price is reported for that product.
 */
function getSuccessorPrices(before: ProductInCatalogue, after: ProductInCatalogue): [number, number] {
  const [from, to] = [getSuccessor(before.product, before.all), getSuccessor(after.product, after.all)]
  return from.unique_id === to.unique_id ? [0, 0] : [getRenewalCents(from), getRenewalCents(to)]
}

function listContentReductions(before: ProductRow, after: ProductRow): string[] {
  const sizes = [
    ['data', before.data_gb, after.data_gb, 'GB'],
    ['length', before.length_days, after.length_days, 'days'],
    ['minutes', before.voice_mins, after.voice_mins, ''],
    ['texts', before.txt_sms, after.txt_sms, ''],
  ] as const
  return [
    ...sizes.flatMap(([name, from, to, unit]) => (to < from ? [`${name} ${from} → ${to} ${unit}`.trim()] : [])),
    ...(before.roaming && !after.roaming ? ['no roaming any more'] : []),
  ]
}
