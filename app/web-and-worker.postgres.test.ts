import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findFreePort } from '#kit/server/free-port.ts'
import { parseScrape, parseMetric } from '#quality/support/prometheus.ts'
import { type WizardVisitor, advanceWizardTo } from '#quality/support/activation-journey.ts'
import { type KillTestWorld, startKillTestWorld } from '#quality/support/kill-test-world.ts'
import type { ProductProcess } from '#quality/support/product-process.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { newVisitor } from '#quality/support/visitor.ts'

let world: KillTestWorld
let worker: ProductProcess
let ops: { web: number; worker: number }
beforeAll(async () => {
  const SECRET_KEY = randomBytes(32).toString('hex')
  ops = { web: await findFreePort(), worker: await findFreePort() }
  world = await startKillTestWorld({ env: { ROLE: 'web', SECRET_KEY, OPS_PORT: String(ops.web) } })
  const own = { DATA_DIR: `${world.dataDir}-worker`, OPS_PORT: String(ops.worker) }
  worker = await world.anotherProduct({ ROLE: 'worker', SECRET_KEY, ...own })
})
afterAll(() => world?.close())

const statusOf = async (product: ProductProcess, path: string): Promise<number> =>
  (await newVisitor(product.url).get(path)).status

describe('separate web and worker processes', () => {
  let ana: WizardVisitor

  test('without a worker, a web process accepts a payment but does not complete the order', async () => {
    expect([await statusOf(world.product, '/healthz'), await statusOf(world.product, '/readyz')]).toEqual([200, 200])
    ana = await advanceWizardTo(world, 'PAYMENT')
    expect((await ana.pay()).status).toBe(200)
    expect(await ana.look()).toMatchObject({ state: 'ACTIVATING' })
    expect(world.ledgers().network).toEqual([])
  })

  test('a web process and a worker complete an order together', async () => {
    await worker.start()
    expect((await ana.arriveAt('SUCCESSFUL')).state).toBe('SUCCESSFUL')
    expect(await pollUntil(async () => (await world.mailTo(ana.email))[0])).toMatchObject({ to: ana.email })
  })

  test('the worker serves no customers, but answers health checks', async () => {
    for (const path of ['/', '/api/account/', '/api/products/', '/callbacks/card/', '/demo/api/fixtures/'])
      expect([path, await statusOf(worker, path)]).toEqual([path, 404])
    expect(await statusOf(worker, '/healthz')).toBe(200)
    await pollUntil(async () => (await statusOf(worker, '/readyz')) === 200)
  })

  test('the web process and the worker each report their own metrics, and both report the database’s metrics', async () => {
    const [web, working] = await Promise.all(
      [ops.web, ops.worker].map(async (port) => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()),
    )
    const names = (text = '') => new Set(parseScrape(text).samples.map(({ name }) => name))
    for (const name of ['fantail_jobs_total', 'fantail_upkeep_total', 'fantail_worker_last_turn_age_seconds'])
      expect([name, names(web).has(name), names(working).has(name)]).toEqual([name, false, true])
    const pay = { method: 'POST', route: '/api/activate/pay/' }
    const paid = [web, working].map((text = '') => parseMetric(text, 'fantail_http_requests_total', pay))
    expect(paid).toEqual([1, undefined])
    for (const text of [web, working]) expect(parseMetric(text ?? '', 'fantail_catalogue_version')).toBe(1)
    expect((await fetch(`http://127.0.0.1:${ops.worker}/readyz`)).status).toBe(200)
  })

  test('the web process is ready whether or not a worker is running', async () => {
    await worker.stop()
    expect(await statusOf(world.product, '/readyz')).toBe(200)
    expect([...worker.complaints(), ...world.product.complaints()]).toEqual([])
  })
})
