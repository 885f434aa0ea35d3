import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'

export const cardTokenSchema = v.object({
  card_type: v.nullable(v.picklist(['visa', 'mc', 'amex'])),
  masked_card_number: v.string(),
  formatted_expiry_date: v.string(),
  card_holder_name: v.string(),
  is_expired: v.boolean(),
})
export type CardToken = v.InferOutput<typeof cardTokenSchema>

export const phoneSchema = v.object({ phone: v.string(), phone_display: v.string() })
export type PhoneView = v.InferOutput<typeof phoneSchema>

export const userSchema = v.object({
  email: v.string(),
  email_verified: v.boolean(),
  first_name: v.string(),
  last_name: v.string(),
  phone: v.nullable(v.string()),
  phone_display: v.nullable(v.string()),
  last_updated: v.string(),
  credit_card_token: v.nullable(cardTokenSchema),
  email_verification: v.nullable(phoneSchema),
})
export type User = v.InferOutput<typeof userSchema>

export const accountSchema = v.object({ authenticated: v.boolean(), user: v.nullable(userSchema) })
export type Account = v.InferOutput<typeof accountSchema>

export const readAccount = endpoint({
  method: 'GET',
  path: '/api/account/',
  summary: 'Shows who is logged in',
  output: accountSchema,
})
