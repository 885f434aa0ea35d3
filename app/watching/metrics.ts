import { performance as perf } from 'node:perf_hooks'
import type { FastifyRequest } from 'fastify'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { CertificateExpiry } from '#kit/server/config/certificates.ts'
import type { OverloadFigures } from '#kit/server/overload/overload-protection.ts'
import { responseMs } from '#kit/server/response-time.ts'
import { daysLeft } from '../certificate-log.ts'
import { createOverloadMetrics } from './overload-metrics.ts'
import type { DatabaseFigures } from './database-figures.ts'
import type { ProcessObserver } from './process-observer.ts'

export type MetricsOptions = {
  build: Record<string, string>
  figures: DatabaseFigures
  pool(): { total: number; idle: number; waiting: number } | null
  clocksAhead(): Record<string, number | null>
  excess(): OverloadFigures
  certificates: readonly CertificateExpiry[]
  /** Seconds since the worker last checked for work. `null` if other processes do the worker's tasks. */
  sinceTurn(): number | null
}

export type Metrics = ProcessObserver & {
  text(): Promise<{ type: string; body: string }>
}

const requestBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const providerRequestBuckets = [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const taskDurationBuckets = [0.01, 0.1, 1, 10, 60]

export function createMetrics(options: MetricsOptions): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  registerProcessMetrics(registry, options)
  const registryOptions = { registers: [registry] }
  const requests = new Counter({
    ...registryOptions,
    name: 'fantail_http_requests_total',
    help: 'Answered requests, by route pattern',
    labelNames: ['method', 'route', 'status'],
  })
  const requestSeconds = new Histogram({
    ...registryOptions,
    name: 'fantail_http_request_duration_seconds',
    help: 'Time from the arrival of a request’s body to the end of the response',
    labelNames: ['method', 'route'],
    buckets: requestBuckets,
  })
  const calls = new Counter({
    ...registryOptions,
    name: 'fantail_provider_calls_total',
    help: 'Requests to external services, by outcome; “failed” means there was no definite response',
    labelNames: ['service', 'operation', 'outcome', 'failed'],
  })
  const providerRequestSeconds = new Histogram({
    ...registryOptions,
    name: 'fantail_provider_call_duration_seconds',
    help: 'Duration of requests to external services',
    labelNames: ['service', 'operation'],
    buckets: providerRequestBuckets,
  })

  return {
    requests(app) {
      app.addHook('onResponse', async (request, reply) => {
        /*
         * Requests rejected under overload have their own counter, because turning away a flood does not mean that
         * customers' requests fail.
         */
        if (request.isExcess) return
        const where = {
          method: getMethodLabel(request),
          route: getRouteLabel(request, reply.getHeader('content-type')),
        }
        requests.inc({ ...where, status: `${Math.floor(reply.statusCode / 100)}xx` })
        requestSeconds.observe(where, responseMs(request, reply) / 1_000)
      })
    },
    around: createTaskMetrics(registry),
    hear({ service, operation, outcome, isFailure, ms }) {
      calls.inc({ service, operation, outcome, failed: String(isFailure) })
      providerRequestSeconds.observe({ service, operation }, ms / 1_000)
    },
    async text() {
      const [own, database] = await Promise.all([registry.metrics(), options.figures.text()])
      return { type: registry.contentType, body: `${own}\n${database}` }
    },
  }
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
const getMethodLabel = ({ method }: FastifyRequest): string => (methods.includes(method) ? method : 'other')

/**
 * Returns a route's pattern for use as a metric label. Actual paths contain codes, so there is no limit to how many
 * there are. Pages have no route on the server.
 */
const getRouteLabel = ({ routeOptions }: FastifyRequest, type: unknown): string =>
  routeOptions.url ?? (String(type).startsWith('text/html') ? 'page' : 'unknown')

const { eventLoopUtilization } = perf

function createTaskMetrics(registry: Registry): ProcessObserver['around'] {
  const registerOptions = { registers: [registry] }
  const jobs = new Counter({
    ...registerOptions,
    name: 'fantail_jobs_total',
    help: 'Job attempts that this process has finished',
    labelNames: ['queue', 'outcome'],
  })
  const jobSeconds = new Histogram({
    ...registerOptions,
    name: 'fantail_job_duration_seconds',
    help: 'Duration of a job attempt',
    labelNames: ['queue'],
    buckets: providerRequestBuckets,
  })
  const turns = new Counter({
    ...registerOptions,
    name: 'fantail_upkeep_total',
    help: 'Upkeep and sweep runs that this process has finished',
    labelNames: ['task', 'outcome'],
  })
  const upkeepSeconds = new Histogram({
    ...registerOptions,
    name: 'fantail_upkeep_duration_seconds',
    help: 'Duration of an upkeep or sweep run',
    labelNames: ['task'],
    buckets: taskDurationBuckets,
  })
  return async ({ kind, name }, run) => {
    const startedAt = performance.now()
    let outcome = 'failed'
    try {
      await run()
      outcome = 'done'
    } finally {
      const seconds = (performance.now() - startedAt) / 1_000
      if (kind === 'job') {
        jobs.inc({ queue: name, outcome })
        jobSeconds.observe({ queue: name }, seconds)
      } else {
        turns.inc({ task: name, outcome })
        upkeepSeconds.observe({ task: name }, seconds)
      }
    }
  }
}

function registerProcessMetrics(
  registry: Registry,
  { build, pool, excess, clocksAhead, certificates, sinceTurn }: MetricsOptions,
): void {
  registry.registerMetric(createBuildInfoGauge(build))
  registry.registerMetric(createEventLoopGauge())
  registry.registerMetric(createPoolGauge(pool))
  registry.registerMetric(createClockOffsetGauge(clocksAhead))
  registry.registerMetric(createCertificateGauge(certificates))
  for (const metric of createOverloadMetrics(excess)) registry.registerMetric(metric)
  if (sinceTurn() !== null) registry.registerMetric(createLastRunGauge(sinceTurn))
}

function createBuildInfoGauge(build: Record<string, string>): Gauge {
  const gauge = new Gauge({
    registers: [],
    name: 'fantail_build_info',
    help: 'Version of the running process; always 1',
    labelNames: Object.keys(build),
  })
  gauge.set(build, 1)
  return gauge
}

function createEventLoopGauge(): Gauge {
  let seen = eventLoopUtilization()
  return new Gauge({
    registers: [],
    name: 'fantail_event_loop_utilization',
    help: 'Share of the time since the last scrape in which the process was busy',
    collect() {
      const now = eventLoopUtilization()
      this.set(eventLoopUtilization(now, seen).utilization)
      seen = now
    },
  })
}

const createPoolGauge = (pool: MetricsOptions['pool']): Gauge =>
  new Gauge({
    registers: [],
    name: 'fantail_database_connections',
    help: 'This process’s database connections, by state; “waiting” counts work that still needs a connection',
    labelNames: ['state'],
    collect() {
      for (const [state, count] of Object.entries(pool() ?? {})) this.set({ state }, count)
    },
  })

const createClockOffsetGauge = (clocksAhead: MetricsOptions['clocksAhead']): Gauge =>
  new Gauge({
    registers: [],
    name: 'fantail_clock_ahead_seconds',
    help: 'How far this host’s clock is ahead of another clock; negative when it is behind',
    labelNames: ['of'],
    collect() {
      for (const [of, seconds] of Object.entries(clocksAhead())) if (seconds !== null) this.set({ of }, seconds)
    },
  })

const createCertificateGauge = (certificates: readonly CertificateExpiry[]): Gauge =>
  new Gauge({
    registers: [],
    name: 'fantail_certificate_days_left',
    help: 'Days until a setting’s certificates expire; negative once they have expired',
    labelNames: ['setting'],
    collect() {
      for (const certificate of certificates) this.set({ setting: certificate.setting }, daysLeft(certificate))
    },
  })

const createLastRunGauge = (sinceTurn: MetricsOptions['sinceTurn']): Gauge =>
  new Gauge({
    registers: [],
    name: 'fantail_worker_last_turn_age_seconds',
    help: 'Time since the last upkeep or sweep run finished',
    collect() {
      this.set(sinceTurn() ?? 0)
    },
  })
