import { type ClientRequest, type IncomingMessage, request, type RequestOptions } from 'node:http'
import { request as requestOverTls } from 'node:https'
import type { Readable } from 'node:stream'
import { operatorAddress } from '#app/operator/address.ts'

export type Remote = { url: string; token: string; ca?: string }

export type Caller = { dataDir: string; remote?: Remote; name?: string }
type Method = 'GET' | 'POST' | 'DELETE'
export type Answer = { status: number; body: unknown }
type Sent = { json?: unknown; text?: Readable }

export class NotLetIn extends Error {}

/**
 * The connection was established but broke before the response was complete: the product was killed, its host failed, or it fell silent.
 * The requested operation may or may not have been done.
 */
export class BrokenOff extends Error {
  readonly method: Method
  constructor(method: Method, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    this.method = method
  }
}

/** Milliseconds without any data after which the connection is closed. */
const silenceMs = 60_000

/**
 * Sends a request, and resolves when the response begins.
 * @throws an error that `isNotRunning` recognises if no product runs there; NotLetIn if the token is rejected; BrokenOff
 */
async function send(caller: Caller, method: Method, path: string, { json, text }: Sent): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const headers = {
    ...(caller.name !== undefined && { 'x-operator': encodeURIComponent(caller.name) }),
    ...(caller.remote && { authorization: `Bearer ${caller.remote.token}` }),
    ...(json !== undefined && { 'content-type': 'application/json' }),
    ...(text && { 'content-type': 'text/csv' }),
  }
  const options: RequestOptions = { method, path, timeout: silenceMs, headers }
  const asked = caller.remote
    ? requestOverTls(caller.remote.url, { ...options, ...(caller.remote.ca && { ca: caller.remote.ca }) }, resolve)
    : request({ ...options, socketPath: operatorAddress(caller.dataDir) }, resolve)
  let isReached = false
  asked.on('socket', (socket) => {
    if (!socket.connecting) isReached = true
    else socket.once(caller.remote ? 'secureConnect' : 'connect', () => (isReached = true))
  })
  asked
    .on('error', (error) => reject(isReached ? new BrokenOff(method, error) : error))
    .on('timeout', () => asked.destroy(new Error('The product stopped answering.')))
  if (text) text.on('error', (error) => asked.destroy(error)).pipe(asked)
  else asked.end(json === undefined ? undefined : JSON.stringify(json))
  const response = await promise
  if (caller.remote && [401, 403, 429].includes(response.statusCode ?? 0))
    throw new NotLetIn(((await bodyOf(response, method)) as { why: string }).why)
  return response
}

async function bodyOf(response: IncomingMessage, method: Method): Promise<unknown> {
  try {
    let text = ''
    for await (const part of response.setEncoding('utf8')) text += part
    return JSON.parse(text)
  } catch (error) {
    throw new BrokenOff(method, error)
  }
}

export async function call(caller: Caller, method: Method, path: string, sent: Sent = {}): Promise<Answer> {
  const response = await send(caller, method, path, sent)
  return { status: response.statusCode ?? 0, body: await bodyOf(response, method) }
}

/** An immediate rejection has an error status and the single line `{ why }`. */
export async function callForLines(
  caller: Caller,
  method: Method,
  path: string,
  sent: Sent = {},
): Promise<{ status: number; lines: AsyncIterable<string> }> {
  const response = await send(caller, method, path, sent)
  return { status: response.statusCode ?? 0, lines: linesOf(response, method) }
}

async function* linesOf(response: IncomingMessage & { req?: ClientRequest }, method: Method): AsyncGenerator<string> {
  let rest = ''
  const parts = (response.setEncoding('utf8') as AsyncIterable<string>)[Symbol.asyncIterator]()
  try {
    for (;;) {
      const part = await parts.next().catch((error: unknown) => {
        throw new BrokenOff(method, error)
      })
      if (part.done) break
      const lines = (rest + part.value).split('\n')
      rest = lines.pop() ?? ''
      yield* lines
    }
    if (rest) yield rest
  } finally {
    response.req?.destroy()
  }
}

/** No product is listening: there is no such socket, or the product was killed before it accepted the call. */
export const isNotRunning = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && ['ENOENT', 'ECONNREFUSED', 'ECONNRESET'].includes(String(error.code))
