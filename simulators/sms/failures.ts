import * as v from 'valibot'

export const smsOperations = ['send', 'read'] as const

export const smsFailureKinds = [
  /** The text message is not accepted, and there is no response. */
  'lost_request',
  /** The text message is accepted, but there is no response. */
  'lost_answer',
  'error_500',
  /** The text message is not accepted, and the response is 429. */
  'busy',
  'slow',
  /** The text message is accepted, but delivery fails immediately, as its state shows. */
  'failed',
  /** The text message is permanently rejected with 422. */
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
