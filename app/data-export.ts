import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import type { HttpOptions } from '#kit/server/http.ts'
import { resolveRequestContext } from '#kit/server/resolve-request-context.ts'
import { dataPath, createDataFile } from '#features/privacy/server/own-data.ts'
import type { Deps } from './deps.ts'

/**
 * Streams all of a customer's data as a file. The URL is not under `/api/`, because every body under `/api/` is JSON. A
 * visitor without a valid ticket is redirected to the page that issues one.
 */
export function serveDataExport(app: FastifyInstance, http: HttpOptions, deps: Deps): void {
  app.get<{ Querystring: { ticket?: unknown } }>(dataPath, async (request, reply) => {
    const { ticket } = request.query
    const visit = await resolveRequestContext(http, request, reply)
    const file = typeof ticket === 'string' ? await createDataFile(deps, visit, ticket) : null
    if (!file) return reply.redirect('/account/privacy/', 302)
    return reply
      .type(file.type)
      .header('cache-control', 'no-store')
      .header('content-disposition', `attachment; filename="${file.name}"`)
      .send(Readable.from(file.content))
  })
}
