import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'
import { decimalToCents } from '#kit/contract/money.ts'
import { formatPriceWithCommas } from '#kit/contract/format-price-with-commas.ts'
import { createFieldIssue, optionalCode } from '#kit/contract/schema.ts'
import { reasonFields, checkReasonNote } from '#desk/features/staff/reasons.contract.ts'
import { orderMessages } from '#features/orders/orders.contract.ts'
import { planMessages } from '#features/plans/plans.contract.ts'
import { renewalMessages, startOptions } from '#features/renewal/renewal.contract.ts'
import { voucherMessages } from '#features/vouchers/vouchers.contract.ts'

export const deskRenewalMessages = {
  pay: 'Please choose how to pay.',
  amount: (total: string): string =>
    `Please type the amount that will be charged: ${formatPriceWithCommas(decimalToCents(total))}.`,
} as const

/** Ways to pay for a renewal at the desk. Staff never take card details over the phone. */
export const renewalPaymentSources = ['saved_card', 'voucher'] as const
export type RenewalPaymentSource = (typeof renewalPaymentSources)[number]

const params = v.object({ id: v.string(), service: v.string() })

const planSchema = v.object({
  id: v.string(),
  title: v.string(),
  /** The plan's length in days. */
  length: v.number(),
  price: v.string(),
})
export type RenewalPlan = v.InferOutput<typeof planSchema>

const offerSchema = v.object({
  number: v.string(),
  plan: v.object({ id: v.string(), title: v.string(), ends: v.string(), is_over: v.boolean() }),
  /** The next plan, if one has been paid for but has not started. While there is one, the number cannot be renewed. */
  next: v.nullable(v.object({ title: v.string(), starts: v.string() })),
  saved_card: v.nullable(v.object({ name: v.string(), expiry: v.string() })),
  plans: v.array(planSchema),
})
export type RenewalOffer = v.InferOutput<typeof offerSchema>

export const readRenewalOffer = endpoint({
  method: 'GET',
  path: '/api/desk/customers/:id/numbers/:service/renewal/',
  summary: 'Returns the plans that a number can be renewed to, and the ways to pay',
  params,
  output: offerSchema,
})

const amountInput = v.pipe(
  v.optional(v.string(), ''),
  v.maxLength(20),
  v.transform((typed) => typed.replaceAll(/[\s$]/g, '')),
)

const isSameAmount = (typed: string, total: string): boolean =>
  typed === total || (total.endsWith('.00') && typed === total.slice(0, -3))

const renewalFieldsSchema = v.object({
  pay: v.picklist(renewalPaymentSources, deskRenewalMessages.pay),
  product: v.pipe(v.optional(v.string(), ''), v.maxLength(100, planMessages.required)),
  code: v.pipe(optionalCode(), v.toUpperCase(), v.maxLength(12, voucherMessages.unknown)),
  starts: v.picklist(startOptions, renewalMessages.starts),
  /** When the current plan ends, as the form showed it. Nothing is bought if that has changed. */
  ends: v.pipe(v.string(orderMessages.changed), v.maxLength(40, orderMessages.changed)),
  /** `total` is the price that the form showed, and `amount` is what the staff member typed. */
  total: v.pipe(v.optional(v.string(), '0.00'), v.regex(/^(?:0|[1-9]\d{0,6})\.\d{2}$/, orderMessages.changed)),
  amount: amountInput,
  ...reasonFields(),
})

export const deskRenewalSchema = v.pipe(
  renewalFieldsSchema,
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return
    const form: v.InferOutput<typeof renewalFieldsSchema> = dataset.value
    const { pay, product, code, total, amount } = form
    if (pay === 'voucher') {
      if (code === '') addIssue(createFieldIssue(form, 'code', voucherMessages.required))
      return
    }
    if (product === '') addIssue(createFieldIssue(form, 'product', planMessages.required))
    else if (!isSameAmount(amount, total)) addIssue(createFieldIssue(form, 'amount', deskRenewalMessages.amount(total)))
  }),
  checkReasonNote(),
)

export const renewForCustomer = endpoint({
  method: 'POST',
  path: '/api/desk/customers/:id/numbers/:service/renewal/',
  summary: 'Renews a number for a verified caller, with their saved card or a voucher',
  params,
  body: deskRenewalSchema,
  output: v.object({
    order_code: v.string(),
    /** Whether the gateway has yet to respond. Fantail keeps trying, and the card is charged only once. */
    is_open: v.boolean(),
  }),
})
