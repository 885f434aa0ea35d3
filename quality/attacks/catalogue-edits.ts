import * as v from 'valibot'
import { productFields } from '#features/plans/server/catalogue-parts.ts'
import type { Catalogue, CatalogueProduct } from '#features/plans/server/plans.store.ts'

type Edit = { what: string; catalogue: Catalogue }
type Field = keyof typeof productFields

/** Numeric fields that affect neither what customers pay nor what they get. */
const harmlessFields: readonly Field[] = ['product_type', 'rrp_cents', 'sort_order']
const isNumberField = (field: Field): boolean =>
  v.is(productFields[field] as v.GenericSchema, 1) && !v.is(productFields[field] as v.GenericSchema, true)
const numberFields = (Object.keys(productFields) as Field[]).filter(
  (field) => isNumberField(field) && !harmlessFields.includes(field),
)
const isPriceField = (field: Field): boolean => field.endsWith('_cents')

export const favourableFields = numberFields

export const changeProduct = (
  catalogue: Catalogue,
  id: string,
  change: (product: CatalogueProduct) => Partial<CatalogueProduct>,
): Catalogue => ({
  ...catalogue,
  products: catalogue.products.map((product) =>
    product.unique_id === id ? { ...product, ...change(product) } : product,
  ),
})

function moved(product: CatalogueProduct, field: Field, part: number): Partial<CatalogueProduct> {
  const value = Number(product[field] ?? product.price_cents)
  if (isPriceField(field)) return { [field]: Math.floor(value * (1 - part)) }
  const more = value === 0 ? 1 : value * (1 + part)
  return { [field]: field === 'data_gb' ? more : Math.ceil(more) }
}

export function* inOneStep(catalogue: Catalogue, products: readonly CatalogueProduct[]): Generator<Edit> {
  const cheapestPlanId = [...catalogue.products]
    .filter(({ product_type: type, new_customer_only: isNew }) => type === 1 && !isNew)
    .sort((one, other) => one.price_cents - other.price_cents)[0]?.unique_id
  for (const product of products) {
    const edit = (what: string, change: Partial<CatalogueProduct>): Edit => ({
      what: `${what} of ${product.unique_id}`,
      catalogue: changeProduct(catalogue, product.unique_id, () => change),
    })
    for (const field of numberFields) yield edit(field, moved(product, field, 0.21))
    if (!product.roaming) yield edit('roaming', { roaming: true })
    if (product.new_customer_only) yield edit('new_customer_only', { new_customer_only: false })
    if (product.product_type === 1 && product.unique_id !== cheapestPlanId)
      yield edit('next_product_id', { next_product_id: cheapestPlanId ?? null })
    // Either change on its own is small enough for one staff member to decide, but not both together.
    yield edit('price and data', { ...moved(product, 'price_cents', 0.19), ...moved(product, 'data_gb', 0.19) })
    yield edit('price and length', { ...moved(product, 'price_cents', 0.19), ...moved(product, 'length_days', 0.15) })
  }
}

export const improveField = (now: Catalogue, id: string, field: Field): Catalogue =>
  changeProduct(now, id, (product) => moved(product, field, 0.09))

export function* withCheapProducts(catalogue: Catalogue, products: readonly CatalogueProduct[]): Generator<Edit> {
  for (const product of products) {
    const copy = {
      ...product,
      unique_id: 'attack',
      sku: 'ATTACK',
      code: 'ATTACK',
      title: 'Attack',
      price_rebill_cents: null,
    }
    const next = product.next_product_id
    const variants: [string, Partial<CatalogueProduct>][] = [
      ['for a cent', { price_cents: 1 }],
      [
        'below the cheapest',
        { price_cents: Math.floor(findLowestPricePerDay(catalogue, copy) * copy.length_days * 0.99) },
      ],
      ['hidden, for a cent', { price_cents: 1, hidden: true }],
      ['that renews for a cent', { price_rebill_cents: 1, next_product_id: null, new_customer_only: false }],
      ['of three years', { length_days: 1_095 }],
      ['of a thousand GB for a day', { data_gb: 1_000, length_days: 1 }],
      ['of many minutes', { voice_mins: 1_000_000 }],
      ['of many texts', { txt_sms: 1_000_000 }],
      ['without data, for a cent', { data_gb: 0, price_cents: 1 }],
      ['with the SKU of a plan that it takes the place of', { price_cents: Math.floor(product.price_cents * 0.7) }],
    ]
    for (const [what, change] of variants) {
      const isSkuReplaced = what.startsWith('with the SKU') && product.sku !== null
      const catalogueWithoutSku = isSkuReplaced
        ? changeProduct(catalogue, product.unique_id, () => ({ sku: null }))
        : catalogue
      const added = { ...copy, next_product_id: next, ...(isSkuReplaced && { sku: product.sku }), ...change }
      yield {
        what: `${what}, like ${product.unique_id}`,
        catalogue: { ...catalogueWithoutSku, products: [...catalogueWithoutSku.products, added] },
      }
    }
  }
}

export function* withPricesOfNothing(catalogue: Catalogue, products: readonly CatalogueProduct[]): Generator<Edit> {
  for (const { unique_id: id } of products)
    for (const field of numberFields.filter(isPriceField))
      yield { what: `${field} of ${id}`, catalogue: changeProduct(catalogue, id, () => ({ [field]: 0 })) }
}

const computePricePerDay = ({ price_cents: cents, length_days: days }: CatalogueProduct): number => cents / days
const computePricePerGbDay = (product: CatalogueProduct): number => computePricePerDay(product) / product.data_gb

function findLowestPricePerDay({ products }: Catalogue, product: CatalogueProduct): number {
  const known = products.filter(
    (each) =>
      each.sku !== null &&
      !each.hidden &&
      each.product_type === product.product_type &&
      each.roaming === product.roaming,
  )
  const pricesPerGbDay = known.filter(({ data_gb: gb }) => gb > 0).map(computePricePerGbDay)
  return Math.max(Math.min(...known.map(computePricePerDay)), product.data_gb * Math.min(...pricesPerGbDay))
}

const getRenewalPrice = ({ price_rebill_cents: rebill, price_cents: cents }: CatalogueProduct): number =>
  rebill ?? cents

/**
 * Returns the products on sale whose price or contents are more generous than one person may decide alone. The rule is implemented here a
 * second time, so that the test does not rely on Fantail's implementation.
 */
export function findUnderpricedProducts(approved: Catalogue, now: Catalogue): string[] {
  const approvedProductsById = new Map(approved.products.map((product) => [product.unique_id, product]))
  const ofNow = new Map(now.products.map((product) => [product.unique_id, product]))
  return now.products.flatMap((product) => {
    const old = approvedProductsById.get(product.unique_id)
    if (!old)
      return computePricePerDay(product) < findLowestPricePerDay(approved, product) * 0.999
        ? [`${product.unique_id} has too low a price`]
        : []
    const findNextProduct = (each: CatalogueProduct, all: Map<string, CatalogueProduct>) =>
      all.get(each.next_product_id ?? each.unique_id) ?? each
    const faults = [
      product.price_cents < old.price_cents * 0.8 && 'price',
      getRenewalPrice(product) < getRenewalPrice(old) * 0.8 && 'price of auto-renewal',
      getRenewalPrice(findNextProduct(product, ofNow)) <
        getRenewalPrice(findNextProduct(old, approvedProductsById)) * 0.8 && 'renewal',
      product.data_gb > old.data_gb * 1.2001 && 'data',
      product.voice_mins > old.voice_mins * 1.2 && 'minutes',
      product.txt_sms > old.txt_sms * 1.2 && 'texts',
      product.length_days > old.length_days * 1.2 && 'length',
      product.data_gb > 0 &&
        computePricePerGbDay(product) < computePricePerGbDay(old) * 0.799 &&
        'price per GB and day',
      computePricePerDay(product) < computePricePerDay(old) * 0.799 && 'price per day',
      product.roaming && !old.roaming && 'roaming',
      old.new_customer_only && !product.new_customer_only && 'new customers only',
    ]
    return faults.flatMap((fault) => (fault ? [`${fault} of ${product.unique_id}`] : []))
  })
}
