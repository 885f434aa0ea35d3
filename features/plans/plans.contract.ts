import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'
import { formatPrice, decimalToCents } from '#kit/contract/money.ts'
import { getPlanDataOrTitle } from '#kit/contract/plans.ts'

export const planMessages = {
  required: 'Please select a Prepay Plan.',
  newCustomers: 'This Prepay Plan is for new customers. Please choose another one.',
  next: ({ length, price, ...plan }: { title: string; data_gb: number; length: number; price: string }): string =>
    `${getPlanDataOrTitle(plan)} for ${length} days, ${formatPrice(decimalToCents(price))}`,
} as const

export const productTypes = { plan: 1, addon: 2 } as const

/** A product that customers can buy. Prices are decimal strings including GST. */
export const productSchema = v.object({
  unique_id: v.string(),
  /** The stock-keeping unit; `null` hides the product from all lists and prevents its purchase. */
  sku: v.nullable(v.string()),
  product_type: v.picklist([1, 2]),
  title: v.string(),
  /** Days. */
  length: v.number(),
  price: v.string(),
  rrp: v.nullable(v.string()),
  price_rebill: v.nullable(v.string()),
  colour: v.string(),
  sort_order: v.number(),
  data: v.number(),
  /** For a plan, GB per 30-day cycle; for an add-on, GB in total. */
  data_gb: v.number(),
  voice_mins: v.number(),
  txt_sms: v.number(),
  roaming: v.boolean(),
  new_customer_only: v.boolean(),
  /** The plan that replaces this one when it renews; `null` if it renews as the same plan. */
  next_product_unique_id: v.nullable(v.string()),
  renewal_length: v.number(),
  code: v.string(),
})
export type Product = v.InferOutput<typeof productSchema>

const planFilterSchema = v.object({
  position: v.number(),
  length: v.number(),
  unit: v.string(),
  promo_text: v.nullable(v.string()),
})
export type PlanFilter = v.InferOutput<typeof planFilterSchema>

const oneMinuteCacheControl = 'public, max-age=60'

export const listProducts = endpoint({
  method: 'GET',
  path: '/api/products/',
  summary: 'Lists the plans and add-ons on sale, by unique_id',
  output: v.record(v.string(), productSchema),
  cache: oneMinuteCacheControl,
})

export const listPlanFilters = endpoint({
  method: 'GET',
  path: '/api/products/filters/',
  summary: 'Lists the plan lengths to filter by',
  output: v.array(planFilterSchema),
  cache: oneMinuteCacheControl,
})
