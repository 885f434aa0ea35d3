import type { FastifyInstance } from 'fastify'
import type { Clock } from '#kit/server/clock.ts'
import type { Config } from '#kit/server/config.ts'
import { type AwayLog, createAwayLog } from '#kit/server/database-away.ts'
import type { Database } from '#kit/server/db.ts'
import { demoHosts } from '#kit/server/host.ts'
import { createHttp, type HttpOptions } from '#kit/server/http.ts'
import { createExcess, type Excess } from '#kit/server/overload/excess.ts'
import type { Secrets } from '#kit/server/secrets.ts'
import { cookieOf } from '#kit/server/session.ts'
import { shareFairly } from '#kit/server/share-fairly.ts'
import { findVisitor } from '#features/auth/server/visitor.store.ts'
import type { Deps } from './deps.ts'
import { pageWhileAway, pageWhileBusy } from './page-while-away.ts'
import type { Served } from './serve.ts'
import type { Tracing } from './watching/tracing.ts'

type Options = Pick<Served, 'pages' | 'provider'> & {
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
  away: AwayLog
  excess: Excess
  rememberBuyer: Deps['rememberBuyer']
}> {
  const http = httpOptions(options, secrets)
  const excess = createExcess(http)
  Object.assign(http, { excess, known: excess.known })
  const app = await createHttp(http)
  shareFairly(app, http)
  const away = createAwayLog(options.database.db, app.log)
  http.isAway = away.note
  http.pageWhileAway = pageWhileAway(options.provider.brand.name)
  http.pageWhileBusy = pageWhileBusy(options.provider.brand.name)
  return { app, http, away, excess, rememberBuyer: (session) => excess.known.note(cookieOf(secrets, session), true) }
}

const httpOptions = ({ config, database: { db }, clock, pages, tracing }: Options, secrets: Secrets): HttpOptions => ({
  db,
  clock,
  secrets,
  publicUrl: config.publicUrl,
  secureCookies: config.publicUrl.startsWith('https://'),
  trustedProxies: config.trustedProxies,
  tellsOfProxies: config.mode === 'production',
  ...(config.mode === 'demo' && { answersTo: demoHosts({ publicUrl: config.publicUrl, listensAt: config.host }) }),
  logLevel: config.logLevel,
  development: pages === 'dev',
  ...(tracing && { logFields: tracing.logFields, traceIdOf: tracing.traceIdOf }),
  findSession: findVisitor,
})
