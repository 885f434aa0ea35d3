import * as v from 'valibot'
import addOns from './catalogue/add-ons.json' with { type: 'json' }
import filters from './catalogue/filters.json' with { type: 'json' }
import layout from './catalogue/layout.json' with { type: 'json' }
import plans from './catalogue/plans.json' with { type: 'json' }
import portingProviders from './catalogue/porting-providers.json' with { type: 'json' }

const count = v.pipe(v.number(), v.integer(), v.minValue(0))
const id = v.pipe(v.string(), v.regex(/^[a-z0-9]+(-[a-z0-9]+)*$/))

const productSchema = v.strictObject({
  unique_id: id,
  /** Null: shown in no list, and cannot be bought. */
  sku: v.nullable(v.pipe(v.string(), v.nonEmpty())),
  /** 1 plan, 2 add-on. */
  product_type: v.picklist([1, 2]),
  title: v.pipe(v.string(), v.nonEmpty()),
  length_days: v.pipe(count, v.minValue(1)),
  /** With GST, in cents of the market's currency. */
  price_cents: count,
  /** What it would have cost: shown struck through. */
  rrp_cents: v.nullable(count),
  /** What an auto-renewal costs, where that differs. */
  price_rebill_cents: v.nullable(count),
  colour: v.pipe(v.string(), v.regex(/^#[0-9a-f]{6}$/)),
  sort_order: count,
  /** Of each 30-day cycle of a plan; of all of an add-on. */
  data_gb: v.pipe(v.number(), v.minValue(0)),
  /** Beyond the unlimited standard calls and texts of every plan. */
  voice_mins: count,
  txt_sms: count,
  roaming: v.boolean(),
  new_customer_only: v.boolean(),
  /** The plan that renews after this one, when it is another. */
  next_product_id: v.nullable(id),
  code: v.string(),
  /** Withdrawn: plans in use still refer to it. */
  hidden: v.boolean(),
  tax_class: v.picklist(['standard']),
})

const providersSchema = v.array(v.strictObject({ id, name: v.string() }))
const url = v.pipe(v.string(), v.regex(/^(?:\/(?!\/)|https:\/\/)/))
const menuSchema = v.array(v.strictObject({ text: v.string(), url }))

const catalogueSchema = v.strictObject({
  products: v.array(productSchema),
  filters: v.array(
    v.strictObject({
      /** Place on the slider, 0 to 100. */
      position: v.pipe(count, v.maxValue(100)),
      length: count,
      unit: v.literal('days'),
      promo_text: v.nullable(v.string()),
    }),
  ),
  portingProviders: v.strictObject({ NZ: providersSchema, AU: providersSchema }),
  layout: v.strictObject({
    menus: v.strictObject({ header: menuSchema, footer: v.array(v.strictObject({ title: v.string(), items: menuSchema })) }),
    roaming_link_text: v.string(),
    roaming_link_url: url,
    plan_selection_terms: v.array(v.string()),
    faq_url: url,
    order_sim_url: url,
    copyright: v.string(),
  }),
})
export type Catalogue = v.InferOutput<typeof catalogueSchema>

/**
 * What Fantail Mobile offers, from the files in `catalogue/`: a provider brings its own instead.
 * @throws one line that names the first fault
 */
export function loadCatalogue(): Catalogue {
  return parseCatalogue({ products: [...plans, ...addOns], filters, portingProviders, layout })
}

/** Checks a catalogue, and that what it refers to is in it. @throws one line that names the first fault */
export function parseCatalogue(input: unknown): Catalogue {
  const parsed = v.safeParse(catalogueSchema, input)
  if (!parsed.success) {
    const [issue] = parsed.issues
    throw new Error(`catalogue: ${v.getDotPath(issue) ?? 'all of it'}: ${issue.message}`)
  }
  const fault = faultOf(parsed.output)
  if (fault) throw new Error(`catalogue: ${fault}`)
  return parsed.output
}

function faultOf({ products, filters: lengths, portingProviders: providers }: Catalogue): string | undefined {
  const byId = new Map(products.map((product) => [product.unique_id, product]))
  const skus = products.flatMap(({ sku }) => sku ?? [])
  const twice =
    repeated(products.map((product) => product.unique_id)) ??
    repeated(skus) ??
    repeated(lengths.map((filter) => filter.position)) ??
    repeated(lengths.map((filter) => filter.length)) ??
    repeated(providers.NZ.map((provider) => provider.id)) ??
    repeated(providers.AU.map((provider) => provider.id))
  if (twice !== undefined) return `${twice} is there twice`
  for (const { unique_id, next_product_id: next, new_customer_only: isForNew } of products) {
    if (isForNew && next === null) return `${unique_id} is for new customers only: it has to name the plan that renews`
    const following = next === null ? undefined : byId.get(next)
    if (next !== null && following?.product_type !== 1) return `${unique_id} is followed by ${next}, which is no plan`
    if (following?.new_customer_only) return `${unique_id} is followed by ${next}, which is for new customers only`
  }
  const isEmpty = (length: number) => !products.some((each) => each.length_days === length && each.product_type === 1 && each.sku && !each.hidden)
  const empty = lengths.find((filter) => isEmpty(filter.length))
  return empty && `no plan is ${empty.length} days long, but a filter is`
}

const repeated = <T>(values: T[]): T | undefined => values.find((value, at) => values.indexOf(value) !== at)
