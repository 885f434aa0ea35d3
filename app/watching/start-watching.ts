import type { FastifyInstance } from 'fastify'
import own from '../../package.json' with { type: 'json' }
import { trustOf } from '#kit/server/client-ip.ts'
import type { Clock } from '#kit/server/clock.ts'
import type { Config } from '#kit/server/config.ts'
import type { Database } from '#kit/server/db.ts'
import type { FollowedClocks } from '../follow-clocks.ts'
import type { ExcessFigures } from '#kit/server/overload/excess.ts'
import type { Health } from '../health.ts'
import { cannotServe } from '../prepare-database.ts'
import type { Deps } from '../deps.ts'
import { sweeps, type Work } from '../worker.ts'
import type { Metrics } from './metrics.ts'
import type { Tracing } from './tracing.ts'
import type { Watch } from './watch.ts'

export type Watching = {
  watches: readonly Watch[]
  /** Must be called before the server's routes are registered. */
  hookInto(app: FastifyInstance): void
  open(health: Health): Promise<number | null>
  close(): Promise<void>
}

type Options = {
  config: Config
  database: Database
  clock: Clock
  excess(): ExcessFigures
  tracing?: Tracing | null
}

export type Running = { deps: Deps | null; work: Work | null; clocks: FollowedClocks | null }

export const { version } = own

const buildOf = ({ role, mode, market }: Config): Record<string, string> => ({
  version,
  node: process.version,
  role,
  mode,
  market: market.code,
})

export async function startWatching(options: Options, running: Running): Promise<Watching> {
  const { config, tracing = null } = options
  const measured = config.ops && (await measure(options, running))
  const watches = [tracing, measured?.metrics ?? null].filter((watch) => watch !== null)
  let ops: { port: number; close(): Promise<void> } | null = null
  return {
    watches,
    hookInto(app) {
      const isProxy = trustOf(config.trustedProxies)
      tracing?.trust(isProxy)
      tracing?.tellLog(app.log)
      for (const watch of watches) watch.requests(app)
    },
    async open(health) {
      const { deps } = running
      if (!config.ops || !measured || !deps) return null
      const { hearOps } = await import('./hear-ops.ts')
      ops = await hearOps(config.ops, { health, metrics: measured.metrics, log: deps.log })
      return ops.port
    },
    async close() {
      await ops?.close()
      await measured?.stop()
      await tracing?.stop()
    },
  }
}

async function measure(
  { config, database, clock, excess }: Options,
  running: Running,
): Promise<{ metrics: Metrics; stop(): Promise<void> }> {
  const [{ createMetrics }, { databaseFigures }] = await Promise.all([
    import('./metrics.ts'),
    import('./database-figures.ts'),
  ])
  const { db } = database
  const figures = databaseFigures({
    db,
    clock,
    serves: async () => (await cannotServe(db)) === null,
    sweepsIn: (trx) => (running.deps ? sweeps({ ...running.deps, db: trx }) : []),
  })
  const metrics = createMetrics({
    build: buildOf(config),
    figures,
    pool: () => database.pool(),
    clocksAhead: () => running.clocks?.ahead() ?? {},
    excess,
    certificates: config.certificates,
    sinceTurn: () => (config.role === 'web' ? null : (running.work?.secondsSinceTurn() ?? 0)),
  })
  return { metrics, stop: () => figures.stop() }
}
