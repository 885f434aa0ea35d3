import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyRequest {
    receivedAfterMs?: number
    /**
     * Milliseconds from the request's headers until the whole response was handed over. Set only if something delays the end of the
     * request.
     */
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
  // A body that is rejected while still arriving never reaches validation, so its arrival is recorded here.
  app.addHook('onError', (request, reply, _error, done) => {
    recordArrival(request, reply)
    done()
  })
}

/**
 * Returns how many milliseconds the server took to respond. The time to receive the body is excluded, because a slow client must not
 * inflate the figure, and so is the time to discard the rest of a rejected body.
 */
export const responseMs = (request: FastifyRequest, reply: FastifyReply): number =>
  (request.answeredAfterMs ?? reply.elapsedTime) - (request.receivedAfterMs ?? 0)
