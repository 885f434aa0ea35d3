import { formatPrice } from '#kit/contract/money.ts'
import { type Placed, productsById, renewalCents, renewsAs } from './offers.ts'
import type { Catalogue, ProductRow } from './plans.store.ts'

type Worse = { unique_id: string; words: string }

/** New and withdrawn products do not count. */
export function worseIn(before: Catalogue, after: Catalogue): Worse[] {
  const [old, wanted] = [productsById(before.products), productsById(after.products)]
  return after.products.flatMap((product) => {
    const known = old.get(product.unique_id)
    if (!known || product.hidden) return []
    const words = [...smaller(known, product), ...dearer({ product: known, all: old }, { product, all: wanted })]
    return words.map((word) => ({ unique_id: product.unique_id, words: `${product.title}: ${word}` }))
  })
}

export const worseThan = (known: Catalogue[], wanted: Catalogue): string[] => [
  ...new Set(known.flatMap((before) => worseIn(before, wanted)).map(({ words }) => words)),
]

function dearer(before: Placed, after: Placed): string[] {
  const costs = [
    ['price', before.product.price_cents, after.product.price_cents],
    ['price of auto-renewal', renewalCents(before.product), renewalCents(after.product)],
    ['what renews after it', ...followingCents(before, after)],
  ] as const
  return costs.flatMap(([name, from, to]) => (to > from ? [`${name} ${formatPrice(from)} → ${formatPrice(to)}`] : []))
}

/**
 * The cost of the following renewal, compared only if another product renews: the same product reports its own change.
 */
function followingCents(before: Placed, after: Placed): [number, number] {
  const [from, to] = [renewsAs(before.product, before.all), renewsAs(after.product, after.all)]
  return from.unique_id === to.unique_id ? [0, 0] : [renewalCents(from), renewalCents(to)]
}

function smaller(before: ProductRow, after: ProductRow): string[] {
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
