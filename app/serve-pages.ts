import type { FastifyInstance } from 'fastify'
import { toldNow } from '#kit/server/clock.ts'
import { pagePolicy } from '#kit/server/headers.ts'
import type { HttpOptions } from '#kit/server/http.ts'
import { inProcessApi } from '#kit/server/in-process-api.ts'
import { resolveVisit } from '#kit/server/resolve-visit.ts'
import type { Route } from '#kit/server/route.ts'
import type { Deps } from './deps.ts'
import { compressPage } from './render/compress.ts'
import type { Renderer } from './render/renderer.ts'

/** In a redirect to log in it becomes three times as long at most: still a header that everybody takes. */
const longestUrl = 4_000

/** Every path that is neither API nor static is a page, rendered with the data that this visitor may see. */
export function servePages(
  app: FastifyInstance,
  http: HttpOptions,
  deps: Deps,
  { renderer, routes }: { renderer: Renderer; routes: Route[] },
): void {
  renderer.registerAssets(app)
  app.setNotFoundHandler(async (request, reply) => {
    const path = request.url.split('?')[0] ?? '/'
    if (path.startsWith('/api/') || path.startsWith('/demo/api/') || path.startsWith('/callbacks/')) {
      return reply.status(404).send({ code: 'Not found.' })
    }
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return reply.status(405).header('allow', 'GET, HEAD').send({ code: 'Not allowed.' })
    if (request.url.length > longestUrl) return reply.status(414).send({ code: 'This address is too long.' })
    const visit = await resolveVisit(http, request, reply)
    const page = await renderer.render({
      url: request.url,
      api: inProcessApi(deps.db, routes, visit),
      bootstrap: { ...deps.bootstrap, serverTime: toldNow(deps.clock).toString({ fractionalSecondDigits: 3 }) },
      onError(error) {
        request.log.error({ err: error }, 'a page failed to render')
        deps.passOnError(error, { kind: 'page', request_id: request.id })
      },
    })
    if (page.status === 302) return reply.redirect(page.location, 302)
    if (page.style) reply.header('content-security-policy', pagePolicy(page.style))
    const { body, coding } = await compressPage(page.html, request.headers['accept-encoding'])
    if (coding) reply.header('content-encoding', coding)
    return reply.status(page.status).header('vary', 'accept-encoding').type('text/html; charset=utf-8').send(body)
  })
}
