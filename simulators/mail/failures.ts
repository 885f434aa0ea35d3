import * as v from 'valibot'

export const mailOperations = ['connect', 'mail', 'rcpt', 'data'] as const

export const mailFailureKinds = [
  /** The server answers with a 4xx code, which is a temporary failure. */
  'busy',
  /** The server answers with a 5xx code, which is a permanent failure. */
  'refuse',
  'slow',
  /** Only for `data`. The server accepts the message, but the connection is dropped before the response. */
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
  v.check(
    ({ operation, kind }) => kind !== 'lost_answer' || operation === 'data',
    'lost_answer is only possible for data',
  ),
)
export type MailFailure = v.InferInput<typeof mailFailureSchema>

export const failureReplies: Record<MailOperation, Record<'busy' | 'refuse', [code: number, text: string]>> = {
  connect: { busy: [421, 'Too busy, try again later'], refuse: [554, 'No service here'] },
  mail: { busy: [451, 'Try again later'], refuse: [550, 'This sender is not welcome'] },
  rcpt: { busy: [450, 'The mailbox is busy'], refuse: [550, 'No such user here'] },
  data: { busy: [452, 'Not enough room, try again later'], refuse: [554, 'The message is not wanted'] },
}
