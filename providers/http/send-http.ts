import { X509Certificate } from 'node:crypto'
import { Agent as HttpAgent, type IncomingMessage, request as requestOverHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestOverHttps } from 'node:https'

export type HttpRequest = {
  method: string
  url: string
  headers: Readonly<Record<string, string>>
  body?: string
  /** Take the answer without its body, and don't wait for that. */
  ignoresBody?: boolean
  /** Maximum bytes of the answer's body; `maxAnswerBytes` unless given. */
  maxBytes?: number
  /** Ends the call, its answer's body included. */
  signal: AbortSignal
}

export type HttpAnswer = { status: number; headers: Headers; body: string }

/** PEM: who we are to the other side, and whom we take it from; null for the roots that the process trusts. */
export type Tls = { cert: string | null; key: string | null; ca: string | null }

export type SendHttp = (request: HttpRequest) => Promise<HttpAnswer>

/** Many times what a provider answers about one payment, order or message. */
export const maxAnswerBytes = 256 * 1024

/** There was no answer that counts. Its message is short and quotes nothing of what was sent or came back. */
export class NoAnswer extends Error {
  override name = 'NoAnswer'
}

/**
 * Sends requests under these certificates over connections that it keeps. It follows no redirect: what is sent is for
 * nobody else. It throws when no whole answer came; `causeOf` says why.
 */
export function createSendHttp({ cert, key, ca }: Tls): SendHttp {
  // What is idle for longer the other side may be about to close, and a call on it would have no answer.
  const kept = { keepAlive: true, timeout: 4_000 }
  const agents = {
    'http:': new HttpAgent(kept),
    'https:': new HttpsAgent({ ...kept, ...(cert && key && { cert, key }), ...(ca && { ca }) }),
  }
  const endsAt = cert ? new X509Certificate(cert).validToDate : null
  return ({ method, url, headers, body, ignoresBody = false, maxBytes = maxAnswerBytes, signal }) =>
    new Promise((resolve, reject) => {
      // The other side would end the connection, mostly without a word about the reason.
      if (endsAt && endsAt.getTime() <= Date.now())
        return reject(new NoAnswer(`our client certificate ended on ${endsAt.toISOString().slice(0, 10)}`))
      const { protocol } = new URL(url)
      const options = { method, headers: { ...headers, ...lengthOf(body) }, signal }
      const request =
        protocol === 'https:'
          ? requestOverHttps(url, { ...options, agent: agents['https:'] })
          : requestOverHttp(url, { ...options, agent: agents['http:'] })
      // An abort says nothing of its reason: whether it was the time is in the signal.
      const fail = (error: Error): void => reject(signal.aborted ? signal.reason : error)
      request.on('error', fail)
      // Without a listener the connection ends and nobody is told: the call would never be over.
      request.on('upgrade', (_response, socket) => {
        socket.destroy()
        fail(new NoAnswer('another protocol (HTTP 101)'))
      })
      request.on('response', (response) => void readAnswer(response, ignoresBody ? 0 : maxBytes).then(resolve, fail))
      request.end(body)
    })
}

const lengthOf = (body: string | undefined): Record<string, number> =>
  body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) }

/** `maxBytes` is 0 when the body is not wanted. */
async function readAnswer(response: IncomingMessage, maxBytes: number): Promise<HttpAnswer> {
  const { statusCode: status = 0 } = response
  if (status >= 300 && status < 400) {
    response.destroy()
    throw new NoAnswer(`a redirect (HTTP ${status})`)
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
    // Leaving the loop ends the connection.
    if (length > maxBytes) throw new NoAnswer('an answer that is too long')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

/** `TimeoutError`, or the system's word such as `ECONNREFUSED`: a whole message could quote a header, and with it a key. */
export function causeOf(failure: unknown): string {
  if (failure instanceof NoAnswer) return failure.message
  if (!(failure instanceof Error)) return 'unknown error'
  return 'code' in failure && typeof failure.code === 'string' ? failure.code : failure.name
}
