/* @module-tag slow */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createClock } from '#kit/server/clock.ts'
import { openDatabase } from '#kit/server/db.ts'
import { findFreePort } from '#kit/server/free-port.ts'
import { createTask } from '#features/operator-tasks/server/operator-tasks.store.ts'
import { commands } from '#operator/commands.ts'
import { startCollector, type Span } from '#quality/support/otlp-collector.ts'
import { type WizardVisitor, advanceWizardTo } from '#quality/support/activation-journey.ts'
import { parseScrape, parseSelectors, parseMetric } from '#quality/support/prometheus.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { useWorld } from '#quality/support/world.ts'
import { createSweeps } from '../worker.ts'
import { createDatabaseFigures } from './database-figures.ts'
import { createFigureGroup } from './figures.ts'
import { listenForOps } from './listen-for-ops.ts'

const collector = await startCollector()
afterAll(() => collector.close())
const world = useWorld({
  env: {
    OPS_PORT: '0',
    TRUSTED_PROXIES: '127.0.0.1,::1',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_SERVICE_NAME: 'fantail-test',
    OTEL_BSP_SCHEDULE_DELAY: '50',
  },
})
const ask = (path: string) => fetch(`http://127.0.0.1:${world().opsPort}${path}`)
const scrape = async () => (await ask('/metrics')).text()

let buyer: WizardVisitor
let waiting: WizardVisitor
let scraped: string
beforeAll(async () => {
  buyer = await advanceWizardTo(world(), 'PAYMENT')
  await buyer.pay()
  await buyer.arriveAt('SUCCESSFUL')
  waiting = await advanceWizardTo(world(), 'PAYMENT', { behaviour: 'fails_once' })
  await waiting.pay()
  await waiting.arriveAt('ERROR_CAN_RETRY')
  scraped = await scrape()
})

const customersOwn = async (): Promise<string[]> => {
  const { order_code: code } = await world()
    .db.selectFrom('orders')
    .select('order_code')
    .where('email', '=', buyer.email)
    .executeTakeFirstOrThrow()
  return [buyer.email, buyer.sim.msisdn, buyer.sim.iccid, code, 'Rewi', 'korimako']
}

const figuresOf = (db = world().db, clock = world().deps.clock) =>
  createDatabaseFigures({
    db,
    clock,
    serves: async () => true,
    sweepsIn: (trx) => createSweeps({ ...world().deps, db: trx }),
  })

describe('the operations port', () => {
  test('the operations port answers health and readiness checks, and the customers’ port has no metrics', async () => {
    expect([(await ask('/healthz')).status, (await ask('/readyz')).status]).toEqual([200, 200])
    expect(await (await ask('/readyz')).json()).toEqual({ status: 'ok' })
    expect((await ask('/orders')).status).toBe(404)
    const here = await fetch(`${world().url}/healthz`)
    expect([here.status, (await fetch(`${world().url}/metrics`)).status]).toEqual([200, 404])
  })

  test('the operations port rejects requests for a foreign host name, so that no other website can read it', async () => {
    const status = async (host: string): Promise<number> => {
      const asking = request({ host: '127.0.0.1', port: world().opsPort, path: '/metrics', headers: { host } }).end()
      const [{ statusCode }] = (await once(asking, 'response')) as [IncomingMessage]
      asking.destroy()
      return statusCode ?? 0
    }
    expect(await status('rebound.example:3100')).toBe(421)
    expect(await status('127.0.0.1:3100')).toBe(200)
    expect(await status('localhost:3100')).toBe(200)
  })

  test('an operations port that is already in use is reported in one line', async () => {
    const { log } = world().deps
    const health = { database: { db: world().db, hasFiles: () => true }, isWorking: null, isClosing: () => false }
    const metrics = { text: async () => ({ type: '', body: '' }) } as never
    await expect(
      listenForOps({ host: '127.0.0.1', port: world().opsPort ?? 0 }, { health, metrics, log }),
    ).rejects.toMatchObject({
      faults: [expect.stringMatching(/^OPS_PORT: cannot listen on 127\.0\.0\.1:\d+ \(EADDRINUSE\)\. /)],
    })
  })
})

describe('the metrics endpoint', () => {
  test('metrics count requests, jobs, upkeep tasks and calls to providers', () => {
    const pay = { method: 'POST', route: '/api/activate/pay/' }
    expect(parseMetric(scraped, 'fantail_http_requests_total', { ...pay, status: '2xx' })).toBe(2)
    expect(parseMetric(scraped, 'fantail_http_request_duration_seconds_count', pay)).toBe(2)
    expect(parseMetric(scraped, 'fantail_jobs_total', { queue: 'orders.advance', outcome: 'done' })).toBeGreaterThan(0)
    expect(parseMetric(scraped, 'fantail_upkeep_total', { task: 'orders.overdue', outcome: 'done' })).toBeGreaterThan(0)
    const authorise = { service: 'card_gateway', operation: 'authorise' }
    const outcome = { outcome: 'authorised', failed: 'false' }
    expect(parseMetric(scraped, 'fantail_provider_calls_total', { ...authorise, ...outcome })).toBe(2)
    expect(parseMetric(scraped, 'fantail_provider_call_duration_seconds_sum', authorise)).toBeGreaterThan(0)
    expect(parseMetric(scraped, 'fantail_build_info', { role: 'all', mode: 'demo', market: 'NZ' })).toBe(1)
    expect(parseMetric(scraped, 'fantail_database_up')).toBe(1)
    expect(parseMetric(scraped, 'fantail_schema_serves')).toBe(1)
    expect(parseMetric(scraped, 'process_resident_memory_bytes')).toBeGreaterThan(0)
  })

  test('metrics use route patterns and fixed labels, and contain nothing about customers', async () => {
    for (const secret of await customersOwn()) expect(scraped).not.toContain(secret)
    const { samples } = parseScrape(scraped)
    const routes = new Set(samples.map(({ labels }) => labels['route']).filter((route) => route !== undefined))
    expect(routes).toContain('/callbacks/network/:secret/')
    for (let count = 0; count < 5; count++) await fetch(`${world().url}/api/${randomBytes(8).toString('hex')}/`)
    const after = parseScrape(await scrape()).samples
    const unknown = after.filter(
      ({ name, labels }) => name === 'fantail_http_requests_total' && labels['route'] === 'unknown',
    )
    expect(unknown).toEqual([
      expect.objectContaining({ labels: expect.objectContaining({ status: '4xx' }), value: expect.any(Number) }),
    ])
    expect(after.length).toBeLessThan(1_500)
  })
})

describe('metrics that come from the database', () => {
  test('metrics from the database count open orders, open tasks and unused SIM packs', async () => {
    const { db } = world()
    await createTask(db, { kind: 'finding', subject: buyer.sim.iccid, reason: 'for this test' })
    const text = await figuresOf().text()
    expect(parseMetric(text, 'fantail_orders_open', { state: 'held' })).toBe(1)
    expect(parseMetric(text, 'fantail_orders_oldest_open_seconds', { state: 'held' })).toBeGreaterThan(0)
    expect(parseMetric(text, 'fantail_orders_open', { state: 'capturing' })).toBe(0)
    expect(parseMetric(text, 'fantail_tasks_open', { kind: 'finding' })).toBe(1)
    expect(parseMetric(text, 'fantail_catalogue_version')).toBe(1)
    const { unused } = await db
      .selectFrom('sim_packs')
      .select(({ fn }) => fn.countAll<string>().as('unused'))
      .where('order_id', 'is', null)
      .executeTakeFirstOrThrow()
    expect(parseMetric(text, 'fantail_sim_packs_unused', { state: 'for_sale' })).toBe(Number(unused))
    const sweepsTold = parseScrape(text).samples.filter(({ name }) => name === 'fantail_sweep_lag_seconds')
    expect(sweepsTold.map(({ labels }) => labels['sweep'])).toEqual(createSweeps(world().deps).map(({ name }) => name))
    for (const secret of await customersOwn()) expect(text).not.toContain(secret)
  })

  test('the metrics show by how much a background sweep is overdue', async () => {
    // The sweep removes an activation one day after its last step. A minute after that, the sweep is overdue.
    const later = createClock(world().deps.clock.offset() + (24 * 3_600 + 60) * 1_000)
    const text = await figuresOf(world().db, later).text()
    expect(parseMetric(text, 'fantail_sweep_lag_seconds', { sweep: 'orders.retry-window' })).toBeGreaterThan(0)
  })

  test('simultaneous callers share one query for each database metric, and a metric is left out if its query fails', async () => {
    let asked = 0
    const failures: unknown[] = []
    const source = {
      db: world().db,
      clock: world().deps.clock,
      onFailure: (error: unknown) => void failures.push(error),
    }
    const figure = (text: string) => ({ gauges: {}, ask: () => (asked++, sql.raw<Record<string, number>>(text)) })
    const good = createFigureGroup(source, { figures: [figure('select 1 as n')], everyMs: 60_000 })
    const answers = await Promise.all(Array.from({ length: 20 }, () => good.readings()))
    expect([asked, answers.every((readings) => readings?.[0]?.rows[0]?.['n'] === 1)]).toEqual([1, true])
    const bad = createFigureGroup(source, { figures: [figure('select 1 / 0 as n')], everyMs: 60_000 })
    expect([await bad.readings(), failures.length]).toEqual([null, 1])
  })

  test('while the database is unreachable, its metrics are left out and all other metrics are still served', async () => {
    const nowhere = await openDatabase({ url: `postgres://fantail@127.0.0.1:${await findFreePort()}/fantail` })
    const text = await figuresOf(nowhere.db).text()
    await nowhere.close()
    expect(parseMetric(text, 'fantail_database_up')).toBe(0)
    expect(parseMetric(text, 'fantail_database_figures_failed_total')).toBe(2)
    const names = new Set(parseScrape(text).samples.map(({ name }) => name))
    expect([...names]).toEqual(['fantail_database_up', 'fantail_database_figures_failed_total'])
  })
})

describe('the monitoring dashboard and the alerts', () => {
  const dashboard = JSON.parse(readFileSync('deploy/grafana/fantail.json', 'utf8')) as {
    panels: { title: string; targets?: { expr: string }[] }[]
  }
  const rules = readFileSync('deploy/prometheus/alerts.yml', 'utf8')
  const manual = readFileSync('docs/alerts.md', 'utf8')
  const alerts = [...rules.matchAll(/- alert: (\w+)\n +expr: '(.+)'\n(?: +.+\n)*? +runbook_url: (\S+)/g)]
  const expressions = [
    ...dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
    ...alerts.map(([, , expr = '']) => expr.replaceAll("''", "'")),
  ]

  test('the monitoring dashboard and the alerts use only metrics, labels and values that exist', () => {
    expect([alerts.length, expressions.length > 60]).toEqual([rules.split('- alert:').length - 1, true])
    const { names, samples } = parseScrape(scraped)
    const faults = expressions.flatMap((expression) =>
      parseSelectors(expression).flatMap(({ name, labels }) => {
        if (name === 'up') return []
        if (!names.has(name)) return [`${name} in ${expression}`]
        const ours = samples.filter((sample) => sample.name === name)
        return Object.entries(labels)
          .filter(([key]) => ours.length > 0 && !ours.some((sample) => key in sample.labels))
          .map(([key]) => `${key} of ${name} in ${expression}`)
      }),
    )
    expect(faults).toEqual([])
    const chosen = expressions
      .flatMap((expression) => parseSelectors(expression))
      .filter(({ name }) => /_open|unresolved|unused/.test(name))
    expect(chosen.length).toBeGreaterThan(5)
    for (const { name, labels } of chosen)
      expect([name, labels, parseMetric(scraped, name, labels)]).not.toContain(undefined)
  })

  test('each alert has a section in the alerts manual, and each section has an alert', () => {
    const sections = [...manual.matchAll(/^## (\w+)$/gm)].map(([, name = '']) => name)
    expect(sections).toEqual(alerts.map(([, name]) => name))
    expect(alerts.map(([, , , url]) => url)).toEqual(sections.map((name) => `docs/alerts.md#${name.toLowerCase()}`))
  })

  test('every operator command in the alerts manual exists', () => {
    const named = [...manual.matchAll(/`operator\s([^`]+)`/g)].map(([, words = '']) => words)
    expect(named.length).toBeGreaterThan(15)
    const known = commands.map(({ usage }) =>
      usage
        .split(' ')
        .filter((word) => /^[a-z-]+$/.test(word))
        .join(' '),
    )
    for (const words of named) {
      const begun = words.split(/\s+/).filter((word) => /^[a-z-]+$/.test(word) && !word.startsWith('--'))
      expect(known).toContain(known.find((usage) => begun.join(' ').startsWith(usage)) ?? words)
    }
  })
})

describe('traces of requests and jobs', () => {
  const spansOf = (traceId: string): Span[] => collector.spans().filter((span) => span.traceId === traceId)
  const named = (name: string): Span[] => collector.spans().filter((span) => span.name === name)

  test('a request’s trace continues its caller’s trace, and includes the request’s database statements', async () => {
    const [traceId, caller] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')]
    await fetch(`${world().url}/api/products/`, { headers: { traceparent: `00-${traceId}-${caller}-01` } })
    await pollUntil(async () => spansOf(traceId).length > 1)
    const request = spansOf(traceId).find(({ parentSpanId }) => parentSpanId === caller)
    expect(request?.name).toBe('GET /api/products/')
    const statement = spansOf(traceId).find(({ parentSpanId }) => parentSpanId === request?.spanId)
    expect(statement?.attributes.find(({ key }) => key === 'db.query.text')?.value.stringValue).toMatch(
      /^(select|update|insert)/,
    )
    expect([...collector.services()]).toEqual(['fantail-test'])
  })

  test('a gateway call belongs to its request’s trace, and a network call belongs to its job’s trace', async () => {
    await pollUntil(async () => named('mobile_network place').length > 0)
    const pay = named('POST /api/activate/pay/')[0]
    const call = named('card_gateway authorise')[0]
    expect([call?.traceId, call?.parentSpanId]).toEqual([pay?.traceId, pay?.spanId])
    const jobs = new Set(named('job orders.advance').map(({ spanId }) => spanId))
    expect(jobs).toContain(named('mobile_network place')[0]?.parentSpanId)
  })

  test('traces contain nothing about customers', async () => {
    const all = JSON.stringify(collector.spans())
    for (const secret of await customersOwn()) expect(all).not.toContain(secret)
  })
})
