import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import type { HttpOptions } from '#kit/server/http.ts'
import { resolveVisit } from '#kit/server/resolve-visit.ts'
import { dataPath, fileFor } from '#features/privacy/server/own-data.ts'
import type { Deps } from './deps.ts'

/**
 * All that is kept of a customer, as a file: outside of `/api/`, where every body is JSON, and in pieces as it is read. Whoever
 * comes without a ticket of theirs is sent to the page that gives one.
 */
export function serveOwnData(app: FastifyInstance, http: HttpOptions, deps: Deps): void {
  app.get<{ Querystring: { ticket?: unknown } }>(dataPath, async (request, reply) => {
    const { ticket } = request.query
    const visit = await resolveVisit(http, request, reply)
    const file = typeof ticket === 'string' ? await fileFor(deps, visit, ticket) : null
    if (!file) return reply.redirect('/account/privacy/', 302)
    return reply
      .type(file.type)
      .header('cache-control', 'no-store')
      .header('content-disposition', `attachment; filename="${file.name}"`)
      .send(Readable.from(file.content))
  })
}
