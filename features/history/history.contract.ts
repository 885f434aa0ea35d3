import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'
import { wireMoney } from '#kit/contract/schema.ts'
import { serviceName } from '#features/services/services.contract.ts'

export const historyMessages = {
  unavailable: 'Sorry, the history of this number is not available at the moment.',
  none: 'No data cycle has ended yet. What you used is here a few hours after the first one has.',
} as const

/** Maximum number of data cycles in an answer. The files have all cycles. */
export const maxCycles = 400

/** A data cycle that has ended. Days are those of the market. */
const cycleSchema = v.object({
  starts_on: v.string(),
  /** Its last day. */
  last_day: v.string(),
  plan: v.string(),
  /** What the plan gave for it. */
  data_gb: v.number(),
  /** Null: not known. */
  used_mb: v.nullable(v.number()),
  /** The day on which the plan's own data was used up; null: it was not. */
  ran_out_on: v.nullable(v.string()),
  /** Whether the network has said; `awaited` for a few hours, or until it answers; `unknown` when it never did. */
  reading: v.picklist(['known', 'awaited', 'unknown']),
  /** A renewal ended it before its time. */
  cut_short: v.boolean(),
})

const historySchema = v.object({
  phone_number: v.string(),
  /** The first day of the first month, and the last of the last, which is the present one. */
  starts_on: v.string(),
  last_day: v.string(),
  /** The newest `maxCycles`, oldest first. */
  cycles: v.array(cycleSchema),
  /** All twelve, oldest first; `YYYY-MM`. What was paid, less what was given back. */
  months: v.array(v.object({ month: v.string(), spent: wireMoney() })),
  spent: wireMoney(),
})
export type History = v.InferOutput<typeof historySchema>

const uuid = v.pipe(v.string(), v.maxLength(100))

export const readHistory = endpoint({
  method: 'GET',
  path: '/api/account/usage_history/:uuid/',
  summary: 'What a service used in each data cycle of the last 12 months, and what it cost in each month',
  params: v.object({ uuid }),
  output: historySchema,
})

const adviceSchema = v.object({
  kind: v.picklist(['less', 'right', 'more']),
  /** With `**strong**` for what it comes to. */
  text: v.string(),
  /** The plan that it speaks of, where that is another than would be renewed with. */
  plan_id: v.nullable(v.string()),
})
export type PlanAdvice = v.InferOutput<typeof adviceSchema>

export const readAdvice = endpoint({
  method: 'GET',
  path: '/api/account/plan_advice/',
  summary:
    'Which plan would have fitted what each of the 50 oldest services used, or the one with the uuid of the query, from three ended ' +
    'data cycles on; services without are left out',
  query: v.object({ uuid: v.optional(serviceName) }),
  output: v.record(v.string(), adviceSchema),
})

/** Where the same downloads: a path of its own, not a page of the portal. */
export const historyFile = (uuid: string, format: 'csv' | 'json'): string => `/documents/${uuid}/history.${format}`
