import * as v from 'valibot'

export const smsOperations = ['send', 'read'] as const

export const smsFailureKinds = [
  /** Nothing is done, no answer. */
  'lost_request',
  /** Done, no answer. */
  'lost_answer',
  /** Nothing is done. */
  'error_500',
  /** Nothing is done: 429. */
  'busy',
  /** Done, and answered late. */
  'slow',
  /** Taken, and it fails at once: its state says so. */
  'failed',
  /** A definite no: 422. */
  'refuse',
] as const

export type SmsOperation = (typeof smsOperations)[number]
export type SmsFailureKind = (typeof smsFailureKinds)[number]

export const smsFailureSchema = v.strictObject({
  operation: v.picklist(smsOperations),
  kind: v.picklist(smsFailureKinds),
  times: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(1)), 1),
  delay_ms: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(0)), 15_000),
})
export type SmsFailure = v.InferInput<typeof smsFailureSchema>
