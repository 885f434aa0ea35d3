import { looksLikeCardNumber } from '../contract/card-number.ts'
import type { FieldErrors } from '../contract/errors.ts'

type Call = { params: unknown; query: unknown; body: unknown; idempotencyKey: string | null }

const refusal = ['Please don’t enter a card number here.']

/** Errors of the fields of a call that hold a card number: in clear, one must not come near a log or a table. Null where none does. */
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
  // The name of a field would repeat the number.
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
