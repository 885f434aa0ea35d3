import * as v from 'valibot'
import type { ReportFaultAt } from '#kit/server/config/json-file.ts'
import { singleLineText } from '#kit/server/config/parse-json.ts'
import { checkProduct } from './check-product.ts'
import type { Catalogue } from './plans.store.ts'

/** Upper limit for numbers in a catalogue. It fits into the database columns, and no real product comes close. */
const maxCount = 1_000_000_000
/** Three years. A longer plan is more likely a typing error, and would be charged for years in advance. */
const maxLengthDays = 1_095
const countSchema = v.pipe(
  v.number(),
  v.integer('must be a whole number.'),
  v.minValue(0, 'must be 0 at least.'),
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
    length_days: v.pipe(
      countSchema,
      v.minValue(1, 'must be 1 at least.'),
      v.maxValue(maxLengthDays, `must be ${maxLengthDays} at most.`),
    ),
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
      v.minValue(0, 'must be 0 at least.'),
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

/** A list of a catalogue. `report` reports a fault at a path within the list, such as `3.price_cents`. */
type CataloguePart<Item> = { items: Item[]; report: ReportFaultAt }

export type CatalogueParts = {
  plans: CataloguePart<Product> | null
  addOns: CataloguePart<Product> | null
  filters: CataloguePart<LengthFilter> | null
}

/**
 * Checks the rules that span several fields or parts of a catalogue, and reports each violation.
 * @returns null when a part is missing
 */
export function joinCatalogue({ plans, addOns, filters }: CatalogueParts): Catalogue | null {
  if (plans && addOns) checkProducts([...listEntries(plans), ...listEntries(addOns)])
  if (plans && filters) checkFilters(listEntries(filters), plans.items)
  return plans && addOns && filters ? { products: [...plans.items, ...addOns.items], filters: filters.items } : null
}

/** An item of a list. `report` reports a fault of one of its fields. */
type Entry<Item> = { item: Item; report: ReportFaultAt }

const listEntries = <Item>({ items, report }: CataloguePart<Item>): Entry<Item>[] =>
  items.map((item, index) => ({ item, report: (field, message) => report(`${index}.${field}`, message) }))

function checkProducts(products: Entry<Product>[]): void {
  for (const field of ['unique_id', 'sku', 'code'] as const) reportDuplicateValues(products, field)
  for (const { item, report } of products) checkProduct(item, report)
  const byId = new Map(products.map(({ item }) => [item.unique_id, item]))
  for (const { item, report } of products) {
    const next = item.next_product_id
    const nextProduct = next === null ? undefined : byId.get(next)
    if (next === null && item.new_customer_only)
      report(
        'next_product_id',
        `${item.unique_id} is for new customers only, so it must name the plan that it renews as.`,
      )
    else if (next !== null && nextProduct?.product_type !== 1) report('next_product_id', `${next} is not a plan.`)
    else if (nextProduct?.new_customer_only) report('next_product_id', `${next} is for new customers only.`)
  }
}

function checkFilters(filters: Entry<LengthFilter>[], plans: Product[]): void {
  for (const field of ['position', 'length'] as const) reportDuplicateValues(filters, field)
  for (const { item, report } of filters) {
    if (!plans.some((plan) => plan.length_days === item.length && plan.sku && !plan.hidden))
      report('length', `no plan that can be bought is ${item.length} days long.`)
  }
}

const reportDuplicateValues = <Field extends string>(
  entries: Entry<Readonly<Record<Field, string | number | null>>>[],
  field: Field,
): void => reportDuplicates(entries.map(({ item, report }) => ({ value: item[field], path: field, report })))

/** Reports each value that has occurred before. `null` may occur several times. */
export function reportDuplicates(
  values: { value: string | number | null; path: string; report: ReportFaultAt }[],
): void {
  const seenValues = new Set<string | number>()
  for (const { value, path, report } of values) {
    if (value === null) continue
    if (seenValues.has(value)) report(path, `${value} appears twice.`)
    seenValues.add(value)
  }
}
