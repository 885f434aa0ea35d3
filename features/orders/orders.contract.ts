import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'

export const orderMessages = {
  simTaken: 'This SIM has just been activated by someone else. Please start again with another SIM.',
  refused: 'Your card was declined. Please check your details or try another card.',
  cardUnreadable: 'Please check your payment details and try again',
  changed: 'This page is out of date. Please refresh it and try again.',
  planNotAdded: 'The network could not add your Prepay Plan. You have not been charged. Please try again.',
  addOnNotAdded: 'The network could not add your Add-On. You have not been charged. Please try again.',
  notConfirmed: 'Your payment could not be confirmed, so we cancelled it. You have not been charged. Please try again.',
} as const

/** The outcome of a payment is not known yet: ask again through `resume`. */
export const retrySchema = v.object({ order_code: v.string(), retry: v.literal(true) })

/** An order that was accepted. */
export const acceptedSchema = v.object({ order_code: v.string() })

export const resumeOrder = endpoint({
  method: 'POST',
  path: '/api/orders/:orderId/resume/',
  summary: 'Finds out how an order whose payment was in doubt has ended; 202 while it is still unknown',
  params: v.object({ orderId: v.pipe(v.string(), v.maxLength(40)) }),
  body: v.object({}),
  output: acceptedSchema,
  statuses: { 202: retrySchema },
})
