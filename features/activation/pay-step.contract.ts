import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'
import { newCardFields, cardStorageFields, expectedTotalField } from '#features/orders/card-payment.contract.ts'
import { conflictResponseSchema, retryResponseSchema } from '#features/orders/orders.contract.ts'
import { activationSchema } from './activation.contract.ts'

export const submitPayment = endpoint({
  method: 'POST',
  path: '/api/activate/pay/',
  summary: 'Pays and activates; 202 while the outcome of the payment is unknown, 409 when the price has changed',
  body: v.object({
    payment_method: v.optional(v.picklist(['1', '2'])),
    /** Only signed-in customers may pay with a saved card. */
    use_saved_card: v.optional(v.boolean(), false),
    ...cardStorageFields,
    ...newCardFields(),
    ...expectedTotalField,
  }),
  output: v.union([activationSchema, retryResponseSchema]),
  statuses: { 202: retryResponseSchema, 409: conflictResponseSchema },
})
