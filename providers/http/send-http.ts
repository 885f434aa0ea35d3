import { X509Certificate } from 'node:crypto'
import { Agent as HttpAgent, type IncomingMessage, request as requestOverHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestOverHttps } from 'node:https'

export type HttpRequest = {
  method: string
  url: string
  headers: Readonly<Record<string, string>>
  body?: string
  ignoresBody?: boolean
  maxBytes?: number
  signal: AbortSignal
}

export type HttpResponse = { status: number; headers: Headers; body: string }

/**
 * TLS settings in PEM format. `cert` and `key` are our client certificate. `ca` verifies the server; `null` means the process's own trusted
 * roots.
 */
export type TlsOptions = { cert: string | null; key: string | null; ca: string | null }

export type SendHttp = (request: HttpRequest) => Promise<HttpResponse>

/** Maximum size of a response in bytes, which is many times larger than any response about a single payment, order or message. */
export const maxResponseBytes = 256 * 1024

/** Thrown when a request got no complete response. The message quotes nothing from the request or the response. */
export class NoResponseError extends Error {
  override name = 'NoAnswer'
}

/**
 * Creates a function that sends requests with these certificates over persistent connections. It does not follow redirects, because a
 * request is meant for one server only. It rejects if no complete response arrives; `describeCause` returns the cause.
 */
export function createSendHttp({ cert, key, ca }: TlsOptions): SendHttp {
  // The server may be about to close a connection that has been idle longer than this, and a request on it would get no response.
  const agentOptions = { keepAlive: true, timeout: 4_000 }
  const agents = {
    'http:': new HttpAgent(agentOptions),
    'https:': new HttpsAgent({ ...agentOptions, ...(cert && key && { cert, key }), ...(ca && { ca }) }),
  }
  const certificateExpiresAt = cert ? new X509Certificate(cert).validToDate : null
  return ({ method, url, headers, body, ignoresBody = false, maxBytes = maxResponseBytes, signal }) =>
    new Promise((resolve, reject) => {
      // If our client certificate has expired, the server would close the connection, usually without saying why.
      if (certificateExpiresAt && certificateExpiresAt.getTime() <= Date.now())
        return reject(
          new NoResponseError(`our client certificate ended on ${certificateExpiresAt.toISOString().slice(0, 10)}`),
        )
      const { protocol } = new URL(url)
      const options = { method, headers: { ...headers, ...buildContentLengthHeader(body) }, signal }
      const request =
        protocol === 'https:'
          ? requestOverHttps(url, { ...options, agent: agents['https:'] })
          : requestOverHttp(url, { ...options, agent: agents['http:'] })
      // An abort error does not say why the request was aborted, but the signal's reason shows whether it timed out.
      const fail = (error: Error): void => reject(signal.aborted ? signal.reason : error)
      request.on('error', fail)
      // Without an `upgrade` listener, Node closes the connection without an event, and the promise would never settle.
      request.on('upgrade', (_response, socket) => {
        socket.destroy()
        fail(new NoResponseError('another protocol (HTTP 101)'))
      })
      request.on('response', (response) => void readResponse(response, ignoresBody ? 0 : maxBytes).then(resolve, fail))
      request.end(body)
    })
}

const buildContentLengthHeader = (body: string | undefined): Record<string, number> =>
  body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) }

async function readResponse(response: IncomingMessage, maxBytes: number): Promise<HttpResponse> {
  const { statusCode: status = 0 } = response
  if (status >= 300 && status < 400) {
    response.destroy()
    throw new NoResponseError(`a redirect (HTTP ${status})`)
  }
  const body = maxBytes === 0 ? '' : await readBody(response, maxBytes)
  if (maxBytes === 0) response.destroy()
  const headers = new Headers()
  for (const [name, values = []] of Object.entries(response.headersDistinct))
    for (const value of values) headers.append(name, value)
  return { status, headers, body }
}

async function readBody(response: IncomingMessage, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length
    // Leaving the loop early closes the connection, so the rest of the response is never read.
    if (length > maxBytes) throw new NoResponseError('an answer that is too long')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

/**
 * Returns why a request failed: `TimeoutError`, or a system error code such as `ECONNREFUSED`. The full error message is not used, because
 * it could quote a header and reveal a key.
 */
export function describeCause(failure: unknown): string {
  if (failure instanceof NoResponseError) return failure.message
  if (!(failure instanceof Error)) return 'unknown error'
  return 'code' in failure && typeof failure.code === 'string' ? failure.code : failure.name
}
