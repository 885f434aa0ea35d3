import * as v from 'valibot'

/** The moments of a delivery at which something can go wrong. */
export const mailOperations = ['connect', 'mail', 'rcpt', 'data'] as const

export const mailFailureKinds = [
  /** A 4xx: not now. */
  'busy',
  /** A 5xx: never. */
  'refuse',
  /** Answered late. */
  'slow',
  /** Of `data`: taken, and the connection cut before the answer. */
  'lost_answer',
] as const

export type MailOperation = (typeof mailOperations)[number]
export type MailFailureKind = (typeof mailFailureKinds)[number]

export const mailFailureSchema = v.pipe(
  v.strictObject({
    operation: v.picklist(mailOperations),
    kind: v.picklist(mailFailureKinds),
    times: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(1)), 1),
    delay_ms: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(0)), 15_000),
  }),
  v.check(({ operation, kind }) => kind !== 'lost_answer' || operation === 'data', 'only of data an answer is lost'),
)
export type MailFailure = v.InferInput<typeof mailFailureSchema>

/** What is said to it, by SMTP's codes. */
export const saidTo: Record<MailOperation, Record<'busy' | 'refuse', [code: number, text: string]>> = {
  connect: { busy: [421, 'Too busy, try again later'], refuse: [554, 'No service here'] },
  mail: { busy: [451, 'Try again later'], refuse: [550, 'This sender is not welcome'] },
  rcpt: { busy: [450, 'The mailbox is busy'], refuse: [550, 'No such user here'] },
  data: { busy: [452, 'Not enough room, try again later'], refuse: [554, 'The message is not wanted'] },
}
