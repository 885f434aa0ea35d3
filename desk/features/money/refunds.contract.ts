import * as v from 'valibot'
import { calendarDaySchema } from '#kit/contract/day-schema.ts'
import { endpoint } from '#kit/contract/endpoint.ts'
import { decimalAmountSchema } from '#kit/contract/schema.ts'
import { tones } from '#desk/features/customers/customer-history.contract.ts'
import { reasonFields, checkReasonNote } from '#desk/features/staff/reasons.contract.ts'

const instantSchema = v.string()

/** `waiting` lists the refunds that have not arrived: no answer, refused or returned. `open` lists those with no answer yet. */
export const refundLists = ['waiting', 'all', 'received', 'open', 'refused', 'returned'] as const
export type RefundList = (typeof refundLists)[number]

const refundRow = v.object({
  id: v.string(),
  order: v.string(),
  reference: v.string(),
  amount: decimalAmountSchema(),
  words: v.string(),
  tone: v.picklist(tones),
  why: v.string(),
  created: instantSchema,
  age_seconds: v.number(),
  next_try: v.nullable(instantSchema),
  may_retry: v.boolean(),
})
export type RefundRow = v.InferOutput<typeof refundRow>

const day = () => calendarDaySchema('Please enter a day, such as 2026-11-26.')
const list = () => v.optional(v.picklist(refundLists), 'waiting')

export const listRefunds = endpoint({
  method: 'GET',
  path: '/api/desk/money/refunds/',
  summary: 'Lists refunds by state and by the days on which they were requested, newest first, 50 per page',
  query: v.object({
    of: list(),
    from: v.optional(day()),
    to: v.optional(day()),
    before: v.optional(v.pipe(v.string(), v.maxLength(140))),
  }),
  output: v.object({ refunds: v.array(refundRow), next: v.nullable(v.string()), today: v.string() }),
})

export const downloadRefunds = endpoint({
  method: 'GET',
  path: '/api/desk/money/refunds/file/',
  summary: 'Returns the refunds requested in a range of days as a CSV file',
  query: v.object({ of: list(), from: day(), to: day() }),
  output: v.any(),
})

export const retryRefundBody = v.pipe(v.object(reasonFields()), checkReasonNote())

export const retryRefund = endpoint({
  method: 'POST',
  path: '/api/desk/money/refunds/:id/retry/',
  summary: 'Retries a refund immediately if the gateway has not responded to it',
  params: v.object({ id: v.pipe(v.string(), v.uuid()) }),
  body: retryRefundBody,
  output: v.object({}),
})
