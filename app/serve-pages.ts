import type { FastifyInstance } from 'fastify'
import type { HttpOptions } from '#kit/server/http.ts'
import { resolveRequestContext, getSessionCookie } from '#kit/server/resolve-request-context.ts'
import type { Route } from '#kit/server/route.ts'
import { getTokenHash } from '#kit/server/session.ts'
import { createNoticeCache } from '#features/notices/server/cached-notices.ts'
import { sendPage } from './send-page.ts'
import type { Deps } from './deps.ts'
import { renderNotices } from './render/notices.ts'
import type { Renderer } from './render/renderer.ts'

/**
 * Maximum length of a page's URL in characters. A redirect to the login percent-encodes the URL, which can triple its
 * length, and clients still accept a header that long.
 */
const maxUrlLength = 4_000

export function servePages(
  app: FastifyInstance,
  http: HttpOptions,
  deps: Deps,
  { renderer, routes }: { renderer: Renderer; routes: Route[] },
): void {
  renderer.registerAssets(app)
  const currentNotices = createNoticeCache(deps)
  app.setNotFoundHandler(async (request, reply) => {
    const path = request.url.split('?')[0] ?? '/'
    if (path.startsWith('/api/') || path.startsWith('/demo/api/') || path.startsWith('/callbacks/')) {
      return reply.status(404).send({ code: 'Not found.' })
    }
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return reply.status(405).header('allow', 'GET, HEAD').send({ code: 'Not allowed.' })
    if (request.url.length > maxUrlLength) return reply.status(414).send({ code: 'This address is too long.' })
    return sendPage(deps, request, reply, {
      renderer,
      routes,
      visitor: () => {
        const cookie = getSessionCookie(http, request)
        // The page's data can be read before the visitor has been looked up, but only if this session was signed in recently.
        const tokenHash = http.known?.has(cookie) ? getTokenHash(http.secrets, cookie) : null
        return { visit: resolveRequestContext(http, request, reply), tokenHash }
      },
      failure: 'a page failed to render',
      notices: async () => renderNotices(await currentNotices()),
    })
  })
}
