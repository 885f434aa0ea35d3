import * as v from 'valibot'
import { orderMessages } from './orders.contract.ts'

export const cardPaymentMessages = {
  noSavedCard: 'You have no saved card. Please enter your card details.',
  savedCardExpired: 'Your saved card has expired. Please use another card.',
  price: 'A request can’t include a price.',
  method: 'Please choose how you would like to pay.',
} as const

export type PaymentSource = 'card' | 'saved_card' | 'voucher'

/** Fields for a new card. `unreadableMessage` is the error for a value that cannot be an encrypted card. */
export const newCardFields = (unreadableMessage?: string) => ({
  adyen_encrypted: v.optional(v.pipe(v.string(unreadableMessage), v.maxLength(8_000, unreadableMessage))),
})

/** Whether to save a new card. Each endpoint has its own default if the request lacks this field. */
export const cardStorageFields = { save_token: v.optional(v.boolean()) }

/**
 * The total displayed on the page, for example `'29.00'`. If the total has since changed, the request fails with 409 and
 * nothing is charged. A request without this field is charged the current total.
 */
export const expectedTotalField = {
  expected_total: v.optional(
    v.pipe(v.string(orderMessages.changed), v.regex(/^(?:0|[1-9]\d{0,6})\.\d{2}$/, orderMessages.changed)),
  ),
}

export const cardPaymentFields = {
  use_saved_card: v.optional(v.boolean(), false),
  ...cardStorageFields,
  /** A request must not contain a price, because the price always comes from the catalogue. */
  price: v.optional(v.never(cardPaymentMessages.price)),
  ...expectedTotalField,
  ...newCardFields(orderMessages.cardUnreadable),
}

export type PaymentSourceFields = { use_saved_card: boolean } & v.InferOutput<
  v.ObjectSchema<ReturnType<typeof newCardFields>, undefined>
>
