import * as v from 'valibot'
import { getCardTypeErrorMessage } from '#kit/contract/card-types.ts'
import { isEncryptedCard } from '#kit/contract/encrypted-card.ts'
import { endpoint } from '#kit/contract/endpoint.ts'
import { requiredSecret } from '#kit/contract/schema.ts'
import { cardTokenSchema } from '#features/auth/auth.contract.ts'

export const paymentMethodMessages = {
  intro: "We'll use the payment details below for your next Prepay Plan renewal or Add-On purchase.",
  done: "Thank you, we've updated your payment details.",
  removed: 'Your card has been removed.',
  declined: 'Your bank declined this card. Nothing was charged. Try another card or call your bank.',
  unconfirmed: 'Your bank could not confirm this card. Please try another card.',
  card_type: getCardTypeErrorMessage,
  unreadable: 'Please check your payment details and try again',
} as const

export const joinPhoneNumbers = (numbers: readonly string[]): string =>
  numbers.length <= 5
    ? numbers.join(' and ')
    : `${numbers.slice(0, 4).join(', ')} and ${numbers.length - 4} other numbers`

export const removePaymentMethod = endpoint({
  method: 'DELETE',
  path: '/api/account/payment_method/',
  summary: 'Removes the saved card from the account and the gateway; succeeds even if no card is saved',
  output: v.object({ credit_card_token: v.null() }),
})

export const updatePaymentMethod = endpoint({
  method: 'POST',
  path: '/api/orders/update_payment/',
  summary:
    'Saves a card for later payments with a zero-amount authorisation; 202 while the outcome is unknown: repeat with the same key',
  body: v.object({
    payment_method: v.optional(v.literal('1'), '1'),
    use_saved_card: v.optional(v.literal(false), false),
    adyen_encrypted: v.config(
      v.pipe(
        requiredSecret(paymentMethodMessages.unreadable),
        v.maxLength(8_000, paymentMethodMessages.unreadable),
        v.check(isEncryptedCard, paymentMethodMessages.unreadable),
      ),
      { abortPipeEarly: true },
    ),
  }),
  output: v.object({ credit_card_token: cardTokenSchema }),
  statuses: { 202: v.object({ retry: v.literal(true) }) },
})
