import * as v from 'valibot'
import type { Access } from '#providers/tmf/access.ts'
import { causeOf } from '#providers/http/send-http.ts'
import { jsonOrNothing } from '#providers/http/json.ts'
import type { Refused, Sms, SmsSender } from './sms.port.ts'

export type SmsSenderOptions = {
  /** Origin, with a path if there is one, in front of `/tmf-api/`. */
  baseUrl: string
  access: Access
  /** What phones show: a number, a short code or a name. */
  sender: string
  /** For one call, its answer's body and a token for it included. */
  timeoutMs: number
}

/**
 * Sends texts through TM Forum's TMF681 communication management API, v4.
 * Its errors name the status or what became of the connection, and nothing of the message.
 *
 * TMF681 has no key that makes a repeat harmless. Assumed of the carrier: it takes the characteristic `externalId`, or the
 * `Idempotency-Key` header, for one, and answers a repeat with the first message or with 409.
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
        body: JSON.stringify(messageOf(sms, sender)),
        timeoutMs,
      })
      return { status: answer.status, body: jsonOrNothing(answer.body) }
    } catch (failure) {
      return { why: causeOf(failure) }
    }
  }

  return {
    async send(sms) {
      if (!isMsisdn.test(sms.to) || sms.text === '')
        return refused('Never left: it has no text, or no number to go to.')
      const answer = await post(sms)
      if ('why' in answer) throw new Error(`the SMS carrier gave no answer: ${answer.why}`)
      const outcome = outcomeOf(answer.status, answer.body)
      if (!outcome) throw new Error(`the SMS carrier answered HTTP ${answer.status}`)
      return outcome
    },
  }
}

const isMsisdn = /^\+[1-9]\d{6,14}$/

const messageOf = ({ messageId, to, text }: Sms, sender: string): object => ({
  messageType: 'SMS',
  content: text,
  sender: /^\+?\d+$/.test(sender) ? { phoneNumber: sender } : { name: sender },
  receiver: [{ phoneNumber: to }],
  characteristic: [{ name: 'externalId', valueType: 'string', value: messageId }],
})

const messageSchema = v.object({ state: v.nullish(v.string()) })

/** TM Forum's error body. */
const errorSchema = v.object({ code: v.union([v.string(), v.number()]), reason: v.string() })

// Of all refusals only these are about the message. Login, path, limits and the like are for the operator to repair, or pass.
const aboutTheMessage = new Set([400, 413, 422])

const refused = (answer: string | null): Refused => ({ outcome: 'refused', answer })

/** Null: it is not known, or it may pass. */
function outcomeOf(status: number, body: unknown): 'sent' | Refused | null {
  // 409 is assumed to say that this message is there already.
  if (status === 201 || status === 202 || status === 409)
    return hasFailed(body) ? refused(saidIn(status, body)) : 'sent'
  if (status === 200 && v.is(messageSchema, body)) return hasFailed(body) ? refused(saidIn(status, body)) : 'sent'
  // A 400 of something in between, such as a proxy, does not speak for the carrier.
  return aboutTheMessage.has(status) && v.is(errorSchema, body) ? refused(saidIn(status, body)) : null
}

/** `HTTP 422, 21: No such number`. */
function saidIn(status: number, body: unknown): string {
  if (v.is(errorSchema, body)) return `HTTP ${status}, ${body.code}: ${body.reason}`
  return v.is(messageSchema, body) && body.state ? `HTTP ${status}, ${body.state}` : `HTTP ${status}`
}

const hasFailed = (body: unknown): boolean =>
  v.is(messageSchema, body) && (body.state === 'failed' || body.state === 'cancelled')
