import type { FastifyInstance } from 'fastify'

/**
 * Answers calls to this machine by its own names only: a page of another site may have its name lead here, and none
 * of this is its business.
 */
export function answerLoopbackOnly(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    const { host = '' } = request.headers
    if (!/^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i.test(host))
      return reply.code(421).send({ error: 'A simulator answers to localhost and 127.0.0.1 only.' })
  })
}
