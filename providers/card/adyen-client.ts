import * as v from 'valibot'
import { parseJsonOrUndefined } from '#providers/http/json.ts'
import { describeCause, createSendHttp, type SendHttp } from '#providers/http/send-http.ts'
import type { GatewayFault } from './card.port.ts'

export type AdyenConfig = {
  /** The gateway's origin, such as `https://pal-test.adyen.com`. The client appends the API path. */
  baseUrl: string
  apiKey: string
  merchantAccount: string
  timeoutMs: number
  send?: SendHttp
  /** Called with a reading of the gateway's clock for each response written by the gateway itself. */
  hearClock?(told: GatewayClockReading): void
}

/**
 * A reading of the gateway's clock. `at` is the gateway's time in whole seconds. `askedMs` and `answeredMs` are `performance.now()` before
 * the request and after the response.
 */
export type GatewayClockReading = { at: Temporal.Instant; askedMs: number; answeredMs: number }

const operations = {
  authorise: 'Payment',
  capture: 'Payment',
  cancel: 'Payment',
  refund: 'Payment',
  technicalCancel: 'Payment',
  disable: 'Recurring',
} as const

export type AdyenOperation = keyof typeof operations

export type AdyenResponse =
  /** The gateway responded with HTTP 200, whatever the body contains. */
  | { kind: 'answered'; body: unknown }
  /** The gateway rejected the request and did nothing. */
  | ({ kind: 'refused' } & GatewayFault)
  /** The outcome is unknown. If `lockedOut` is set, the gateway rejected our credentials, and this request did nothing. */
  | { kind: 'unknown'; why: string; lockedOut?: GatewayFault }

type AdyenClient = (
  operation: AdyenOperation,
  idempotencyKey: string,
  body: Record<string, unknown>,
) => Promise<AdyenResponse>

/**
 * Creates a client for Adyen's classic APIs v68, for payments and stored cards. The client never throws. It logs nothing, because a body
 * may contain an encrypted card.
 */
export function createAdyenClient(config: AdyenConfig): AdyenClient {
  const { baseUrl, apiKey, merchantAccount, timeoutMs, send = createDefaultSend(), hearClock = () => {} } = config
  const base = `${baseUrl.replace(/(?<!\/)\/+$/, '')}/pal/servlet`
  return async (operation, idempotencyKey, body) => {
    try {
      const startedMs = performance.now()
      const answer = await send({
        method: 'POST',
        url: `${base}/${operations[operation]}/v68/${operation}`,
        headers: { 'content-type': 'application/json', 'x-api-key': apiKey, 'idempotency-key': idempotencyKey },
        body: JSON.stringify({ merchantAccount, ...body }),
        signal: AbortSignal.timeout(timeoutMs),
      })
      const answeredMs = performance.now()
      const responseBody = parseJsonOrUndefined(answer.body)
      const at = readGatewayTime(answer.headers, responseBody)
      if (at) hearClock({ at, askedMs: startedMs, answeredMs })
      return parseResponse(answer.status, answer.headers, responseBody)
    } catch (error) {
      return { kind: 'unknown', why: describeCause(error) }
    }
  }
}

const createDefaultSend = (): SendHttp => createSendHttp({ cert: null, key: null, ca: null })

const faultSchema = v.object({
  errorCode: v.pipe(v.union([v.string(), v.number()]), v.transform(String)),
  message: v.optional(v.string(), ''),
})

const concurrentDuplicateCode = '704'

function parseResponse(status: number, headers: Headers, body: unknown): AdyenResponse {
  if (status === 200) return { kind: 'answered', body }
  const fault = v.safeParse(faultSchema, body)
  const code = fault.success ? fault.output.errorCode : ''
  const why = `HTTP ${status}${code && ` (${code})`}`
  // Only 400 and 422 are about the request. After a 401, 403 or 429, an earlier attempt may still have succeeded.
  const isRequestError = status === 400 || status === 422
  if (fault.success && (status === 401 || status === 403))
    return { kind: 'unknown', why, lockedOut: { code, message: fault.output.message } }
  const isTransient = headers.get('transient-error') === 'true' || code === concurrentDuplicateCode
  if (!fault.success || !isRequestError || isTransient) return { kind: 'unknown', why }
  return { kind: 'refused', code, message: fault.output.message }
}

// Only the gateway's own responses have a `pspReference`. A proxy's error page or a cached response carries a different clock's time.
const gatewayResponseSchema = v.object({ pspReference: v.pipe(v.string(), v.nonEmpty()) })

function readGatewayTime(headers: Headers, body: unknown): Temporal.Instant | null {
  const ms = Date.parse(headers.get('date') ?? '')
  if (Number.isNaN(ms) || headers.has('age') || !v.is(gatewayResponseSchema, body)) return null
  return Temporal.Instant.fromEpochMilliseconds(ms)
}
