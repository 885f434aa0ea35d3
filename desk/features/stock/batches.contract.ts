import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'
import { requiredText, wireMoney } from '#kit/contract/schema.ts'
import { mostVouchers } from '#features/vouchers/vouchers.contract.ts'
import { noteText, voucherReasonFields, withReason } from '#desk/features/staff/reasons.contract.ts'

export const batchMessages = {
  count: `Please enter how many: 1 to ${mostVouchers.toLocaleString('en-NZ')}.`,
  plan: 'Please choose a plan.',
  day: 'Please enter the last day on which they are good.',
  notYours: 'Only who asked for this batch takes its codes.',
  notApproved: 'Nobody has approved this batch.',
  lapsed: 'This was approved too long ago. Please ask for another batch.',
  taken: 'Its codes were taken already, and are shown once only.',
  givenUp: 'The batch was given up: none of its codes is good. Please ask for another.',
  reason: 'Please say why.',
} as const

export const batchStates = [
  'asked',
  'declined',
  'lapsed',
  'approved',
  'making',
  'complete',
  'broken_off',
  'void',
] as const

export const batchSchema = v.object({
  id: v.string(),
  state: v.picklist(batchStates),
  plan: v.string(),
  count: v.number(),
  /** Last day on which the vouchers are valid, and the days until then. `days_left` is negative after that day. */
  expires: v.string(),
  days_left: v.number(),
  made_by: v.string(),
  approved_by: v.nullable(v.string()),
  created: v.string(),
  redeemed: v.number(),
  held: v.number(),
  unused: v.number(),
})
export type Batch = v.InferOutput<typeof batchSchema>

const params = v.object({ id: v.pipe(v.string(), v.regex(/^[0-9A-Z]{8}$/)) })

export const batchBody = v.pipe(
  v.object({
    count: v.pipe(
      v.optional(v.string(), ''),
      v.trim(),
      v.regex(/^[1-9]\d{0,6}$/, batchMessages.count),
      v.transform(Number),
      v.maxValue(mostVouchers, batchMessages.count),
    ),
    plan: v.pipe(requiredText(batchMessages.plan), v.maxLength(100, batchMessages.plan)),
    expires: v.pipe(requiredText(batchMessages.day), v.regex(/^\d{4}-\d\d-\d\d$/, batchMessages.day)),
    ...voucherReasonFields(),
  }),
  withReason(),
)

export const askForBatch = endpoint({
  method: 'POST',
  path: '/api/desk/stock/batches/',
  summary: 'Asks for a batch of vouchers, which another approves',
  body: batchBody,
  output: v.object({ id: v.string() }),
})

export const readBatch = endpoint({
  method: 'GET',
  path: '/api/desk/stock/batches/:id/',
  summary: 'A batch: who made and who approved it, and how much of it is used',
  params,
  output: v.object({
    batch: batchSchema,
    worth: wireMoney(),
    reason: v.nullable(v.string()),
    note: v.string(),
    words: v.nullable(v.string()),
    deciders: v.array(v.string()),
    is_own: v.boolean(),
    /** Seconds left to take the codes of an approved batch, or to decide on a request. */
    left_seconds: v.nullable(v.number()),
  }),
})
export type BatchPage = v.InferOutput<typeof readBatch.output>

export const takeCodes = endpoint({
  method: 'POST',
  path: '/api/desk/stock/batches/:id/codes/',
  summary:
    'Makes the codes of an approved batch and answers them as a file, once, to who asked for it; none is good yet',
  params,
  output: v.unknown(),
})

export const confirmCodes = endpoint({
  method: 'POST',
  path: '/api/desk/stock/batches/:id/arrived/',
  summary: 'Says that all codes have arrived: they are good from now on',
  params,
  body: v.object({ count: v.pipe(v.number(), v.integer(), v.minValue(1)) }),
  output: v.object({}),
})

export const voidBody = v.object({ reason: v.pipe(noteText(), v.nonEmpty(batchMessages.reason)) })

export const voidBatch = endpoint({
  method: 'POST',
  path: '/api/desk/stock/batches/:id/void/',
  summary: 'Takes back all of a batch that is not used, for good',
  params,
  body: voidBody,
  output: v.object({}),
})
