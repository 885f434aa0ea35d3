import { type IncomingMessage, request } from 'node:http'
import type { Readable } from 'node:stream'
import { operatorAddress } from '#app/operator/address.ts'

/** Which product is asked: the one that runs on this data directory; and who asks, kept with what they do. */
export type Caller = { dataDir: string; name?: string }
type Method = 'GET' | 'POST' | 'DELETE'
export type Answer = { status: number; body: unknown }
/** What goes along: values as JSON, or a stream of text as it is. */
type Sent = { json?: unknown; text?: Readable }

/** The product says something at least this often, or is given up. */
const silenceMs = 60_000

/**
 * Asks the product, and answers when its answer begins.
 * @throws what `isNotRunning` recognises, when none runs there
 */
function send(caller: Caller, method: Method, path: string, { json, text }: Sent): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const asked = request(
    {
      socketPath: operatorAddress(caller.dataDir),
      method,
      path,
      timeout: silenceMs,
      headers: {
        ...(caller.name !== undefined && { 'x-operator': encodeURIComponent(caller.name) }),
        ...(json !== undefined && { 'content-type': 'application/json' }),
        ...(text && { 'content-type': 'text/csv' }),
      },
    },
    resolve,
  )
  asked.on('error', reject).on('timeout', () => asked.destroy(new Error('The product does not answer.')))
  if (text) text.on('error', (error) => asked.destroy(error)).pipe(asked)
  else asked.end(json === undefined ? undefined : JSON.stringify(json))
  return promise
}

/** One question, one answer. */
export async function call(caller: Caller, method: Method, path: string, sent: Sent = {}): Promise<Answer> {
  const response = await send(caller, method, path, sent)
  let text = ''
  for await (const part of response.setEncoding('utf8')) text += part
  return { status: response.statusCode ?? 0, body: JSON.parse(text) }
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
  return { status: response.statusCode ?? 0, lines: linesOf(response.setEncoding('utf8')) }
}

async function* linesOf(parts: AsyncIterable<string>): AsyncIterable<string> {
  let rest = ''
  for await (const part of parts) {
    const lines = (rest + part).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest) yield rest
}

/** Nothing listens there: no such socket, a product that was killed, or one of another user. */
export const isNotRunning = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && ['ENOENT', 'ECONNREFUSED'].includes(String(error.code))
