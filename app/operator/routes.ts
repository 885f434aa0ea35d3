import Fastify, { type FastifyInstance } from 'fastify'
import type { Deps } from '../deps.ts'
import { catalogueRoutes } from './catalogue.routes.ts'
import { errorRoutes } from './errors.routes.ts'
import { orderRoutes } from './orders.routes.ts'
import { refusedPaymentRoutes } from './refused-payments.routes.ts'
import { taskRoutes } from './tasks.routes.ts'

/** Every subject that the operator's tool has commands for, a file each; each takes the customers' own use cases. */
const subjects = [orderRoutes, taskRoutes, catalogueRoutes, refusedPaymentRoutes, errorRoutes]

/** The operator's calls. Who may make them is settled where they are listened to. */
export function operatorRoutes(deps: Deps): FastifyInstance {
  const app = Fastify({ logger: false, forceCloseConnections: true, bodyLimit: 64 * 1024 })
  app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
    if (error.statusCode && error.statusCode < 500)
      return reply.status(error.statusCode).send({ why: 'That request was not understood.' })
    deps.log.error({ err: error }, 'a command of the operator failed')
    return reply.status(500).send({ why: 'That did not work. The product’s log says more.' })
  })
  for (const routes of subjects) routes(app, deps)
  return app
}
