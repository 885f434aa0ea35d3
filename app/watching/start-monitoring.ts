import type { FastifyInstance } from 'fastify'
import own from '../../package.json' with { type: 'json' }
import { createProxyCheck } from '#kit/server/client-ip.ts'
import type { Clock } from '#kit/server/clock.ts'
import type { Config } from '#kit/server/config.ts'
import type { Database } from '#kit/server/db.ts'
import type { MonitoredClocks } from '../monitor-clocks.ts'
import type { OverloadFigures } from '#kit/server/overload/overload-protection.ts'
import type { Health } from '../health.ts'
import { findSchemaFault } from '../prepare-database.ts'
import type { Deps } from '../deps.ts'
import { createSweeps, type Work } from '../worker.ts'
import type { Metrics } from './metrics.ts'
import type { Tracing } from './tracing.ts'
import type { ProcessObserver } from './process-observer.ts'

export type Monitoring = {
  watches: readonly ProcessObserver[]
  /** Adds the observers to the server. Must be called before the server's routes are registered. */
  hookInto(app: FastifyInstance): void
  open(health: Health): Promise<number | null>
  close(): Promise<void>
}

type Options = {
  config: Config
  database: Database
  clock: Clock
  excess(): OverloadFigures
  tracing?: Tracing | null
}

export type MonitoredServices = { deps: Deps | null; work: Work | null; clocks: MonitoredClocks | null }

export const { version } = own

const getBuildLabels = ({ role, mode, market }: Config): Record<string, string> => ({
  version,
  node: process.version,
  role,
  mode,
  market: market.code,
})

export async function startMonitoring(options: Options, running: MonitoredServices): Promise<Monitoring> {
  const { config, tracing = null } = options
  const metricsSource = config.ops && (await setUpMetrics(options, running))
  const observers = [tracing, metricsSource?.metrics ?? null].filter((watch) => watch !== null)
  let ops: { port: number; close(): Promise<void> } | null = null
  return {
    watches: observers,
    hookInto(app) {
      const isTrustedProxy = createProxyCheck(config.trustedProxies)
      tracing?.trust(isTrustedProxy)
      tracing?.tellLog(app.log)
      for (const watch of observers) watch.requests(app)
    },
    async open(health) {
      const { deps } = running
      if (!config.ops || !metricsSource || !deps) return null
      const { listenForOps: hearOps } = await import('./listen-for-ops.ts')
      ops = await hearOps(config.ops, { health, metrics: metricsSource.metrics, log: deps.log })
      return ops.port
    },
    async close() {
      await ops?.close()
      await metricsSource?.stop()
      await tracing?.stop()
    },
  }
}

async function setUpMetrics(
  { config, database, clock, excess }: Options,
  running: MonitoredServices,
): Promise<{ metrics: Metrics; stop(): Promise<void> }> {
  const [{ createMetrics }, { createDatabaseFigures: databaseFigures }] = await Promise.all([
    import('./metrics.ts'),
    import('./database-figures.ts'),
  ])
  const { db } = database
  const figures = databaseFigures({
    db,
    clock,
    serves: async () => (await findSchemaFault(db)) === null,
    sweepsIn: (trx) => (running.deps ? createSweeps({ ...running.deps, db: trx }) : []),
  })
  const metrics = createMetrics({
    build: getBuildLabels(config),
    figures,
    pool: () => database.pool(),
    clocksAhead: () => running.clocks?.ahead() ?? {},
    excess,
    certificates: config.certificates,
    sinceTurn: () => (config.role === 'web' ? null : (running.work?.secondsSinceTurn() ?? 0)),
  })
  return { metrics, stop: () => figures.stop() }
}
