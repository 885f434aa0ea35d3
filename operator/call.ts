import { type ClientRequest, type IncomingMessage, request, type RequestOptions } from 'node:http'
import { request as requestOverTls } from 'node:https'
import type { Readable } from 'node:stream'
import { operatorAddress } from '#app/operator/address.ts'

/** A product on another host: its address, the token that lets in, and whom to trust beside the system's authorities. */
export type Remote = { url: string; token: string; ca?: string }

/** Which product is asked: the one that runs on this data directory, or one far away; and who asks, kept with what they do. */
export type Caller = { dataDir: string; remote?: Remote; name?: string }
type Method = 'GET' | 'POST' | 'DELETE'
export type Answer = { status: number; body: unknown }
/** What goes along: values as JSON, or a stream of text as it is. */
type Sent = { json?: unknown; text?: Readable }

/** A product on another host does not let this token in, or not so far. */
export class NotLetIn extends Error {}

/**
 * The product was reached, and went before its answer had come to its end: it was killed, its host went, or it says nothing
 * any more. What it was asked to do may be done.
 */
export class BrokenOff extends Error {
  readonly method: Method
  constructor(method: Method, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    this.method = method
  }
}

/** The product says something at least this often, or is given up. */
const silenceMs = 60_000

/**
 * Asks the product, and answers when its answer begins.
 * @throws what `isNotRunning` recognises, when none runs there; NotLetIn, when the token is refused; BrokenOff
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
    .on('timeout', () => asked.destroy(new Error('The product does not answer.')))
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

/** One question, one answer. */
export async function call(caller: Caller, method: Method, path: string, sent: Sent = {}): Promise<Answer> {
  const response = await send(caller, method, path, sent)
  return { status: response.statusCode ?? 0, body: await bodyOf(response, method) }
}

/**
 * For what takes its time, or is long: the lines of the answer as they come. What is refused from the start has one
 * line, `{ why }`, and its status.
 */
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
    // What was not sent yet is not wanted any more.
    response.req?.destroy()
  }
}

/** Nothing listens there: no such socket, a product that was killed before it took the call, or one of another user. */
export const isNotRunning = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && ['ENOENT', 'ECONNREFUSED', 'ECONNRESET'].includes(String(error.code))
