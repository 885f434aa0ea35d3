import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'
import { optionalCode } from '#kit/contract/schema.ts'
import { productSchema } from '#features/plans/plans.contract.ts'

export const voucherMessages = {
  required: 'Please enter a Voucher Code.',
  used: 'This voucher has already been used.',
  expired: 'This voucher has expired.',
  unknown: 'This voucher code is not valid.',
  /** The error when a lookup is for neither an activation nor a renewal. Our own pages never cause this error. */
  event: 'A voucher can be used for an activation or a renewal.',
  noAnswer: 'There was an error loading your voucher. Please try again',
} as const

export const voucherCodeLength = 12

export const maxVouchers = 1_000_000

/**
 * A voucher code as typed, in upper or lower case and with surrounding spaces. Only the server knows whether the
 * voucher exists.
 */
export const voucherCodeSchema = v.pipe(
  optionalCode(voucherMessages.required),
  v.toUpperCase(),
  v.nonEmpty(voucherMessages.required),
  v.maxLength(voucherCodeLength, voucherMessages.unknown),
)

const voucherEvents = ['ACTIVATION', 'RENEWAL'] as const
export type VoucherEvent = (typeof voucherEvents)[number]

const voucherSchema = v.object({ code: v.string(), product: productSchema })
export type Voucher = v.InferOutput<typeof voucherSchema>

export const readVoucher = endpoint({
  method: 'GET',
  path: '/api/vouchers/:code/',
  summary: 'Shows the plan that a voucher pays for; 412 explains why the voucher can’t be used',
  params: v.object({ code: v.string() }),
  query: v.object({ event_type: v.optional(v.picklist(voucherEvents, voucherMessages.event), 'ACTIVATION') }),
  output: voucherSchema,
  statuses: {
    400: v.object({ code: v.string() }),
    412: v.object({ type: v.string() }),
    429: v.object({ code: v.string() }),
  },
})
