import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'
import { optionalCode, requiredCode, requiredText, decimalAmountSchema } from '#kit/contract/schema.ts'
import { maxVouchers } from '#features/vouchers/vouchers.contract.ts'
import { createNoteSchema } from '#desk/features/staff/note.contract.ts'
import { voucherReasonFields, checkReasonNote } from '#desk/features/staff/reasons.contract.ts'

export const batchMessages = {
  count: `Please enter a number from 1 to ${maxVouchers.toLocaleString('en-NZ')}.`,
  plan: 'Please choose a plan.',
  day: 'Please enter the last day on which the vouchers are valid.',
  notYours: 'Only the person who requested this batch can download its codes.',
  notApproved: 'This batch is not approved.',
  lapsed: 'The approval has expired. Please request another batch.',
  taken: 'The codes were already downloaded. They can be downloaded only once.',
  givenUp: 'The download was not confirmed in time, so none of the codes is valid. Please request another batch.',
  reason: 'Please enter a reason.',
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
  /** `expires` is the last day on which the vouchers are valid. `days_left` is negative after that day. */
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

export const batchBodySchema = v.pipe(
  v.object({
    count: v.pipe(
      optionalCode(),
      v.regex(/^[1-9]\d{0,6}$/, batchMessages.count),
      v.transform(Number),
      v.maxValue(maxVouchers, batchMessages.count),
    ),
    plan: v.pipe(requiredText(batchMessages.plan), v.maxLength(100, batchMessages.plan)),
    expires: v.pipe(requiredCode(batchMessages.day), v.regex(/^\d{4}-\d\d-\d\d$/, batchMessages.day)),
    ...voucherReasonFields(),
  }),
  checkReasonNote(),
)

export const requestBatch = endpoint({
  method: 'POST',
  path: '/api/desk/stock/batches/',
  summary: 'Requests a batch of vouchers, which another person has to approve',
  body: batchBodySchema,
  output: v.object({ id: v.string() }),
})

export const readBatch = endpoint({
  method: 'GET',
  path: '/api/desk/stock/batches/:id/',
  summary: 'Returns a voucher batch, who made and approved it, and how many of its vouchers are used',
  params,
  output: v.object({
    batch: batchSchema,
    worth: decimalAmountSchema(),
    reason: v.nullable(v.string()),
    note: v.string(),
    words: v.nullable(v.string()),
    deciders: v.array(v.string()),
    is_own: v.boolean(),
    /** Seconds left to download the codes of an approved batch. If the request is still open, the seconds left to decide on it. */
    left_seconds: v.nullable(v.number()),
  }),
})
export type BatchPage = v.InferOutput<typeof readBatch.output>

export const downloadCodes = endpoint({
  method: 'POST',
  path: '/api/desk/stock/batches/:id/codes/',
  summary:
    'Makes an approved batch’s codes and returns them to the requester as a file, once. The codes are not valid yet',
  params,
  output: v.unknown(),
})

export const confirmCodesReceived = endpoint({
  method: 'POST',
  path: '/api/desk/stock/batches/:id/arrived/',
  summary: 'Confirms that the requester has all the codes, which makes them valid',
  params,
  body: v.object({ count: v.pipe(v.number(), v.integer(), v.minValue(1)) }),
  output: v.object({}),
})

export const voidBatchBodySchema = v.object({ reason: v.pipe(createNoteSchema(), v.nonEmpty(batchMessages.reason)) })

export const voidBatch = endpoint({
  method: 'POST',
  path: '/api/desk/stock/batches/:id/void/',
  summary: 'Permanently voids all unused vouchers in a batch',
  params,
  body: voidBatchBodySchema,
  output: v.object({}),
})
