import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyRequest {
    /** Milliseconds after the request's head at which its body had arrived, or was refused. */
    receivedAfterMs?: number
    /** Milliseconds after the request's head at which the whole answer was handed over, where something else delays its end. */
    answeredAfterMs?: number
  }
}

/** Measures when each request's body has arrived, for `responseMs`. */
export function measureResponseTimes(app: FastifyInstance): void {
  const received = (request: FastifyRequest, reply: FastifyReply): void => {
    request.receivedAfterMs ??= reply.elapsedTime
  }
  app.addHook('preValidation', (request, reply, done) => {
    received(request, reply)
    done()
  })
  // A body that is refused while it arrives never comes to validation.
  app.addHook('onError', (request, reply, _error, done) => {
    received(request, reply)
    done()
  })
}

/**
 * Milliseconds that the product took to answer. A client that sends its body slowly doesn't make them more: the time to receive
 * the body is left out, and so is the time to discard the rest of a refused one.
 */
export const responseMs = (request: FastifyRequest, reply: FastifyReply): number =>
  (request.answeredAfterMs ?? reply.elapsedTime) - (request.receivedAfterMs ?? 0)
