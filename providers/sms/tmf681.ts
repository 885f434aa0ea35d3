import * as v from 'valibot'
import type { CarrierAccess } from '#providers/tmf/access.ts'
import { describeCause } from '#providers/http/send-http.ts'
import { parseJsonOrUndefined } from '#providers/http/json.ts'
import type { RejectedSms, Sms, SmsSender } from './sms.port.ts'

export type SmsSenderOptions = {
  baseUrl: string
  access: CarrierAccess
  sender: string
  timeoutMs: number
}

/**
 * Creates a sender for text messages that uses TM Forum's TMF681 communication management API, v4. Error messages contain the HTTP status
 * or the network failure, but nothing from the message. TMF681 has no idempotency key. We assume that the carrier treats the characteristic
 * `externalId`, or the `Idempotency-Key` header, as one, and responds to a repeat with the first message or a 409.
 */
export function createSmsSender({ baseUrl, access, sender, timeoutMs }: SmsSenderOptions): SmsSender {
  const url = `${baseUrl.replace(/(?<!\/)\/+$/, '')}/tmf-api/communicationManagement/v4/communicationMessage`

  async function post(sms: Sms): Promise<{ status: number; body: unknown } | { why: string }> {
    try {
      const headers = {
        accept: 'application/json',
        'content-type': 'application/json',
        'idempotency-key': sms.messageId,
      }
      const answer = await access({
        method: 'POST',
        url,
        headers,
        body: JSON.stringify(buildMessageBody(sms, sender)),
        timeoutMs,
      })
      return { status: answer.status, body: parseJsonOrUndefined(answer.body) }
    } catch (failure) {
      return { why: describeCause(failure) }
    }
  }

  return {
    async send(sms) {
      if (!msisdnPattern.test(sms.to) || sms.text === '')
        return toRejectedSms('Not sent: the message has no text, or no valid phone number.')
      const answer = await post(sms)
      if ('why' in answer) throw new Error(`the SMS carrier gave no answer: ${answer.why}`)
      const outcome = parseOutcome(answer.status, answer.body)
      if (!outcome) throw new Error(`the SMS carrier answered HTTP ${answer.status}`)
      return outcome
    },
  }
}

const msisdnPattern = /^\+[1-9]\d{6,14}$/

const buildMessageBody = ({ messageId, to, text }: Sms, sender: string): object => ({
  messageType: 'SMS',
  content: text,
  sender: /^\+?\d+$/.test(sender) ? { phoneNumber: sender } : { name: sender },
  receiver: [{ phoneNumber: to }],
  characteristic: [{ name: 'externalId', valueType: 'string', value: messageId }],
})

const messageSchema = v.object({ state: v.nullish(v.string()) })

const errorSchema = v.object({ code: v.union([v.string(), v.number()]), reason: v.string() })

// Only these statuses concern the message itself. Other failures are temporary, or the operator must fix the login, path or limits.
const messageErrorStatuses = new Set([400, 413, 422])

const toRejectedSms = (answer: string | null): RejectedSms => ({ outcome: 'refused', answer })

/** Returns the outcome of sending a message, or `null` if the outcome is unknown or the failure may be temporary. */
function parseOutcome(status: number, body: unknown): 'sent' | RejectedSms | null {
  // We assume that a 409 means that the carrier already has this message.
  if (status === 201 || status === 202 || status === 409)
    return hasFailed(body) ? toRejectedSms(describeRejection(status, body)) : 'sent'
  if (status === 200 && v.is(messageSchema, body))
    return hasFailed(body) ? toRejectedSms(describeRejection(status, body)) : 'sent'
  // A 400 from an intermediary, such as a proxy, is not the carrier's decision.
  return messageErrorStatuses.has(status) && v.is(errorSchema, body)
    ? toRejectedSms(describeRejection(status, body))
    : null
}

function describeRejection(status: number, body: unknown): string {
  if (v.is(errorSchema, body)) return `HTTP ${status}, ${body.code}: ${body.reason}`
  return v.is(messageSchema, body) && body.state ? `HTTP ${status}, ${body.state}` : `HTTP ${status}`
}

const hasFailed = (body: unknown): boolean =>
  v.is(messageSchema, body) && (body.state === 'failed' || body.state === 'cancelled')
