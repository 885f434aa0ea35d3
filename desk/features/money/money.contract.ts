import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'
import { decimalAmountSchema } from '#kit/contract/schema.ts'
import { calendarDaySchema } from '#kit/contract/day-schema.ts'
import { tones } from '#desk/features/customers/customer-history.contract.ts'

const instantSchema = v.string()
const tone = v.picklist(tones)
const cursorSchema = v.optional(v.pipe(v.string(), v.maxLength(140)))

/**
 * `waiting` lists disputes that are waiting for a person or for the bank, earliest due date first. `all` lists all
 * disputes, newest first.
 */
export const disputeLists = ['waiting', 'all'] as const
export type DisputeList = (typeof disputeLists)[number]

const disputeRow = v.object({
  reference: v.string(),
  order: v.string(),
  amount: decimalAmountSchema(),
  currency: v.string(),
  reason: v.string(),
  words: v.string(),
  tone,
  due: v.nullable(instantSchema),
  /** Seconds until the dispute's deadline, negative once it has passed. `null` if no deadline is known or the dispute is not open. */
  left_seconds: v.nullable(v.number()),
})
export type DisputeRow = v.InferOutput<typeof disputeRow>

export const listDisputes = endpoint({
  method: 'GET',
  path: '/api/desk/money/disputes/',
  summary: 'Lists disputed payments, 50 per page',
  query: v.object({ of: v.optional(v.picklist(disputeLists), 'waiting'), before: cursorSchema }),
  output: v.object({ disputes: v.array(disputeRow), next: v.nullable(v.string()) }),
})

const orderTypeTotalSchema = v.object({ count: v.number(), amount: decimalAmountSchema() })

const dailyTotalsSchema = v.object({
  /** A calendar day in the market's time zone, as `YYYY-MM-DD`. */
  day: v.string(),
  /** Whether the row is for today, whose figures are still preliminary. */
  is_today: v.boolean(),
  taken: decimalAmountSchema(),
  given: decimalAmountSchema(),
  /** Total amount of the disputes that were first reported on that day, minus any amounts that have come back since. */
  disputed: decimalAmountSchema(),
  activations: orderTypeTotalSchema,
  renewals: orderTypeTotalSchema,
  addons: orderTypeTotalSchema,
  by_card: orderTypeTotalSchema,
  /** Number of orders without a card payment, such as those paid with a voucher that the customer bought in a shop. */
  by_voucher: v.number(),
})
export type DailyTotals = v.InferOutput<typeof dailyTotalsSchema>

const day = () => calendarDaySchema('Please enter a day, such as 2026-11-26.')

export const listDailyTotals = endpoint({
  method: 'GET',
  path: '/api/desk/money/days/',
  summary: 'Returns daily totals in the market’s time zone, newest first, 7 days per page',
  query: v.object({ before: v.optional(day()) }),
  output: v.object({
    days: v.array(dailyTotalsSchema),
    next: v.nullable(v.string()),
    currency: v.string(),
    today: v.string(),
  }),
})

export const maxDownloadDays = 366

export const dayRangeMessages = {
  order: 'The end date is before the start date.',
  tooMany: `A file can cover at most ${maxDownloadDays} days.`,
  future: 'Choose today or an earlier day.',
} as const

export const downloadDailyTotals = endpoint({
  method: 'GET',
  path: '/api/desk/money/days/file/',
  summary: 'Returns the daily totals for a range of days as a CSV file',
  query: v.object({ from: day(), to: day() }),
  output: v.any(),
})
