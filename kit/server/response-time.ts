import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyRequest {
    receivedAfterMs?: number
    /** Milliseconds from the request's headers until the whole response was handed over, if something else delays its end. */
    answeredAfterMs?: number
  }
}

export function measureResponseTimes(app: FastifyInstance): void {
  const recordArrival = (request: FastifyRequest, reply: FastifyReply): void => {
    request.receivedAfterMs ??= reply.elapsedTime
  }
  app.addHook('preValidation', (request, reply, done) => {
    recordArrival(request, reply)
    done()
  })
  // A body that is rejected while it arrives never reaches validation, so its arrival is recorded here.
  app.addHook('onError', (request, reply, _error, done) => {
    recordArrival(request, reply)
    done()
  })
}

/**
 * Returns the milliseconds that the product took to respond. The time to receive the body is left out, because a slow client must not make
 * it longer. The time to discard the rest of a rejected body is left out, too.
 */
export const responseMs = (request: FastifyRequest, reply: FastifyReply): number =>
  (request.answeredAfterMs ?? reply.elapsedTime) - (request.receivedAfterMs ?? 0)
