import * as v from 'valibot'

export const smsOperations = ['send', 'read'] as const

export const smsFailureKinds = [
  /** Not done, and no response. */
  'lost_request',
  /** Done, and no response. */
  'lost_answer',
  'error_500',
  /** Not done: 429. */
  'busy',
  'slow',
  /** Accepted, and the message fails at once, which its state shows. */
  'failed',
  /** A definite rejection: 422. */
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
