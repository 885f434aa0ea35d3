import { formatPrice } from '#kit/contract/money.ts'
import type { Catalogue, ProductRow } from './plans.store.ts'

/** What a customer would pay more for, or get less of. */
type Worse = { unique_id: string; words: string }

/** What becomes dearer or smaller when one catalogue takes the place of another; nothing of what is new or withdrawn. */
export function worseIn(before: Catalogue, after: Catalogue): Worse[] {
  const [old, wanted] = [byId(before), byId(after)]
  return after.products.flatMap((product) => {
    const known = old.get(product.unique_id)
    if (!known || product.hidden) return []
    const words = [...smaller(known, product), ...dearer({ product: known, all: old }, { product, all: wanted })]
    return words.map((word) => ({ unique_id: product.unique_id, words: `${product.title}: ${word}` }))
  })
}

/** The same beside several: what is for sale, and what is to come. Each is told once. */
export const worseThan = (known: Catalogue[], wanted: Catalogue): string[] => [
  ...new Set(known.flatMap((before) => worseIn(before, wanted)).map(({ words }) => words)),
]

type Products = Map<string, ProductRow>
type Placed = { product: ProductRow; all: Products }

const byId = ({ products }: Catalogue): Products => new Map(products.map((product) => [product.unique_id, product]))

const renewalCents = ({ price_rebill_cents, price_cents }: ProductRow): number => price_rebill_cents ?? price_cents

function dearer(before: Placed, after: Placed): string[] {
  const costs = [
    ['price', before.product.price_cents, after.product.price_cents],
    ['price of auto-renewal', renewalCents(before.product), renewalCents(after.product)],
    ['what renews after it', ...followingCents(before, after)],
  ] as const
  return costs.flatMap(([name, from, to]) => (to > from ? [`${name} ${formatPrice(from)} → ${formatPrice(to)}`] : []))
}

/** What renews after a plan costs more only if it is another one: the same one says so itself. */
function followingCents(before: Placed, after: Placed): [number, number] {
  const [from, to] = [before, after].map(
    ({ product, all }) => all.get(product.next_product_id ?? product.unique_id) ?? product,
  ) as [ProductRow, ProductRow]
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
