import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { startSuspendAwareTimer } from './suspend-aware-timer.ts'

/** Request bodies up to this size usually arrive with their headers: Node discards the unread rest, and the connection stays open. */
const smallBodyBytes = 16 * 1024
/** Maximum size of an unwanted request body that is discarded, and maximum time for that, before the connection is cut. */
const drainLimits = { bytes: 64 * 1024 * 1024, ms: 10_000 }

/**
 * Handles responses that are sent before the request's body has arrived, such as "too large" or "not signed in". A server that closes its
 * connection with unread bytes resets it, and a browser that is still sending then shows no response. A server that keeps the connection
 * open waits for the rest of the body for as long as a request may take. So the response is sent at once, the rest of the body is discarded
 * within bounds, and then the connection ends.
 */
export function endEarlyResponsesCleanly(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (!isStillSending(request.raw) || (isSmall(request.raw) && reply.getHeader('connection') !== 'close'))
      return done(null, payload)
    reply.header('connection', 'close')
    const isStream = payload instanceof Readable
    if (!isStream && typeof payload !== 'string' && !Buffer.isBuffer(payload)) return done(null, payload)
    // The header `content-length` tells the client that the response is complete, though the connection is still open.
    if (!isStream) reply.header('content-length', Buffer.byteLength(payload))
    return done(null, Readable.from(respondThenDrain(isStream ? payload : [payload], request, reply)))
  })
}

/** Sends a response, then discards the rest of the request's body. The handler may still read the body while its response is sent. */
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
  // The code that reads an uploaded file may have paused the stream.
  request.resume()
  await once(request, 'close').catch(() => {})
  timer.clear()
}

const isStillSending = (request: IncomingMessage): boolean => request.complete === false && !request.destroyed

const isSmall = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) <= smallBodyBytes
