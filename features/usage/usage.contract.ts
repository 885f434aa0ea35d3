import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'

export const usageMessages = {
  unavailable: 'Sorry, your usage details are currently unavailable. Please refresh and try again.',
  dataUnavailable: 'Your data usage is not available at the moment',
  addOnsUnavailable: 'Your Add-On usage is not available at the moment',
  detailUnavailable: 'Unfortunately, your usage detail is not available at this moment.',
  page: 'Usage detail goes back five weeks.',
} as const

const allowanceSchema = v.object({ amount: v.number(), unit: v.picklist(['GB', 'MB', 'Mins', 'SMS']) })
const entitlementSchema = v.object({
  name: v.string(),
  totalAllowance: allowanceSchema,
  remainingAllowance: allowanceSchema,
})
export type Entitlement = v.InferOutput<typeof entitlementSchema>

const ownedAddOnSchema = v.object({
  unique_id: v.string(),
  /** One for each time it was bought. */
  id: v.string(),
  name: v.string(),
  price: v.string(),
  roaming: v.boolean(),
  expiry_date: v.string(),
  entitlements: v.array(entitlementSchema),
})
export type OwnedAddOn = v.InferOutput<typeof ownedAddOnSchema>

export const usageSummarySchema = v.object({
  plan: v.object({
    title: v.string(),
    /** Null: the network does not say at the moment. */
    entitlements: v.nullable(v.array(entitlementSchema)),
    /** While it does not: what it said last, within a day and of the present cycle. */
    last_known: v.nullable(v.object({ entitlements: v.array(entitlementSchema), read_at: v.string() })),
    /** Days of the present cycle. */
    renewal_length: v.number(),
    is_final_cycle: v.boolean(),
    /** How many data cycles it has. */
    cycles: v.number(),
  }),
  /** The plan's end; ISO 8601 instants, both of them local midnights. */
  expiry_date: v.string(),
  /** The end of the present cycle. */
  renewal_date: v.string(),
  /** Whole days until then, today included. */
  days_remaining: v.number(),
  addons: v.nullable(v.array(ownedAddOnSchema)),
  /** How long the data lasts at this pace; null where that cannot be said. */
  forecast: v.nullable(
    v.object({
      /** A sentence, with `**strong**` for what it looks like. */
      text: v.string(),
      /** Leads to more data, where this runs out early: `'Add data from $4.00'`. */
      add_data: v.nullable(v.string()),
    }),
  ),
  is_expired: v.boolean(),
  /** When the network was asked; null when it did not answer. */
  read_at: v.nullable(v.string()),
})
export type UsageSummary = v.InferOutput<typeof usageSummarySchema>

export const uuid = v.pipe(v.string(), v.maxLength(100))

export const readUsageSummary = endpoint({
  method: 'GET',
  path: '/api/account/usage_summary/:uuid/',
  summary: 'What is left of the plan and of each add-on, as the network says',
  params: v.object({ uuid }),
  output: usageSummarySchema,
})

/** Newest first; page 4 is five weeks ago. */
export const lastDetailPage = 4

const usageDetailSchema = v.object({
  /** Calendar days in the market's zone, both included. */
  start_date: v.string(),
  end_date: v.string(),
  /** MB for each day of the week, oldest first. */
  data_usage: v.array(v.object({ date: v.string(), value: v.number() })),
  /** Newest first; instants, duration in seconds. */
  voice_usage: v.array(v.object({ date: v.string(), destination: v.string(), duration: v.number() })),
  txt_usage: v.array(v.object({ date: v.string(), destination: v.string() })),
  read_at: v.string(),
})
export type UsageDetail = v.InferOutput<typeof usageDetailSchema>

export const readUsageDetail = endpoint({
  method: 'GET',
  path: '/api/account/usage_detail/:uuid/',
  summary: 'A week of data by the day, calls and texts; the network being silent answers 424',
  params: v.object({ uuid }),
  query: v.object({
    page: v.pipe(
      v.optional(v.string(usageMessages.page), '0'),
      v.regex(/^[0-4]$/, usageMessages.page),
      v.transform(Number),
    ),
  }),
  output: usageDetailSchema,
})
