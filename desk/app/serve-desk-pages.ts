import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { HttpOptions } from '#kit/server/http.ts'
import { sendPage } from '#app/send-page.ts'
import type { Deps } from '#app/deps.ts'
import type { Renderer } from '#app/render/renderer.ts'
import type { DeskRoute } from '#desk/features/staff/server/staff.guard.ts'
import { resolveDeskRequestContext } from '#desk/features/staff/server/desk-request-context.ts'

const maxUrlLength = 2_000

export function serveDeskPages(
  app: FastifyInstance,
  http: HttpOptions,
  deps: Deps,
  { renderer, routes }: { renderer: Renderer; routes: DeskRoute[] },
): void {
  renderer.registerAssets(app)
  app.setNotFoundHandler(async (request, reply) => {
    if (request.url.startsWith('/api/')) return reply.status(404).send({ code: 'Not found.' })
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return reply.status(405).header('allow', 'GET, HEAD').send({ code: 'Not allowed.' })
    if (request.url.length > maxUrlLength) return reply.status(414).send({ code: 'This address is too long.' })
    if (isCrossSite(request)) return reply.type('text/html; charset=utf-8').send(reloadPageHtml)
    return sendPage(deps, request, reply, {
      renderer,
      routes,
      visitor: () => ({ visit: resolveDeskRequestContext(http, request, reply) }),
      failure: 'a page of the desk failed to render',
    })
  })
}

/**
 * The session cookie is `SameSite=Strict`, so browsers do not send it when someone follows a link from a different
 * site, such as a ticket system. The server then responds with a page that reloads itself. The reload comes from our
 * own site, so it does include the cookie.
 */
const isCrossSite = ({ headers }: FastifyRequest): boolean => headers['sec-fetch-site'] === 'cross-site'
const reloadPageHtml = '<!doctype html><meta http-equiv="refresh" content="0"><title>One moment</title>'
