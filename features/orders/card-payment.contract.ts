import * as v from 'valibot'
import { orderMessages } from './orders.contract.ts'

export const cardPaymentMessages = {
  noSavedCard: 'You have no saved card. Please enter your card details.',
  savedCardExpired: 'Your saved card has expired. Please use another card.',
  price: 'What it costs is for us to say.',
  method: 'Please choose how you would like to pay.',
} as const

/** How something is paid with a card: the saved one, or another that the browser encrypted. */
export const cardPaymentFields = {
  use_saved_card: v.optional(v.boolean(), false),
  /** Keep the card for later; only where the call says so. */
  save_token: v.optional(v.boolean(), false),
  /** Prices are the catalogue's: a call that names its own is refused. */
  price: v.optional(v.never(cardPaymentMessages.price)),
  adyen_encrypted: v.optional(
    v.pipe(v.string(orderMessages.cardUnreadable), v.maxLength(8_000, orderMessages.cardUnreadable)),
  ),
}
