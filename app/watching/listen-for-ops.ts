import Fastify from 'fastify'
import type { OpsConfig } from '#kit/server/config/ops.ts'
import { getRequestHost, isLoopbackHost } from '#kit/server/host.ts'
import { listen } from '#kit/server/listen.ts'
import type { Log } from '#kit/server/log.ts'
import { type Health, serveHealth } from '../health.ts'
import type { Metrics } from './metrics.ts'

/**
 * Serves health checks and metrics on a separate port, which customers cannot reach. Requests to this port are not
 * logged. If the port is open on this machine only, a request's Host header must name this machine. Otherwise a web
 * page could read the port through DNS rebinding.
 * @throws ConfigError if the port cannot be opened
 */
export async function listenForOps(
  { host, port }: OpsConfig,
  { health, metrics, log }: { health: Health; metrics: Metrics; log: Log },
): Promise<{ port: number; close(): Promise<void> }> {
  const app = Fastify({ logger: false, forceCloseConnections: true, bodyLimit: 1_024 })
  if (isLoopbackHost(host))
    app.addHook('onRequest', async ({ raw }, reply) => {
      if (!isLoopbackHost(getRequestHost(raw)))
        return reply.status(421).send({ why: 'Use localhost or one of this machine’s addresses.' })
    })
  serveHealth(app, health)
  app.get('/metrics', async (_request, reply) => {
    const { type, body } = await metrics.text()
    return reply.type(type).send(body)
  })
  app.setNotFoundHandler((_request, reply) =>
    reply.status(404).send({ why: 'This port serves /healthz, /readyz and /metrics.' }),
  )
  app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
    if (error.statusCode && error.statusCode < 500)
      return reply.status(error.statusCode).send({ why: 'The request was not valid.' })
    log.error({ err: error }, 'a monitoring request failed')
    return reply.status(500).send({ why: 'The request failed. See Fantail’s log.' })
  })
  const settings = { host: 'OPS_HOST', port: 'OPS_PORT' }
  return { port: await listen(app, { host, port, settings }), close: () => app.close() }
}
