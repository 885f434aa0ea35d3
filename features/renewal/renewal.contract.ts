import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'
import { optionalText } from '#kit/contract/schema.ts'
import { acceptedSchema, conflictSchema, orderMessages, retrySchema } from '#features/orders/orders.contract.ts'
import { cardPaymentFields } from '#features/orders/card-payment.contract.ts'
import { planMessages } from '#features/plans/plans.contract.ts'
import { voucherMessages } from '#features/vouchers/vouchers.contract.ts'

export const renewalMessages = {
  notice: 'Renewing this Prepay Plan will mean that you lose any data remaining in your current Prepay Plan.',
  starts: 'Please choose when your next Prepay Plan should start.',
  /** Two presses, or two tabs. */
  underWay: 'A renewal of this Prepay Plan is already under way.',
  queued: (title: string, date: string): string =>
    `Your next Prepay Plan, ${title}, is already paid for and starts on ${date}.`,
  networkFailed: orderMessages.planNotAdded,
} as const

/** When the next plan begins: at once, in the place of the present one, or when that ends. */
export const starts = ['now', 'at_end'] as const
export type Starts = (typeof starts)[number]

/** Spec 7: `product` for a card, `code` for a voucher; prices are the catalogue's. */
const rechargeSchema = v.object({
  uuid: v.pipe(v.optional(v.string(), ''), v.maxLength(100)),
  /** The schedule's short_id. */
  schedule: v.pipe(v.optional(v.string(), ''), v.maxLength(100)),
  payment_method: v.optional(v.picklist(['1', '2']), '1'),
  product: v.pipe(optionalText(planMessages.required), v.maxLength(100, planMessages.required)),
  code: v.pipe(optionalText(voucherMessages.required), v.toUpperCase(), v.maxLength(12, voucherMessages.unknown)),
  /** A plan that has ended by then leaves nothing to wait for. */
  starts: v.optional(v.picklist(starts, renewalMessages.starts), 'now'),
  /** The end of the plan that the form was about, as the list of services has it: when it is another by now, nothing is bought. */
  expiry_date: v.optional(v.pipe(v.string(orderMessages.changed), v.maxLength(40, orderMessages.changed))),
  /**
   * A change of mind: the order of the plan that waits, which this one takes the place of once it is paid for. Without it nothing is
   * bought beside a plan that waits.
   */
  instead_of: v.optional(v.pipe(v.string(orderMessages.changed), v.maxLength(40, orderMessages.changed))),
  ...cardPaymentFields,
})

export const recharge = endpoint({
  method: 'POST',
  path: '/api/orders/recharge/',
  summary:
    'Renews a plan, now or from its end, with a saved card, another card or a voucher; 202 while it is not known how that ends, ' +
    '409 when it costs something else by now. In the place of a plan that waits, which is refunded then, if it names that',
  body: rechargeSchema,
  output: acceptedSchema,
  statuses: { 202: retrySchema, 409: conflictSchema },
})
