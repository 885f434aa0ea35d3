import type { FastifyInstance } from 'fastify'
import type { Clock } from '#kit/server/clock.ts'
import type { Config } from '#kit/server/config.ts'
import { type DatabaseOutageLog, createDatabaseOutageLog } from '#kit/server/database-unavailable.ts'
import type { Database } from '#kit/server/db.ts'
import { createDemoHostCheck } from '#kit/server/host.ts'
import { createHttpApp, type HttpOptions } from '#kit/server/http.ts'
import { createOverloadProtection, type OverloadProtection } from '#kit/server/overload/overload-protection.ts'
import type { Secrets } from '#kit/server/secrets.ts'
import { buildCookieValue } from '#kit/server/session.ts'
import { assignConnectionQuotas } from '#kit/server/assign-connection-quotas.ts'
import { findVisitor } from '#features/auth/server/visitor.store.ts'
import type { Deps } from './deps.ts'
import { renderUnavailable, renderBusyPage } from './unavailable-page.ts'
import type { ServedPortal } from './serve.ts'
import type { Tracing } from './watching/tracing.ts'

type Options = Pick<ServedPortal, 'pages' | 'provider'> & {
  config: Config & { publicUrl: string }
  database: Database
  clock: Clock
  tracing?: Tracing | null
}

export async function openServer(
  options: Options,
  secrets: Secrets,
): Promise<{
  app: FastifyInstance
  http: HttpOptions
  away: DatabaseOutageLog
  excess: OverloadProtection
  rememberBuyer: Deps['rememberBuyer']
}> {
  const http = httpOptions(options, secrets)
  const overloadProtection = createOverloadProtection(http)
  Object.assign(http, { excess: overloadProtection, known: overloadProtection.known })
  const app = await createHttpApp(http)
  assignConnectionQuotas(app, http)
  const away = createDatabaseOutageLog(options.database.db, app.log)
  http.noteOutage = away.note
  http.pageWhileAway = renderUnavailable(options.provider.brand.name)
  http.pageWhileBusy = renderBusyPage(options.provider.brand.name)
  return {
    app,
    http,
    away,
    excess: overloadProtection,
    rememberBuyer: (session) => overloadProtection.known.note(buildCookieValue(secrets, session), true),
  }
}

const httpOptions = ({ config, database: { db }, clock, pages, tracing }: Options, secrets: Secrets): HttpOptions => ({
  db,
  clock,
  secrets,
  publicUrl: config.publicUrl,
  secureCookies: config.publicUrl.startsWith('https://'),
  trustedProxies: config.trustedProxies,
  tellsOfProxies: config.mode === 'production',
  ...(config.mode === 'demo' && {
    answersTo: createDemoHostCheck({ publicUrl: config.publicUrl, listensAt: config.host }),
  }),
  logLevel: config.logLevel,
  development: pages === 'dev',
  ...(tracing && { logFields: tracing.logFields, traceIdOf: tracing.traceIdOf }),
  findSession: findVisitor,
})
