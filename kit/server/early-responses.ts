import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { startSuspendAwareTimer } from './suspend-aware-timer.ts'

/**
 * Request bodies up to this size usually arrive together with their headers. Node discards the unread rest, and the connection stays open.
 */
const smallBodyBytes = 16 * 1024
/** Limits on discarding an unwanted request body. Beyond this size or time, the connection is cut. */
const drainLimits = { bytes: 64 * 1024 * 1024, ms: 10_000 }

/**
 * Handles responses that are sent before the request body has fully arrived, such as "too large" or "not signed in". If a server closes a
 * connection with unread bytes, the connection is reset, and a browser that is still sending shows no response. If the server keeps the
 * connection open, it waits for the rest of the body for as long as a request may take. So we send the response at once, discard the rest
 * of the body within limits, and then close the connection.
 */
export function endEarlyResponsesCleanly(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (!isStillSending(request.raw) || (hasSmallBody(request.raw) && reply.getHeader('connection') !== 'close'))
      return done(null, payload)
    reply.header('connection', 'close')
    const isStream = payload instanceof Readable
    if (!isStream && typeof payload !== 'string' && !Buffer.isBuffer(payload)) return done(null, payload)
    // The `content-length` header tells the client that the response is complete, even though the connection is still open.
    if (!isStream) reply.header('content-length', Buffer.byteLength(payload))
    return done(null, Readable.from(respondThenDrain(isStream ? payload : [payload], request, reply)))
  })
}

/** Sends a response, then discards the rest of the request body. The handler may still be reading the body while its response is sent. */
async function* respondThenDrain(
  payload: Readable | [string | Buffer],
  request: FastifyRequest,
  reply: FastifyReply,
): AsyncGenerator<unknown> {
  yield* payload
  request.answeredAfterMs = reply.elapsedTime
  await drain(request.raw)
}

async function drain(request: IncomingMessage): Promise<void> {
  if (!isStillSending(request)) return
  const cut = (): unknown => request.destroy()
  const timer = startSuspendAwareTimer(drainLimits.ms, cut)
  let bytes = 0
  request.on('data', (part: Buffer) => {
    bytes += part.length
    if (bytes > drainLimits.bytes) cut()
  })
  // The code that reads uploaded files may have paused the stream.
  request.resume()
  await once(request, 'close').catch(() => {})
  timer.clear()
}

const isStillSending = (request: IncomingMessage): boolean => request.complete === false && !request.destroyed

const hasSmallBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) <= smallBodyBytes
