import type { ServerOptions } from 'node:https'
import Fastify, { type FastifyInstance } from 'fastify'
import { endEarlyResponsesCleanly } from '#kit/server/early-responses.ts'
import { withTimeouts, bulkTimeouts } from '#kit/server/database-timeouts.ts'
import type { Deps } from '../deps.ts'
import { catalogueRoutes } from './catalogue.routes.ts'
import { auditRoutes } from './audit.routes.ts'
import { customerRoutes } from './customers.routes.ts'
import { errorRoutes } from './errors.routes.ts'
import { figureRoutes } from './figures.routes.ts'
import { lostOrderRoutes } from './lost-orders.routes.ts'
import { orderRoutes } from './orders.routes.ts'
import { portRoutes } from './ports.routes.ts'
import { disputeRoutes } from './disputes.routes.ts'
import { reconcileRoutes } from './reconcile.routes.ts'
import { refusedPaymentRoutes } from './refused-payments.routes.ts'
import { simRoutes } from './sims.routes.ts'
import { staffRoutes } from './staff.routes.ts'
import { taskRoutes } from './tasks.routes.ts'
import { voucherRoutes } from './vouchers.routes.ts'

const routeGroups = [
  customerRoutes,
  orderRoutes,
  portRoutes,
  disputeRoutes,
  reconcileRoutes,
  lostOrderRoutes,
  taskRoutes,
  catalogueRoutes,
  simRoutes,
  voucherRoutes,
  refusedPaymentRoutes,
  errorRoutes,
  figureRoutes,
  auditRoutes,
  staffRoutes,
]

const options = { logger: false, forceCloseConnections: true, bodyLimit: 64 * 1024 } as const

/** Creates the server for the operator's command-line tool. It has no authentication; the caller must add it. */
export function createOperatorServer(deps: Deps, tls?: Pick<ServerOptions, 'cert' | 'key'>): FastifyInstance {
  // The cast is safe: Fastify's HTTP and HTTPS servers have different types, but our routes do not depend on the difference.
  const app = tls
    ? (Fastify({ ...options, https: { ...tls, minVersion: 'TLSv1.2' } }) as unknown as FastifyInstance)
    : Fastify(options)
  // Operator commands get longer statement timeouts, because lists and reports may have to read whole tables.
  app.addHook('preHandler', (_request, _reply, done) => withTimeouts(bulkTimeouts, done))
  endEarlyResponsesCleanly(app)
  app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
    if (error.statusCode === 413) return reply.status(413).send({ why: 'The request is too large.' })
    if (error.statusCode && error.statusCode < 500)
      return reply.status(error.statusCode).send({ why: 'The request was not valid.' })
    deps.log.error({ err: error }, 'an operator command failed')
    return reply.status(500).send({ why: 'The command failed. See Fantail’s log.' })
  })
  app.setNotFoundHandler((_request, reply) =>
    reply.status(404).send({ why: 'This version of Fantail doesn’t support this command.' }),
  )
  app.addContentTypeParser('text/csv', (_request, body, done) => done(null, body))
  for (const routes of routeGroups) routes(app, deps)
  return app
}
