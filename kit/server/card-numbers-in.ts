import { looksLikeCardNumber } from '../contract/card-number.ts'
import type { FieldErrors } from '../contract/errors.ts'

type Call = { params: unknown; query: unknown; body: unknown; idempotencyKey: string | null }

const refusal = ['Please don’t enter a card number here.']

/** An unencrypted card number must not reach a log or a table. */
export function cardNumbersIn(call: Call): FieldErrors | null {
  const errors: FieldErrors = {}
  for (const part of [call.params, call.query, call.body]) {
    if (typeof part !== 'object' || part === null) continue
    for (const [field, value] of Object.entries(part)) {
      if (holdsCardNumber(value)) errors[field] = refusal
      if (looksLikeCardNumber(field)) errors['__all__'] = refusal
    }
  }
  if (call.idempotencyKey && looksLikeCardNumber(call.idempotencyKey)) errors['__all__'] = refusal
  const fields = Object.keys(errors)
  // The field's name would repeat the number.
  if (fields.some((field) => looksLikeCardNumber(field))) return { __all__: refusal }
  return fields.length > 0 ? errors : null
}

function holdsCardNumber(value: unknown): boolean {
  if (typeof value === 'string') return looksLikeCardNumber(value)
  if (typeof value === 'number') return looksLikeCardNumber(String(value))
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).some(([key, inner]) => looksLikeCardNumber(key) || holdsCardNumber(inner))
  return false
}
