import { looksLikeCardNumber } from '../contract/card-number.ts'
import type { FieldErrors } from '../contract/errors.ts'

type Call = { params: unknown; query: unknown; body: unknown; idempotencyKey: string | null }

const cardNumberMessage = ['Please don’t enter a card number here.']

/** Finds the fields in a request that contain an unencrypted card number, which must not reach a log or a table. */
export function findCardNumberErrors(call: Call): FieldErrors | null {
  const errors: FieldErrors = {}
  for (const part of [call.params, call.query, call.body]) {
    if (typeof part !== 'object' || part === null) continue
    for (const [field, value] of Object.entries(part)) {
      if (containsCardNumber(value)) errors[field] = cardNumberMessage
      if (looksLikeCardNumber(field)) errors['__all__'] = cardNumberMessage
    }
  }
  if (call.idempotencyKey && looksLikeCardNumber(call.idempotencyKey)) errors['__all__'] = cardNumberMessage
  const fields = Object.keys(errors)
  // If a field's name is itself a card number, returning that name in the response would repeat the number.
  if (fields.some((field) => looksLikeCardNumber(field))) return { __all__: cardNumberMessage }
  return fields.length > 0 ? errors : null
}

function containsCardNumber(value: unknown): boolean {
  if (typeof value === 'string') return looksLikeCardNumber(value)
  if (typeof value === 'number') return looksLikeCardNumber(String(value))
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).some(([key, inner]) => looksLikeCardNumber(key) || containsCardNumber(inner))
  return false
}
