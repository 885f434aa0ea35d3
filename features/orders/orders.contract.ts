import * as v from 'valibot'
import { cardTypeMessage, cardTypes, type CardType } from '#kit/contract/card-types.ts'
import { endpoint } from '#kit/contract/endpoint.ts'
import { formatPrice, fromWire } from '#kit/contract/money.ts'

export const orderMessages = {
  simTaken: 'This SIM has just been activated by someone else. Please start again with another SIM.',
  /** Its sentence in the wizard's step, and where that is. */
  numberTaken:
    'The Phone Number you want to bring is already with us, or its transfer to us is under way. Please go back and check it.',
  refused: 'Your bank said no. Nothing was charged. Try another card or call your bank.',
  /** Of the saved card of a customer who is signed in; of any other card nobody is told why. */
  savedCardExpired: 'Your saved card has expired. Nothing was charged. Please use another card.',
  savedCardWithoutFunds:
    'There is not enough money on your saved card, or it is over its limit. Nothing was charged. Try another card or call your bank.',
  cardUnreadable: 'Please check your payment details and try again',
  cardType: (taken: readonly CardType[]): string => `${cardTypeMessage(taken)} Nothing was charged.`,
  /** Something else than the page has shown, which is `before`; `what`, where the page offers more than that. */
  newPrice: (now: string, before: string, what = 'It'): string =>
    `${what} costs ${formatPrice(fromWire(now))} now, not ${formatPrice(fromWire(before))}. Nothing was charged. ` +
    'Press again if you still want it.',
  changed: 'This page is out of date. Please refresh it and try again.',
  planNotAdded: 'The network could not add your Prepay Plan. You have not been charged. Please try again.',
  addOnNotAdded: 'The network could not add your Add-On. You have not been charged. Please try again.',
  notConfirmed: 'Your payment could not be confirmed, so we cancelled it. You have not been charged. Please try again.',
} as const

/** The outcome of a payment is not known yet: ask again through `resume`. */
export const retrySchema = v.object({ order_code: v.string(), retry: v.literal(true) })

/** It costs something else by now than the page showed, and nothing was charged. Every other conflict says why. */
export const conflictSchema = v.union([v.object({ total: v.string() }), v.object({ __all__: v.array(v.string()) })])

/** An order that was accepted. */
export const acceptedSchema = v.object({ order_code: v.string() })

/** What was bought, for the page that says so. */
const boughtSchema = v.object({
  order_code: v.string(),
  kind: v.picklist(['activation', 'recharge', 'addon']),
  /** The service's uuid, and its number as it is written at home. */
  uuid: v.string(),
  phone_number: v.string(),
  /** Days, and GB of each cycle. */
  product: v.object({ title: v.string(), length: v.number(), data_gb: v.number() }),
  /** ISO 8601 instants, local midnights both of them: of its first day, and after its last. */
  starts_on: v.string(),
  expiry_date: v.string(),
  total_price: v.string(),
  tax: v.string(),
  /** The card that was charged, as far as the gateway has said which; null when a voucher has paid. */
  card: v.nullable(v.object({ card_type: v.nullable(v.picklist(cardTypes)), last_four: v.string() })),
  by_voucher: v.boolean(),
  /** What became of the plan that waited, whose place it has taken; null when none did. */
  instead_of: v.nullable(v.string()),
})
export type Bought = v.InferOutput<typeof boughtSchema>

export const readOrder = endpoint({
  method: 'GET',
  path: '/api/orders/:orderId/',
  summary: 'What a customer has bought with an order: from when to when, and what paid for it; 404 before it is theirs',
  params: v.object({ orderId: v.pipe(v.string(), v.maxLength(40)) }),
  output: boughtSchema,
})

export const resumeOrder = endpoint({
  method: 'POST',
  path: '/api/orders/:orderId/resume/',
  summary: 'Finds out how an order whose payment was in doubt has ended; 202 while it is still unknown',
  params: v.object({ orderId: v.pipe(v.string(), v.maxLength(40)) }),
  body: v.object({}),
  output: acceptedSchema,
  statuses: { 202: retrySchema },
})
