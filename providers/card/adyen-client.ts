import * as v from 'valibot'
import type { GatewayFault } from './card.port.ts'

/** Where the gateway is and who we are to it. */
export type AdyenConfig = {
  /** Origin, such as `https://pal-test.adyen.com`; the path of the API is added here. */
  baseUrl: string
  apiKey: string
  merchantAccount: string
  /** How long to wait for a whole answer, in milliseconds. */
  timeoutMs: number
  /** `fetch` itself, unless somebody wants to see what goes by. */
  send?: typeof fetch
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
  const { baseUrl, apiKey, merchantAccount, timeoutMs, send = fetch, hearClock = () => {} } = config
  const base = `${baseUrl.replace(/(?<!\/)\/+$/, '')}/pal/servlet`
  return async (operation, idempotencyKey, body) => {
    try {
      const askedMs = performance.now()
      const answer = await send(`${base}/${operations[operation]}/v68/${operation}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': apiKey, 'idempotency-key': idempotencyKey },
        body: JSON.stringify({ merchantAccount, ...body }),
        // The API key goes nowhere else.
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
      })
      const answeredMs = performance.now()
      const said = parseJson(await answer.text())
      const at = clockOf(answer.headers, said)
      if (at) hearClock({ at, askedMs, answeredMs })
      return readAnswer(answer.status, answer.headers, said)
    } catch (error) {
      return { kind: 'unknown', why: nameOf(error) }
    }
  }
}

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

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

// `TimeoutError`, or the system's word for what became of the connection, such as `ECONNREFUSED`.
function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error'
  const { cause } = error
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : null
  return code ?? error.name
}
