import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'

export const usageMessages = {
  unavailable: 'Sorry, your usage details are currently unavailable. Please refresh and try again.',
  dataUnavailable: 'Your data usage is not available at the moment',
  addOnsUnavailable: 'Your Add-On usage is not available at the moment',
  detailUnavailable: 'Unfortunately, your usage detail is not available at this moment.',
  page: 'Usage details are available for the last five weeks.',
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
  /** The ID of this purchase of the add-on. */
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
    /** The plan's allowances; `null` when the network does not respond. */
    entitlements: v.nullable(v.array(entitlementSchema)),
    /**
     * The network's last usage report, at most a day old and from the current cycle. This field is set only while the
     * network does not respond.
     */
    last_known: v.nullable(v.object({ entitlements: v.array(entitlementSchema), read_at: v.string() })),
    /** The length of the current cycle in days. */
    renewal_length: v.number(),
    is_final_cycle: v.boolean(),
    cycles: v.number(),
  }),
  /** The plan's end. `expiry_date` and `renewal_date` are ISO 8601 instants at local midnight. */
  expiry_date: v.string(),
  /** The end of the plan's current cycle. */
  renewal_date: v.string(),
  /** Whole days until the end of the plan's cycle, including today. */
  days_remaining: v.number(),
  addons: v.nullable(v.array(ownedAddOnSchema)),
  forecast: v.nullable(
    v.object({
      /** The forecast as a sentence, with `**strong**` for emphasis. */
      text: v.string(),
      /** The label of a link to buy more data (`'Add data from $4.00'`); `null` unless the data will run out early. */
      add_data: v.nullable(v.string()),
    }),
  ),
  is_expired: v.boolean(),
  /** When the network reported this usage; `null` when the network did not respond. */
  read_at: v.nullable(v.string()),
})
export type UsageSummary = v.InferOutput<typeof usageSummarySchema>

export const serviceIdSchema = v.pipe(v.string(), v.maxLength(100))

export const readUsageSummary = endpoint({
  method: 'GET',
  path: '/api/account/usage_summary/:uuid/',
  summary: 'Shows how much is left of the plan and each add-on, as reported by the network',
  params: v.object({ uuid: serviceIdSchema }),
  output: usageSummarySchema,
})

/** The oldest page of usage details. Page 0 covers the last seven days, and page 4 begins five weeks ago. */
export const lastDetailPage = 4

const usageDetailSchema = v.object({
  /** The first and last day of the page, both included, as calendar days in the market's time zone. */
  start_date: v.string(),
  end_date: v.string(),
  /** Data usage in MB per day, oldest day first. */
  data_usage: v.array(v.object({ date: v.string(), value: v.number() })),
  /** Calls and texts, newest first. `date` is an instant, and `duration` is in seconds. */
  voice_usage: v.array(v.object({ date: v.string(), destination: v.string(), duration: v.number() })),
  txt_usage: v.array(v.object({ date: v.string(), destination: v.string() })),
  read_at: v.string(),
})
export type UsageDetail = v.InferOutput<typeof usageDetailSchema>

export const readUsageDetail = endpoint({
  method: 'GET',
  path: '/api/account/usage_detail/:uuid/',
  summary: 'Shows a week of data use by day, calls and texts; 424 when the network does not respond',
  params: v.object({ uuid: serviceIdSchema }),
  query: v.object({
    page: v.pipe(
      v.optional(v.string(usageMessages.page), '0'),
      v.regex(/^[0-4]$/, usageMessages.page),
      v.transform(Number),
    ),
  }),
  output: usageDetailSchema,
})
