import * as v from 'valibot'
import { getCardTypeErrorMessage, cardTypes, type CardType } from '#kit/contract/card-types.ts'
import { endpoint } from '#kit/contract/endpoint.ts'
import { formatPrice, decimalToCents } from '#kit/contract/money.ts'

/** Messages that the browser shows by itself, or that its schemas contain. */
export const orderMessages = {
  cardUnreadable: 'Please check your payment details and try again',
  newPrice: (now: string, before: string, what = 'It'): string =>
    `${what} costs ${formatPrice(decimalToCents(now))} now, not ${formatPrice(decimalToCents(before))}. Nothing was charged. ` +
    'Press the button again if you still want it.',
  changed: 'This page is out of date. Please refresh it and try again.',
} as const

/** Messages about failed orders. Only the server uses them, so the build leaves them out of the browser's code. */
export const orderFailureMessages = {
  simTaken: 'Someone else has just activated this SIM. Please start again with another SIM.',
  /** The checkout page shows this message, although the customer enters the number on an earlier page of the wizard. */
  numberTaken:
    'The Phone Number you want to bring is already with us or being transferred to us. Please go back and check it.',
  refused: 'Your bank declined this payment. Nothing was charged. Try another card or call your bank.',
  /** This message is only for a signed-in customer's saved card. For any other card, we never disclose why it was declined. */
  savedCardExpired: 'Your saved card has expired. Nothing was charged. Please use another card.',
  savedCardWithoutFunds:
    'There is not enough money on your saved card, or it is over its limit. Nothing was charged. Try another card or call your bank.',
  cardType: (taken: readonly CardType[]): string => `${getCardTypeErrorMessage(taken)} Nothing was charged.`,
  planNotAdded: 'The network could not add your Prepay Plan. You have not been charged. Please try again.',
  addOnNotAdded: 'The network could not add your Add-On. You have not been charged. Please try again.',
  notConfirmed: 'Your payment could not be confirmed, so we cancelled it. You have not been charged. Please try again.',
} as const

/** Response while the payment's outcome is unknown. The client then calls `resume` again. */
export const retryResponseSchema = v.object({ order_code: v.string(), retry: v.literal(true) })

/**
 * Response to a conflict. `total` is the new price: the price has changed since the page was displayed, so nothing was
 * charged. `__all__` contains the reason for any other conflict.
 */
export const conflictResponseSchema = v.union([
  v.object({ total: v.string() }),
  v.object({ __all__: v.array(v.string()) }),
])

export const acceptedResponseSchema = v.object({ order_code: v.string() })

const deliveredOrderSchema = v.object({
  order_code: v.string(),
  kind: v.picklist(['activation', 'recharge', 'addon']),
  /** `uuid` identifies the service. `phone_number` is the service's number in national format. */
  uuid: v.string(),
  phone_number: v.string(),
  /** The purchased product. `length` is in days, and `data_gb` is the data per cycle. */
  product: v.object({
    title: v.string(),
    length: v.number(),
    data_gb: v.number(),
    voice_mins: v.number(),
    txt_sms: v.number(),
  }),
  /** The `id`s under which the usage summary may list the add-on, the most specific one first; empty for a plan. */
  addon_ids: v.array(v.string()),
  /** When the plan starts and ends, both at midnight local time, as ISO 8601 instants. */
  starts_on: v.string(),
  expiry_date: v.string(),
  total_price: v.string(),
  tax: v.string(),
  /** The charged card's details as reported by the gateway; `null` if a voucher paid. */
  card: v.nullable(v.object({ card_type: v.nullable(v.picklist(cardTypes)), last_four: v.string() })),
  by_voucher: v.boolean(),
  instead_of: v.nullable(v.string()),
})
export type DeliveredOrderView = v.InferOutput<typeof deliveredOrderSchema>

export const readOrder = endpoint({
  method: 'GET',
  path: '/api/orders/:orderId/',
  summary: 'Shows what an order bought, for which days and how it was paid; 404 until the customer has it',
  params: v.object({ orderId: v.pipe(v.string(), v.maxLength(40)) }),
  output: deliveredOrderSchema,
})

export const resumeOrder = endpoint({
  method: 'POST',
  path: '/api/orders/:orderId/resume/',
  summary: 'Shows the outcome of an order whose payment was unknown; 202 while it still is',
  params: v.object({ orderId: v.pipe(v.string(), v.maxLength(40)) }),
  body: v.object({}),
  output: acceptedResponseSchema,
  statuses: { 202: retryResponseSchema },
})
