import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'
import { optionalText } from '#kit/contract/schema.ts'
import {
  acceptedResponseSchema,
  conflictResponseSchema,
  retryResponseSchema,
} from '#features/orders/orders.contract.ts'
import { cardPaymentFields } from '#features/orders/card-payment.contract.ts'

export const addOnMessages = {
  required: 'Please select an Add-On.',
  expired: 'This Prepay Plan has expired. Please renew it before you buy an Add-On.',
  underWay: 'You’re already buying this Add-On.',
  otherCard: 'The credit card used on your current plan will not be affected by this purchase.',
} as const

/**
 * Schema for the chosen add-on, the only field that the form validates. It is separate so that the full request schema
 * stays out of the browser bundle.
 */
export const addOnChoiceSchema = v.pipe(
  optionalText(addOnMessages.required),
  v.nonEmpty(addOnMessages.required),
  v.maxLength(100, addOnMessages.required),
)

const buyAddOnSchema = v.object({
  uuid: v.pipe(v.optional(v.string(), ''), v.maxLength(100)),
  product: addOnChoiceSchema,
  payment_method: v.optional(v.literal('1'), '1'),
  ...cardPaymentFields,
})

export const buyAddOn = endpoint({
  method: 'POST',
  path: '/api/orders/addons/',
  summary: 'Buys an add-on for a service; 202 while the outcome is unknown, 409 when the price has changed',
  body: buyAddOnSchema,
  output: acceptedResponseSchema,
  statuses: { 202: retryResponseSchema, 409: conflictResponseSchema },
})
