import * as v from 'valibot'
import { type Fault, oneLine, parseJson } from '#kit/server/config/json-files.ts'

const count = v.pipe(v.number(), v.integer('must be a whole number.'), v.minValue(0, 'must not be below 0.'))
const id = v.pipe(v.string(), v.regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be in small letters, digits and hyphens.'))

const productSchema = <Type extends 1 | 2>(type: Type) =>
  v.strictObject({
    unique_id: id,
    /** Null: shown in no list, and cannot be bought. */
    sku: v.nullable(oneLine(60)),
    /** 1 plan, 2 add-on. */
    product_type: v.literal(type),
    title: oneLine(60),
    length_days: v.pipe(count, v.minValue(1, 'must be 1 at least.')),
    /** With GST, in cents of the market's currency. */
    price_cents: count,
    /** What it would have cost: shown struck through. */
    rrp_cents: v.nullable(count),
    /** What an auto-renewal costs, where that differs. */
    price_rebill_cents: v.nullable(count),
    colour: v.pipe(v.string(), v.regex(/^#[0-9a-f]{6}$/, 'must be a colour such as #0b5f57.')),
    sort_order: count,
    /** Of each 30-day cycle of a plan; of all of an add-on. */
    data_gb: v.pipe(v.number(), v.minValue(0, 'must not be below 0.')),
    /** Beyond the unlimited standard calls and texts of every plan. */
    voice_mins: count,
    txt_sms: count,
    roaming: v.boolean(),
    new_customer_only: v.boolean(),
    /** The plan that renews after this one, when it is another. */
    next_product_id: v.nullable(id),
    code: oneLine(60),
    /** Withdrawn: plans in use still refer to it. */
    hidden: v.boolean(),
    tax_class: v.literal('standard'),
  })

const filterSchema = v.strictObject({
  /** Place on the slider, 0 to 100. */
  position: v.pipe(count, v.maxValue(100, 'must be 100 at most.')),
  length: count,
  unit: v.literal('days'),
  promo_text: v.nullable(oneLine(30)),
})

const donorsSchema = v.array(v.strictObject({ id, name: oneLine(60) }))

const productsSchema = { plans: v.array(productSchema(1)), addOns: v.array(productSchema(2)) }
const filtersSchema = v.pipe(v.array(filterSchema), v.minLength(1, 'must have one length at least.'))
const donorsOfMarkets = v.strictObject({ NZ: v.optional(donorsSchema), AU: v.optional(donorsSchema) })

type Product = v.InferOutput<ReturnType<typeof productSchema<1 | 2>>>
type Filter = v.InferOutput<typeof filterSchema>
export type Donor = { id: string; name: string }

/** What is for sale, and the lengths along the slider. */
export type Catalogue = { products: Product[]; filters: Filter[] }

/** What a provider sells, and from whom a number can come. @returns null when `fault` has been told what is wrong with it */
export function parseCatalogue(
  textOf: (file: string) => string | null,
  market: 'NZ' | 'AU',
  fault: Fault,
): (Catalogue & { donors: Donor[] }) | null {
  const read = <Schema extends v.GenericSchema>(file: string, schema: Schema): v.InferOutput<Schema> | null => {
    const text = textOf(file)
    return text === null ? null : parseJson(file, text, schema, fault)
  }
  const plans = read('plans.json', productsSchema.plans)
  const addOns = read('add-ons.json', productsSchema.addOns)
  const filters = read('filters.json', filtersSchema)
  const donors = read('porting-providers.json', donorsOfMarkets)
  if (plans && addOns) checkProducts([...placesOf('plans.json', plans), ...placesOf('add-ons.json', addOns)], fault)
  if (plans && filters) checkFilters(filters, plans, fault)
  const ofMarket = donors && checkDonors(donors, market, fault)
  return plans && addOns && filters && ofMarket ? { products: [...plans, ...addOns], filters, donors: ofMarket } : null
}

function checkDonors(donors: Partial<Record<'NZ' | 'AU', Donor[]>>, market: 'NZ' | 'AU', fault: Fault): Donor[] | null {
  for (const [code, list] of Object.entries(donors))
    checkRepeats(
      list.map(({ id: value }, at) => ({ place: `porting-providers.json: ${code}.${at}.id`, value })),
      fault,
    )
  if (!donors[market]) fault(`porting-providers.json: ${market}: is missing.`)
  return donors[market] ?? null
}

type Placed<T> = { place: string; item: T }
const placesOf = <T>(file: string, items: T[]): Placed<T>[] =>
  items.map((item, at) => ({ place: `${file}: ${at}`, item }))

function checkProducts(products: Placed<Product>[], fault: Fault): void {
  checkRepeats(
    products.map(({ place, item }) => ({ place: `${place}.unique_id`, value: item.unique_id })),
    fault,
  )
  checkRepeats(
    products.flatMap(({ place, item }) => (item.sku === null ? [] : { place: `${place}.sku`, value: item.sku })),
    fault,
  )
  const byId = new Map(products.map(({ item }) => [item.unique_id, item]))
  for (const { place, item } of products) {
    const next = item.next_product_id
    const following = next === null ? undefined : byId.get(next)
    if (next === null && item.new_customer_only)
      fault(
        `${place}.next_product_id: ${item.unique_id} is for new customers only: it has to name the plan that renews.`,
      )
    else if (next !== null && following?.product_type !== 1) fault(`${place}.next_product_id: ${next} is no plan.`)
    else if (following?.new_customer_only) fault(`${place}.next_product_id: ${next} is for new customers only.`)
  }
}

function checkFilters(filters: Filter[], plans: Product[], fault: Fault): void {
  const places = placesOf('filters.json', filters)
  checkRepeats(
    places.map(({ place, item }) => ({ place: `${place}.position`, value: item.position })),
    fault,
  )
  checkRepeats(
    places.map(({ place, item }) => ({ place: `${place}.length`, value: item.length })),
    fault,
  )
  for (const { place, item } of places) {
    if (!plans.some((plan) => plan.length_days === item.length && plan.sku && !plan.hidden))
      fault(`${place}.length: no plan that can be bought is ${item.length} days long.`)
  }
}

function checkRepeats(values: { place: string; value: string | number }[], fault: Fault): void {
  const seen = new Set<string | number>()
  for (const { place, value } of values) {
    if (seen.has(value)) fault(`${place}: ${value} is there twice.`)
    seen.add(value)
  }
}
