import { type ClientRequest, type IncomingMessage, request, type RequestOptions } from 'node:http'
import { request as requestOverTls } from 'node:https'
import type { Readable } from 'node:stream'
import { operatorAddress } from '#app/operator/operator-address.ts'

export type RemoteServer = { url: string; token: string; ca?: string }

export type RequestTarget = { dataDir: string; remote?: RemoteServer; name?: string }
type Method = 'GET' | 'POST' | 'DELETE'
export type OperatorResponse = { status: number; body: unknown }
type RequestBody = { json?: unknown; text?: Readable }

export class AccessDeniedError extends Error {}

/**
 * The connection was established but broke before the response was complete: the application was killed, its host failed, or it stopped
 * sending. The requested action may or may not have been carried out.
 */
export class ConnectionBrokenError extends Error {
  readonly method: Method
  constructor(method: Method, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    this.method = method
  }
}

/** The connection is closed after this many milliseconds without any data. */
const idleTimeoutMs = 60_000

/**
 * Sends a request, and resolves when the response begins.
 * @throws an error that `isNotRunning` recognises if the application is not listening; `AccessDenied` if the token is rejected;
 * `ConnectionBrokenError` if the connection breaks
 */
async function send(
  caller: RequestTarget,
  method: Method,
  path: string,
  { json, text }: RequestBody,
): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const headers = {
    ...(caller.name !== undefined && { 'x-operator': encodeURIComponent(caller.name) }),
    ...(caller.remote && { authorization: `Bearer ${caller.remote.token}` }),
    ...(json !== undefined && { 'content-type': 'application/json' }),
    ...(text && { 'content-type': 'text/csv' }),
  }
  const options: RequestOptions = { method, path, timeout: idleTimeoutMs, headers }
  const clientRequest = caller.remote
    ? requestOverTls(caller.remote.url, { ...options, ...(caller.remote.ca && { ca: caller.remote.ca }) }, resolve)
    : request({ ...options, socketPath: operatorAddress(caller.dataDir) }, resolve)
  let isConnected = false
  clientRequest.on('socket', (socket) => {
    if (!socket.connecting) isConnected = true
    else socket.once(caller.remote ? 'secureConnect' : 'connect', () => (isConnected = true))
  })
  clientRequest
    .on('error', (error) => reject(isConnected ? new ConnectionBrokenError(method, error) : error))
    .on('timeout', () => clientRequest.destroy(new Error('Fantail stopped responding.')))
  if (text) text.on('error', (error) => clientRequest.destroy(error)).pipe(clientRequest)
  else clientRequest.end(json === undefined ? undefined : JSON.stringify(json))
  const response = await promise
  if (caller.remote && [401, 403, 429].includes(response.statusCode ?? 0))
    throw new AccessDeniedError(((await readBody(response, method)) as { why: string }).why)
  return response
}

async function readBody(response: IncomingMessage, method: Method): Promise<unknown> {
  try {
    let text = ''
    for await (const part of response.setEncoding('utf8')) text += part
    return JSON.parse(text)
  } catch (error) {
    throw new ConnectionBrokenError(method, error)
  }
}

export async function call(
  caller: RequestTarget,
  method: Method,
  path: string,
  sent: RequestBody = {},
): Promise<OperatorResponse> {
  const response = await send(caller, method, path, sent)
  return { status: response.statusCode ?? 0, body: await readBody(response, method) }
}

/**
 * Calls an endpoint that streams lines. If the request is rejected immediately, the response has an error status and
 * the single line `{ why }`.
 */
export async function requestJsonLines(
  caller: RequestTarget,
  method: Method,
  path: string,
  sent: RequestBody = {},
): Promise<{ status: number; lines: AsyncIterable<string> }> {
  const response = await send(caller, method, path, sent)
  return { status: response.statusCode ?? 0, lines: readLines(response, method) }
}

async function* readLines(response: IncomingMessage & { req?: ClientRequest }, method: Method): AsyncGenerator<string> {
  let rest = ''
  const parts = (response.setEncoding('utf8') as AsyncIterable<string>)[Symbol.asyncIterator]()
  try {
    for (;;) {
      const part = await parts.next().catch((error: unknown) => {
        throw new ConnectionBrokenError(method, error)
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

/** Whether the application is not listening: the socket does not exist, or the application was killed before it accepted the request. */
export const isNotRunning = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && ['ENOENT', 'ECONNREFUSED', 'ECONNRESET'].includes(String(error.code))
