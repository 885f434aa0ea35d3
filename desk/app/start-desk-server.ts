import type { FastifyInstance } from 'fastify'
import type { DeskConfig } from '#kit/server/config/desk.ts'
import { findFreePort } from '#kit/server/free-port.ts'
import { createDemoHostCheck } from '#kit/server/host.ts'
import { createHttpApp, type HttpOptions } from '#kit/server/http.ts'
import { listen } from '#kit/server/listen.ts'
import { serveRoutes } from '#kit/server/serve-routes.ts'
import type { Deps } from '#app/deps.ts'
import { findSchemaFault } from '#app/prepare-database.ts'
import type { Provider } from '#app/provider/read-provider.ts'
import { version } from '#app/watching/start-monitoring.ts'
import { createSweeps } from '#app/worker.ts'
import { isUploadRoute } from '#desk/features/staff/server/file-routes.ts'
import { resolveDeskRequestContext, setDeskCookies } from '#desk/features/staff/server/desk-request-context.ts'
import { deskRoutes } from './desk-routes.ts'
import { createDeskRenderer } from './render.ts'
import { serveDeskPages } from './serve-desk-pages.ts'

type Options = Pick<HttpOptions, 'logLevel' | 'trustedProxies' | 'noteOutage'> & {
  desk: DeskConfig
  provider: Provider
  isDemo: boolean
  hasPages: boolean
}

const uploadTimeoutMs = 300_000

/** Streams an uploaded CSV file to its route. A body with any other content type is discarded. */
function acceptCsvUploads(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('text/csv', (_request, body, done) => done(null, body))
  scope.addContentTypeParser('*', (_request, body, done) => {
    body.resume()
    done(null)
  })
}

export async function deskAddress(desk: DeskConfig): Promise<DeskConfig & { url: string }> {
  const port = desk.port === 0 ? await findFreePort(desk.host) : desk.port
  return { ...desk, port, url: desk.url ?? `http://localhost:${port}` }
}

/**
 * Starts the desk's server on its own port and origin. The portal's server has no desk routes.
 * @throws ConfigError if the port is not available
 */
export async function startDeskServer(
  deps: Deps,
  { desk, provider, isDemo, hasPages, ...http }: Options & { desk: { url: string } },
): Promise<{ close(): Promise<void> }> {
  const { url: publicUrl } = desk
  const options: HttpOptions = {
    ...http,
    db: deps.db,
    clock: deps.clock,
    secrets: deps.secrets,
    publicUrl,
    secureCookies: publicUrl.startsWith('https://'),
    ...(isDemo && { answersTo: createDemoHostCheck({ publicUrl, listensAt: desk.host }) }),
    // The request timeout is long, because a file of SIM packs may arrive over a slow connection and is stored as it arrives.
    requestMs: uploadTimeoutMs,
    permissions: ['publickey-credentials-get=(self)'],
    findSession: async () => undefined,
  }
  const app = await createHttpApp(options)
  const runtimeStatus = { version, sweeps: () => createSweeps(deps), fault: () => findSchemaFault(deps.db) }
  const routes = deskRoutes({ ...deps, running: runtimeStatus, deskUrl: publicUrl, isDemo })
  const routeOptions: Parameters<typeof serveRoutes>[3] = {
    visit: resolveDeskRequestContext,
    goOnAs: (http, { session }, _request, reply) => setDeskCookies(http, session.token, reply),
  }
  serveRoutes(
    app,
    options,
    routes.filter((route) => !isUploadRoute(route)),
    routeOptions,
  )
  await app.register(async (scope) => {
    acceptCsvUploads(scope)
    serveRoutes(scope, { ...options, answerMs: uploadTimeoutMs }, routes.filter(isUploadRoute), routeOptions)
  })
  if (hasPages) {
    const renderer = await createDeskRenderer({ brand: provider.brand, look: provider.look })
    serveDeskPages(app, options, deps, { renderer, routes })
  }
  await listen(app, { ...desk, settings: { host: 'DESK_HOST', port: 'DESK_PORT' } })
  return { close: () => app.close() }
}
