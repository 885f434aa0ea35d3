import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'
import { decimalAmountSchema } from '#kit/contract/schema.ts'
import { serviceNameSchema } from '#features/services/services.contract.ts'

export const historyMessages = {
  unavailable: 'Sorry, this number’s history is not available at the moment.',
  none: 'No data cycle has ended yet. Your first cycle appears a few hours after it ends.',
} as const

/** Maximum data cycles in an API response. The downloadable files contain all of them. */
export const maxCycles = 400

/** A data cycle that has ended. Its days are calendar days in the market's time zone. */
const cycleSchema = v.object({
  starts_on: v.string(),
  last_day: v.string(),
  plan: v.string(),
  data_gb: v.number(),
  used_mb: v.nullable(v.number()),
  /** The day on which the plan's own data ran out; `null` if the data did not run out or the usage is unknown. */
  ran_out_on: v.nullable(v.string()),
  /**
   * Whether the usage is known. `awaited`: the network has yet to report it, normally within a few hours. `unknown`:
   * the network never reported it.
   */
  reading: v.picklist(['known', 'awaited', 'unknown']),
  cut_short: v.boolean(),
})

const historySchema = v.object({
  phone_number: v.string(),
  /** The history covers twelve months, from the first day of the first month to the last day of the current month. */
  starts_on: v.string(),
  last_day: v.string(),
  /** The newest data cycles, at most `maxCycles`, ordered from oldest to newest. */
  cycles: v.array(cycleSchema),
  /** All twelve months as `YYYY-MM`, ordered from oldest to newest. `spent` is the amount paid, minus refunds. */
  months: v.array(v.object({ month: v.string(), spent: decimalAmountSchema() })),
  spent: decimalAmountSchema(),
})
export type History = v.InferOutput<typeof historySchema>

const uuid = v.pipe(v.string(), v.maxLength(100))

export const readHistory = endpoint({
  method: 'GET',
  path: '/api/account/usage_history/:uuid/',
  summary: 'Shows a service’s data use in each data cycle of the last 12 months, and the amount paid in each month',
  params: v.object({ uuid }),
  output: historySchema,
})

const adviceSchema = v.object({
  kind: v.picklist(['less', 'right', 'more']),
  text: v.string(),
  /** The recommended plan; `null` if the plan for the next renewal is already the best choice. */
  plan_id: v.nullable(v.string()),
})
export type PlanAdvice = v.InferOutput<typeof adviceSchema>

export const readAdvice = endpoint({
  method: 'GET',
  path: '/api/account/plan_advice/',
  summary:
    'Recommends a plan for the service named in the query, or for each of the customer’s 50 oldest services if no service is named; ' +
    'services without advice, such as those with fewer than three ended data cycles, are left out',
  query: v.object({ uuid: v.optional(serviceNameSchema) }),
  output: v.record(v.string(), adviceSchema),
})

/** The URL for downloading the usage history as a file. The server answers it directly; no portal page has this URL. */
export const getHistoryFileUrl = (uuid: string, format: 'csv' | 'json'): string =>
  `/documents/${uuid}/history.${format}`
