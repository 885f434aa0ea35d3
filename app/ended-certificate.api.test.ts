/* @module-tag slow */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createClock } from '#kit/server/clock.ts'
import { readConfig } from '#kit/server/config.ts'
import { type Database, openDatabase } from '#kit/server/db.ts'
import { findFreePort } from '#kit/server/free-port.ts'
import { migrate } from '#kit/server/migrate.ts'
import { applyCatalogueAtStartup } from '#features/plans/server/catalogue.ts'
import { createServer } from '#simulators/access/server.ts'
import { certificateFile, certificates } from '#quality/support/certificates.ts'
import { productionSettings } from '#quality/support/production-settings.ts'
import { fantailProvider, fantailFolder } from '#quality/support/provider.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { type RunningProduct, startProduct } from './product.ts'

const dir = mkdtempSync(join(tmpdir(), 'ended-certificate-'))
const network = createServer({ ...certificates.server, clientCa: certificates.clientCa })
let networkCalls = 0
let database: Database
let product: RunningProduct

beforeAll(async () => {
  network.addHook('onRequest', async () => void networkCalls++)
  const networkUrl = await network.listen({ port: 0, host: '127.0.0.1' })
  database = await openDatabase({ folder: null })
  await migrate(database, join(import.meta.dirname, '../db/migrations'))
  const clock = createClock()
  await applyCatalogueAtStartup({ db: database.db, clock }, fantailProvider.catalogue)
  const port = await findFreePort()
  const {
    secretKey,
    card,
    network: carrier,
    ...config
  } = readConfig({
    ...productionSettings,
    HOST: '127.0.0.1',
    PORT: String(port),
    DATA_DIR: dir,
    PROVIDER_DIR: fantailFolder,
    LOG_LEVEL: 'silent',
    NETWORK_URL: networkUrl,
    NETWORK_TLS_CERT: certificateFile('ended-client.crt'),
    NETWORK_TLS_KEY: certificateFile('ended-client.key'),
    NETWORK_TLS_CA: certificateFile('localhost.crt'),
  })
  if (!secretKey || !card || !carrier) throw new Error('the configuration is not whole')
  product = await startProduct({
    config: { ...config, port, publicUrl: `http://127.0.0.1:${port}`, secretKey, card, network: carrier },
    database,
    clock,
    mail: { sender: { send: async () => 'sent' }, from: 'hello@my.example.nz' },
    sms: { send: async () => 'sent' },
    provider: fantailProvider,
    pages: 'none',
    readCatalogue: () => fantailProvider.catalogue,
    thresholds: { noteMs: 50 },
  })
})
afterAll(async () => {
  await product?.close()
  await database?.close()
  await network.close()
  rmSync(dir, { recursive: true, force: true })
})

test('an expired client certificate stops only requests to its provider; the application still starts and serves visitors', async () => {
  expect((await fetch(`${product.url}/api/products/`)).status).toBe(200)
  expect((await fetch(`${product.url}/readyz`)).status).toBe(200)
  await product.deps.networkUsage.balances('+64215550142').catch(() => {})
  const outage = database.db.selectFrom('outages').select('why').where('service', '=', 'usage')
  expect((await pollUntil(() => outage.executeTakeFirst())).why).toContain('our client certificate ended on 2026-01-01')
  expect(networkCalls).toBe(0)
})
