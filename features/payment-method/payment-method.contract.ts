import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'
import { requiredSecret } from '#kit/contract/schema.ts'
import { cardTokenSchema } from '#features/auth/auth.contract.ts'

export const paymentMethodMessages = {
  intro: "We'll use the payment details below for your next Prepay Plan renewal or Add-On purchase.",
  done: "Thank you, we've updated your payment details.",
  declined: 'Your card was declined. Please check your details or try another card.',
  unconfirmed: 'Your bank could not confirm this card. Please try another card.',
  unreadable: 'Please check your payment details and try again',
} as const

export const updatePayment = endpoint({
  method: 'POST',
  path: '/api/orders/update_payment/',
  summary:
    'Stores a card for later payments by an authorisation of nothing; 202: its outcome is not known yet, ask again with the same key',
  body: v.object({
    payment_method: v.optional(v.literal('1'), '1'),
    use_saved_card: v.optional(v.literal(false), false),
    adyen_encrypted: v.pipe(
      requiredSecret(paymentMethodMessages.unreadable),
      v.maxLength(8_000, paymentMethodMessages.unreadable),
    ),
  }),
  output: v.object({ credit_card_token: cardTokenSchema }),
  statuses: { 202: v.object({ retry: v.literal(true) }) },
})
