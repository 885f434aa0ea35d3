import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'
import { passkeyResponseSchema, passkeyOptionsSchema } from './staff.contract.ts'

// These actions must be confirmed with the passkey every time. Having signed in, however recently, is not enough.

export const confirmationMessages = {
  needed: 'Confirm this with your passkey.',
  failed: 'Your passkey did not confirm this. Nothing was changed. Try again.',
} as const

export const beginConfirmation = endpoint({
  method: 'POST',
  path: '/api/desk/confirm/',
  summary: 'Returns a passkey challenge with which the signed-in person can confirm one action, within five minutes',
  body: v.object({ act: v.pipe(v.string(), v.nonEmpty(), v.maxLength(300)) }),
  output: passkeyOptionsSchema,
})

/** The passkey's response, in the body of a request that needs confirmation; `null` if the person has not confirmed yet. */
export const confirmationFields = () => ({ answer: v.optional(v.nullable(passkeyResponseSchema), null) })
export type ConfirmationResponse = v.InferOutput<typeof passkeyResponseSchema> | null
