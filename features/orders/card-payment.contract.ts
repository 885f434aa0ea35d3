import * as v from 'valibot'
import { orderMessages } from './orders.contract.ts'

export const cardPaymentMessages = {
  noSavedCard: 'You have no saved card. Please enter your card details.',
  savedCardExpired: 'Your saved card has expired. Please use another card.',
  price: 'What it costs is for us to say.',
  method: 'Please choose how you would like to pay.',
} as const

/** All that an order can be paid with, as `orders.paid_with` says it. There is no other list. */
export type PaymentSource = 'card' | 'saved_card' | 'voucher'

/** What pays where nothing is saved, as the browser sends it: a card that it encrypted. `unreadable` is said of what cannot be one. */
export const newSourceFields = (unreadable?: string) => ({
  adyen_encrypted: v.optional(v.pipe(v.string(unreadable), v.maxLength(8_000, unreadable))),
})

/** Whether a new card is kept for later: as the form says, and without a word as the call has it. */
export const savingFields = { save_token: v.optional(v.boolean()) }

/**
 * What the page showed that it costs, as `'29.00'`. Should it cost something else by now, the call is 409 and charges nothing;
 * whoever does not say is charged what it costs.
 */
export const shownTotal = {
  expected_total: v.optional(
    v.pipe(v.string(orderMessages.changed), v.regex(/^(?:0|[1-9]\d{0,6})\.\d{2}$/, orderMessages.changed)),
  ),
}

/** How a customer's form says what pays: the saved card, or what the browser sends in its place. */
export const cardPaymentFields = {
  use_saved_card: v.optional(v.boolean(), false),
  ...savingFields,
  /** Prices are the catalogue's: a call that names its own is refused. */
  price: v.optional(v.never(cardPaymentMessages.price)),
  ...shownTotal,
  ...newSourceFields(orderMessages.cardUnreadable),
}

/** What a form has been answered about what pays. */
export type SourceAnswers = { use_saved_card: boolean } & v.InferOutput<
  v.ObjectSchema<ReturnType<typeof newSourceFields>, undefined>
>
