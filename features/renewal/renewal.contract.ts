import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'
import { optionalCode, optionalText } from '#kit/contract/schema.ts'
import {
  acceptedResponseSchema,
  conflictResponseSchema,
  orderMessages,
  retryResponseSchema,
} from '#features/orders/orders.contract.ts'
import { cardPaymentFields } from '#features/orders/card-payment.contract.ts'
import { planMessages } from '#features/plans/plans.contract.ts'
import { voucherMessages } from '#features/vouchers/vouchers.contract.ts'

export const renewalMessages = {
  notice: 'Renewing this Prepay Plan will mean that you lose any data remaining in your current Prepay Plan.',
  starts: 'Please choose when your next Prepay Plan should start.',
  underWay: 'A renewal of this Prepay Plan is already under way.',
  queued: (title: string, date: string): string =>
    `Your next Prepay Plan, ${title}, is already paid for and starts on ${date}.`,
} as const

export const startOptions = ['now', 'at_end'] as const
export type StartOption = (typeof startOptions)[number]

/** A renewal request (spec 7): `product` for a card payment, `code` for a voucher. Prices come from the catalogue. */
const rechargeSchema = v.object({
  uuid: v.pipe(v.optional(v.string(), ''), v.maxLength(100)),
  schedule: v.pipe(v.optional(v.string(), ''), v.maxLength(100)),
  payment_method: v.optional(v.picklist(['1', '2']), '1'),
  product: v.pipe(optionalText(planMessages.required), v.maxLength(100, planMessages.required)),
  code: v.pipe(optionalCode(voucherMessages.required), v.toUpperCase(), v.maxLength(12, voucherMessages.unknown)),
  /**
   * When the next plan starts. If the current plan has already ended when the customer buys, the next plan starts
   * immediately.
   */
  starts: v.optional(v.picklist(startOptions, renewalMessages.starts), 'now'),
  /** The end of the current plan that the customer saw. If the plan's end has changed since, nothing is bought. */
  expiry_date: v.optional(v.pipe(v.string(orderMessages.changed), v.maxLength(40, orderMessages.changed))),
  /**
   * The order code of the queued plan that this purchase replaces once it has been paid for. Without this field,
   * nothing is bought while a plan is queued.
   */
  instead_of: v.optional(v.pipe(v.string(orderMessages.changed), v.maxLength(40, orderMessages.changed))),
  ...cardPaymentFields,
})

export const renewPlan = endpoint({
  method: 'POST',
  path: '/api/orders/recharge/',
  summary:
    'Renews a plan, now or when it ends, with the saved card, another card or a voucher; 202 while the outcome is unknown, ' +
    '409 when the price has changed. With `instead_of` it replaces the queued plan, which is then refunded',
  body: rechargeSchema,
  output: acceptedResponseSchema,
  statuses: { 202: retryResponseSchema, 409: conflictResponseSchema },
})
