import type { FastifyReply, FastifyRequest } from 'fastify'
import { withResponseTimeout } from '#kit/server/response-timeout.ts'
import { toDate, browserNow } from '#kit/server/clock.ts'
import { buildPagePolicy } from '#kit/server/headers.ts'
import { createInProcessApi, type PageVisitor } from '#kit/server/in-process-api.ts'
import { HttpError } from '#kit/server/http-error.ts'
import type { Route } from '#kit/server/route.ts'
import { getZoneClock } from '#kit/server/zone-clock.ts'
import type { Deps } from './deps.ts'
import { compressPage } from './render/compress.ts'
import { withCsrfToken } from './render/document.ts'
import type { PageNotices } from './render/notices.ts'
import type { Renderer } from './render/renderer.ts'

type PageOptions = {
  renderer: Renderer
  routes: Route[]
  visitor(): PageVisitor
  failure: string
  /** Reads the notices for the page. The returned promise must never reject. */
  notices?(): Promise<PageNotices | null>
}

export async function sendPage(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  { renderer, routes, visitor: lookUp, failure, notices }: PageOptions,
): Promise<FastifyReply> {
  const reportFailure = (error: unknown): void => {
    if (deps.noteOutage(error)) return
    request.log.error({ err: error }, failure)
    deps.passOnError(error, { kind: 'page', request_id: request.id })
  }
  /**
   * Reports an error in a page. If looking up the visitor also fails, the whole request fails and its handler reports
   * the error instead.
   */
  async function reportError(visit: Promise<unknown>, error: unknown): Promise<void> {
    const [{ status }] = await Promise.allSettled([visit])
    if (status === 'fulfilled') reportFailure(error)
  }
  const render = async () => {
    const visitor = lookUp()
    const now = browserNow(deps.clock)
    const renderPromise = renderer.render({
      url: request.url,
      api: createInProcessApi(deps.db, routes, visitor),
      bootstrap: {
        ...deps.bootstrap,
        serverTime: toDate(now).toISOString(),
        zoneClock: getZoneClock(now, deps.market.zone),
      },
      visitor: visitor.visit,
      onError: (error) => void reportError(visitor.visit, error),
      notices: notices?.(),
    })
    const [visit, page] = await Promise.all([visitor.visit, renderPromise])
    return page.status === 302 ? page : { ...page, ...withCsrfToken(page, visit.session.csrfToken) }
  }
  const page = await withResponseTimeout(render, {
    failed: (error) => error instanceof HttpError || reportFailure(error),
  })
  if (page.status === 302) return reply.redirect(page.location, 302)
  if (page.style) reply.header('content-security-policy', buildPagePolicy(page.style))
  const { body, coding } = await compressPage(page, request.headers['accept-encoding'])
  if (coding) reply.header('content-encoding', coding)
  return reply.status(page.status).header('vary', 'accept-encoding').type('text/html; charset=utf-8').send(body)
}
