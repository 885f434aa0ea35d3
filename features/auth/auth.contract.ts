import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'

export const cardTokenSchema = v.object({
  card_type: v.nullable(v.picklist(['visa', 'mc', 'amex'])),
  masked_card_number: v.string(),
  formatted_expiry_date: v.string(),
  card_holder_name: v.string(),
  is_expired: v.boolean(),
})

export const userSchema = v.object({
  email: v.string(),
  email_verified: v.boolean(),
  first_name: v.string(),
  last_name: v.string(),
  phone: v.nullable(v.string()),
  phone_display: v.nullable(v.string()),
  last_updated: v.string(),
  credit_card_token: v.nullable(cardTokenSchema),
  email_verification: v.nullable(v.string()),
})

export const accountSchema = v.object({ authenticated: v.boolean(), user: v.nullable(userSchema) })
export type Account = v.InferOutput<typeof accountSchema>

export const verifyMessages = {
  done: 'Thank you, your email address is confirmed.',
  invalid: 'This link is no longer valid. It may have been used already, or have expired.',
} as const

/** Mail links land on a page that sends the token, so that a scanner which only opens links uses nothing up. */
export const verifyEmail = endpoint({
  method: 'POST',
  path: '/api/account/verify_email/',
  summary: 'Confirms an e-mail address with the token of its link; signs nobody in',
  body: v.object({ token: v.pipe(v.optional(v.string(verifyMessages.invalid), ''), v.nonEmpty(verifyMessages.invalid), v.maxLength(100, verifyMessages.invalid)) }),
  output: v.object({ email_verified: v.literal(true) }),
})

export const readAccount = endpoint({
  method: 'GET',
  path: '/api/account/',
  summary: 'Who is signed in',
  output: accountSchema,
})
