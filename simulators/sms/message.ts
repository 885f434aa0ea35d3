import * as v from 'valibot'

export class SmsFault extends Error {
  readonly status: number
  readonly code: string
  constructor(status: number, code: string, reason: string) {
    super(reason)
    this.name = 'SmsFault'
    this.status = status
    this.code = code
  }
}

export const faultBody = ({ status, code, message }: SmsFault) => ({
  code,
  reason: message,
  message,
  status: String(status),
})

export type SmsRequest = { externalId: string | null; to: string; sender: string; text: string }

// The maximum number of characters in a text message: ten parts, which is as many as phones join reliably.
const maxTextLength = 1_530

const number = v.pipe(v.string(), v.regex(/^\+[1-9]\d{6,14}$/, 'not a number with its country code'))
const senderName = v.pipe(v.string(), v.minLength(1), v.maxLength(11))

const body = v.object({
  messageType: v.literal('SMS'),
  content: v.pipe(v.string(), v.minLength(1), v.maxLength(maxTextLength)),
  sender: v.object({
    phoneNumber: v.optional(v.pipe(v.string(), v.regex(/^\+?\d{3,15}$/))),
    name: v.optional(senderName),
  }),
  receiver: v.strictTuple([v.object({ phoneNumber: number })]),
  characteristic: v.optional(v.array(v.object({ name: v.string(), value: v.unknown() })), []),
})

/**
 * Reads the body of `POST communicationMessage`. The idempotency key is the characteristic `externalId` or, failing that, `idempotencyKey`.
 * @throws SmsFault 400 that names the problem
 */
export function parseSmsRequest(given: unknown, idempotencyKey: unknown): SmsRequest {
  const { success, output, issues } = v.safeParse(body, given)
  if (!success) throw new SmsFault(400, 'INVALID_BODY', `${v.getDotPath(issues[0]) ?? 'body'}: ${issues[0].message}`)
  const { content, sender, receiver, characteristic } = output
  const from = sender.phoneNumber ?? sender.name
  if (!from) throw new SmsFault(400, 'INVALID_BODY', 'sender: neither a number nor a name')
  const named = characteristic.find(({ name }) => name === 'externalId')?.value
  const externalId = [named, idempotencyKey].find((id) => typeof id === 'string' && id !== '')
  return {
    externalId: (externalId as string | undefined) ?? null,
    to: receiver[0].phoneNumber,
    sender: from,
    text: content,
  }
}
