import * as v from 'valibot'
import { type ReportFault, singleLineText } from '#kit/server/config/parse-json.ts'
import type { Catalogue } from './plans.store.ts'

/** Upper limit for numbers in a catalogue. It fits into the database columns, and no real product comes close. */
const maxCount = 1_000_000_000
const countSchema = v.pipe(
  v.number(),
  v.integer('must be a whole number.'),
  v.minValue(0, 'must not be below 0.'),
  v.maxValue(maxCount, `must be ${maxCount} at most.`),
)
const idSchema = v.pipe(
  v.string(),
  v.maxLength(100, 'must have 100 characters at most.'),
  v.regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be in small letters, digits and hyphens.'),
)

const productSchema = <Type extends 1 | 2>(type: Type) =>
  v.strictObject({
    unique_id: idSchema,
    sku: v.nullable(singleLineText(60)),
    /** The product type: 1 is a plan, 2 is an add-on. */
    product_type: v.literal(type),
    title: singleLineText(60),
    length_days: v.pipe(countSchema, v.minValue(1, 'must be 1 at least.')),
    /** Price including GST, in cents of the market's currency. */
    price_cents: countSchema,
    /** The original price, which pages show struck through. */
    rrp_cents: v.nullable(countSchema),
    price_rebill_cents: v.nullable(countSchema),
    colour: v.pipe(v.string(), v.regex(/^#[0-9a-f]{6}$/, 'must be a colour such as #0b5f57.')),
    sort_order: countSchema,
    /** For a plan, GB per 30-day cycle; for an add-on, GB in total. */
    data_gb: v.pipe(
      v.number(),
      v.minValue(0, 'must not be below 0.'),
      v.maxValue(maxCount, `must be ${maxCount} at most.`),
    ),
    /** Minutes and texts in addition to the unlimited standard calls and texts that every plan includes. */
    voice_mins: countSchema,
    txt_sms: countSchema,
    roaming: v.boolean(),
    new_customer_only: v.boolean(),
    next_product_id: v.nullable(idSchema),
    code: singleLineText(60),
    /** Hidden products are withdrawn from sale, but active plans still refer to them. */
    hidden: v.boolean(),
    tax_class: v.literal('standard'),
    /** Confirms that a price of 0 is intended. Without this confirmation, a price of 0 is rejected. */
    free: v.optional(v.boolean()),
  })

const filterSchema = v.strictObject({
  /** Position on the plan length slider, from 0 to 100. */
  position: v.pipe(countSchema, v.maxValue(100, 'must be 100 at most.')),
  length: countSchema,
  unit: v.literal('days'),
  promo_text: v.nullable(singleLineText(30)),
})

const createBoundedListSchema = <Item extends v.GenericSchema>(maxItems: number, item: Item) =>
  v.pipe(v.looseTuple([]), v.maxLength(maxItems, `must have ${maxItems} entries at most.`), v.array(item))

const maxProducts = 1_000
export const productFields = productSchema(1).entries
export const plansSchema = createBoundedListSchema(maxProducts, productSchema(1))
export const addOnsSchema = createBoundedListSchema(maxProducts, productSchema(2))
export const filtersSchema = v.pipe(
  createBoundedListSchema(101, filterSchema),
  v.minLength(1, 'must have one length at least.'),
)
export const catalogueId = idSchema

type Product = v.InferOutput<ReturnType<typeof productSchema<1 | 2>>>
type LengthFilter = v.InferOutput<typeof filterSchema>

/**
 * A catalogue's parts. `place` is the prefix for fault messages, such as `plans.json: `. The index of the faulty item
 * follows the prefix.
 */
export type CatalogueParts = {
  plans: { place: string; items: Product[] } | null
  addOns: { place: string; items: Product[] } | null
  filters: { place: string; items: LengthFilter[] } | null
}

/**
 * Checks the rules that span several parts of a catalogue, and reports each violation to `fault`.
 * @returns null when a part is missing
 */
export function joinCatalogue({ plans, addOns, filters }: CatalogueParts, fault: ReportFault): Catalogue | null {
  if (plans && addOns) checkProducts([...addPlaceToItems(plans), ...addPlaceToItems(addOns)], fault)
  if (plans && filters) checkFilters(addPlaceToItems(filters), plans.items, fault)
  return plans && addOns && filters ? { products: [...plans.items, ...addOns.items], filters: filters.items } : null
}

type ItemWithPlace<T> = { place: string; item: T }
const addPlaceToItems = <T>({ place, items }: { place: string; items: T[] }): ItemWithPlace<T>[] =>
  items.map((item, at) => ({ place: `${place}${at}`, item }))

function checkProducts(products: ItemWithPlace<Product>[], fault: ReportFault): void {
  checkDuplicates(
    products.map(({ place, item }) => ({ place: `${place}.unique_id`, value: item.unique_id })),
    fault,
  )
  checkDuplicates(
    products.flatMap(({ place, item }) => (item.sku === null ? [] : { place: `${place}.sku`, value: item.sku })),
    fault,
  )
  const byId = new Map(products.map(({ item }) => [item.unique_id, item]))
  for (const placedProduct of products) checkFreeProduct(placedProduct, fault)
  for (const { place, item } of products) {
    const next = item.next_product_id
    const nextProduct = next === null ? undefined : byId.get(next)
    if (next === null && item.new_customer_only)
      fault(
        `${place}.next_product_id: ${item.unique_id} is for new customers only, so it must name the plan that it renews as.`,
      )
    else if (next !== null && nextProduct?.product_type !== 1) fault(`${place}.next_product_id: ${next} is not a plan.`)
    else if (nextProduct?.new_customer_only) fault(`${place}.next_product_id: ${next} is for new customers only.`)
  }
}

/** Requires a price of 0 to be confirmed explicitly, because a typo or a truncated file can also produce one. */
function checkFreeProduct({ place, item }: ItemWithPlace<Product>, fault: ReportFault): void {
  const zeroFields = (['price_cents', 'price_rebill_cents'] as const).filter((field) => item[field] === 0)
  if (item.free && zeroFields.length === 0)
    fault(`${place}.free: ${item.unique_id} is marked as free, but none of its prices is 0.`)
  if (item.free) return
  for (const field of zeroFields)
    fault(`${place}.${field}: ${item.unique_id} would cost nothing. If it is meant to be free, add "free": true.`)
}

function checkFilters(placedFilters: ItemWithPlace<LengthFilter>[], plans: Product[], fault: ReportFault): void {
  checkDuplicates(
    placedFilters.map(({ place, item }) => ({ place: `${place}.position`, value: item.position })),
    fault,
  )
  checkDuplicates(
    placedFilters.map(({ place, item }) => ({ place: `${place}.length`, value: item.length })),
    fault,
  )
  for (const { place, item } of placedFilters) {
    if (!plans.some((plan) => plan.length_days === item.length && plan.sku && !plan.hidden))
      fault(`${place}.length: no plan that can be bought is ${item.length} days long.`)
  }
}

export function checkDuplicates(values: { place: string; value: string | number }[], fault: ReportFault): void {
  const seenValues = new Set<string | number>()
  for (const { place, value } of values) {
    if (seenValues.has(value)) fault(`${place}: ${value} appears twice.`)
    seenValues.add(value)
  }
}
