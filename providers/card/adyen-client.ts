import * as v from 'valibot'
import { jsonOrNothing } from '#providers/http/json.ts'
import { causeOf, createSendHttp, type SendHttp } from '#providers/http/send-http.ts'
import type { GatewayFault } from './card.port.ts'

/** Where the gateway is and who we are to it. */
export type AdyenConfig = {
  /** Origin, such as `https://pal-test.adyen.com`; the path of the API is added here. */
  baseUrl: string
  apiKey: string
  merchantAccount: string
  /** How long to wait for a whole answer, in milliseconds. */
  timeoutMs: number
  /** Replaces the usual HTTP client, so that a caller can observe the exchanges. */
  send?: SendHttp
  /** Is told of the gateway's clock, by each answer that is its own. */
  hearClock?(told: GatewayClock): void
}

/** What the gateway's clock said, in whole seconds, and by `performance.now()` when it was asked and when it had answered. */
export type GatewayClock = { at: Temporal.Instant; askedMs: number; answeredMs: number }

/** Each call, and the API that has it. */
const operations = {
  authorise: 'Payment',
  capture: 'Payment',
  cancel: 'Payment',
  refund: 'Payment',
  technicalCancel: 'Payment',
  disable: 'Recurring',
} as const

export type AdyenOperation = keyof typeof operations

export type AdyenAnswer =
  /** HTTP 200, whatever its body says. */
  | { kind: 'answered'; body: unknown }
  /** The request was looked at and refused: nothing was done. */
  | ({ kind: 'refused' } & GatewayFault)
  /** It is not known whether it was done; `lockedOut`: not by this call. */
  | { kind: 'unknown'; why: string; lockedOut?: GatewayFault }

type AdyenClient = (
  operation: AdyenOperation,
  idempotencyKey: string,
  body: Record<string, unknown>,
) => Promise<AdyenAnswer>

/**
 * A client of Adyen's classic APIs v68, for payments and for stored cards. It never throws, and logs nothing: a body may hold an
 * encrypted card.
 */
export function createAdyenClient(config: AdyenConfig): AdyenClient {
  const { baseUrl, apiKey, merchantAccount, timeoutMs, send = sendUsually(), hearClock = () => {} } = config
  const base = `${baseUrl.replace(/(?<!\/)\/+$/, '')}/pal/servlet`
  return async (operation, idempotencyKey, body) => {
    try {
      const askedMs = performance.now()
      const answer = await send({
        method: 'POST',
        url: `${base}/${operations[operation]}/v68/${operation}`,
        headers: { 'content-type': 'application/json', 'x-api-key': apiKey, 'idempotency-key': idempotencyKey },
        body: JSON.stringify({ merchantAccount, ...body }),
        signal: AbortSignal.timeout(timeoutMs),
      })
      const answeredMs = performance.now()
      const said = jsonOrNothing(answer.body)
      const at = clockOf(answer.headers, said)
      if (at) hearClock({ at, askedMs, answeredMs })
      return readAnswer(answer.status, answer.headers, said)
    } catch (error) {
      return { kind: 'unknown', why: causeOf(error) }
    }
  }
}

const sendUsually = (): SendHttp => createSendHttp({ cert: null, key: null, ca: null })

const faultBody = v.object({
  errorCode: v.pipe(v.union([v.string(), v.number()]), v.transform(String)),
  message: v.optional(v.string(), ''),
})

const concurrentDuplicate = '704'

function readAnswer(status: number, headers: Headers, body: unknown): AdyenAnswer {
  if (status === 200) return { kind: 'answered', body }
  const fault = v.safeParse(faultBody, body)
  const code = fault.success ? fault.output.errorCode : ''
  const why = `HTTP ${status}${code && ` (${code})`}`
  // Only 400 and 422 are about the request. 401, 403 and 429 say nothing of an earlier try that may have got through.
  const isAboutTheRequest = status === 400 || status === 422
  if (fault.success && (status === 401 || status === 403))
    return { kind: 'unknown', why, lockedOut: { code, message: fault.output.message } }
  const isTransient = headers.get('transient-error') === 'true' || code === concurrentDuplicate
  if (!fault.success || !isAboutTheRequest || isTransient) return { kind: 'unknown', why }
  return { kind: 'refused', code, message: fault.output.message }
}

// What the gateway itself says has a reference of its own; a proxy's page, or an answer that was kept somewhere, has another clock.
const ownAnswer = v.object({ pspReference: v.pipe(v.string(), v.nonEmpty()) })

function clockOf(headers: Headers, body: unknown): Temporal.Instant | null {
  const ms = Date.parse(headers.get('date') ?? '')
  if (Number.isNaN(ms) || headers.has('age') || !v.is(ownAnswer, body)) return null
  return Temporal.Instant.fromEpochMilliseconds(ms)
}
