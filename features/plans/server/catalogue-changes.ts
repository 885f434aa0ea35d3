import { centsToDecimal } from '#kit/contract/money.ts'
import type { Catalogue, ProductRow } from './plans.store.ts'

/**
 * A change to a product or, if `unique_id` is `null`, to the plan lengths on the slider. Values are formatted for
 * display.
 */
export type CatalogueChange = {
  kind: 'added' | 'changed' | 'withdrawn' | 'returned'
  unique_id: string | null
  title: string
  fields: { field: string; from: string; to: string }[]
}

type FieldNames = { [Name in keyof ProductRow]: string }

const fieldLabels: Omit<FieldNames, 'unique_id' | 'hidden'> = {
  product_type: 'type',
  title: 'title',
  sku: 'SKU',
  length_days: 'days',
  price_cents: 'price',
  rrp_cents: 'price struck through',
  price_rebill_cents: 'price of auto-renewal',
  data_gb: 'GB',
  voice_mins: 'minutes',
  txt_sms: 'texts',
  roaming: 'roaming',
  new_customer_only: 'new customers only',
  next_product_id: 'renews as',
  code: 'code',
  colour: 'colour',
  sort_order: 'place in the list',
  tax_class: 'tax',
}

export function diffCatalogues(current: Catalogue, wanted: Catalogue): CatalogueChange[] {
  const currentProductsById = new Map(current.products.map((product) => [product.unique_id, product]))
  const after = new Map(wanted.products.map((product) => [product.unique_id, product]))
  const withdrawnChanges = current.products
    .filter((product) => !product.hidden && !after.has(product.unique_id))
    .map((product) => createChange('withdrawn', product, []))
  const otherChanges = wanted.products.flatMap((product) => {
    const previousProduct = currentProductsById.get(product.unique_id)
    return previousProduct ? diffProduct(previousProduct, product) : [createChange('added', product, [])]
  })
  return [...otherChanges, ...withdrawnChanges, ...compareLengthFilters(current, wanted)]
}

const createChange = (
  kind: CatalogueChange['kind'],
  { unique_id, title }: ProductRow,
  of: CatalogueChange['fields'],
): CatalogueChange => ({ kind, unique_id, title, fields: of })

function diffProduct(previousProduct: ProductRow, product: ProductRow): CatalogueChange[] {
  const changedFields = Object.entries(fieldLabels).flatMap(([name, field]) => {
    const [from, to] = [previousProduct, product].map((row) => formatValue(name, row[name as keyof ProductRow])) as [
      string,
      string,
    ]
    return from === to ? [] : [{ field, from, to }]
  })
  if (previousProduct.hidden !== product.hidden)
    return [createChange(product.hidden ? 'withdrawn' : 'returned', product, changedFields)]
  return changedFields.length > 0 ? [createChange('changed', product, changedFields)] : []
}

function formatValue(name: string, value: string | number | boolean | null): string {
  if (value === null) return 'none'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return name.endsWith('_cents') ? centsToDecimal(Number(value)) : String(value)
}

function compareLengthFilters(present: Catalogue, wanted: Catalogue): CatalogueChange[] {
  const [from, to] = [present, wanted].map(({ filters }) =>
    [...filters]
      .sort((a, b) => a.position - b.position)
      .map(({ length, promo_text: promo }) => (promo ? `${length} (${promo})` : String(length)))
      .join(', '),
  ) as [string, string]
  const lengthFields = [{ field: 'days', from: from || 'none', to }]
  return from === to
    ? []
    : [{ kind: 'changed', unique_id: null, title: 'Plan lengths to choose from', fields: lengthFields }]
}
