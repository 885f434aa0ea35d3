import type { FastifyInstance } from 'fastify'

/**
 * Accepts only requests whose Host header names this machine. Without this check, another site's page could use DNS rebinding to call the
 * simulator.
 */
export function acceptLoopbackOnly(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    const { host = '' } = request.headers
    if (!/^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i.test(host))
      return reply.code(421).send({ error: 'A simulator answers to localhost and 127.0.0.1 only.' })
  })
}
