import { randomBytes } from 'node:crypto'
import { cpSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '#kit/server/config.ts'
import { listOpenTasksOfKind } from '#features/operator-tasks/server/operator-tasks.store.ts'
import { changePrice } from '#quality/support/changed-price.ts'
import { makeDatabase } from '#quality/support/database.ts'
import { createDataFolder } from '#quality/support/data-folder.ts'
import { fantailFolder } from '#quality/support/provider.ts'
import { newVisitor } from '#quality/support/visitor.ts'
import type { RunningProduct } from './product.ts'
import { start } from './start.ts'

describe('the application in production mode on PostgreSQL', () => {
  let product: RunningProduct
  let database: Awaited<ReturnType<typeof makeDatabase>>
  let port: number

  beforeAll(async () => {
    database = await makeDatabase(process.env['DATABASE_URL'] ?? '', { empty: true })
    port = await freePort()
    product = await startFrom(fantailFolder, port)
  })
  afterAll(async () => {
    await product?.close()
    await database?.drop()
  })

  const key = randomBytes(32).toString('hex')
  function startFrom(folder: string, at: number): Promise<RunningProduct> {
    const nowhere = 'http://127.0.0.1:9'
    const config = readConfig({
      MODE: 'production',
      HOST: '127.0.0.1',
      PORT: String(at),
      LOG_LEVEL: 'silent',
      DATABASE_URL: database.url,
      PROVIDER_DIR: folder,
      PUBLIC_URL: 'https://my.example.nz',
      SECRET_KEY: key,
      CARD_GATEWAY: 'adyen',
      CARD_URL: nowhere,
      CARD_API_KEY: 'key',
      CARD_MERCHANT_ACCOUNT: 'FantailNZ',
      CARD_HMAC_KEY: randomBytes(32).toString('hex'),
      CARD_PUBLIC_KEY: '10001|c0ffee',
      NETWORK_URL: nowhere,
      NETWORK_CALLBACK_SECRET: randomBytes(16).toString('hex'),
      SMTP_URL: 'smtp://127.0.0.1:9',
      MAIL_FROM: 'Fantail Mobile <hello@example.nz>',
      SMS_URL: nowhere,
      SMS_API_KEY: 'key',
      SMS_SENDER: 'Fantail',
    })
    return start(config, { pages: 'none' })
  }

  const visitor = () => newVisitor(`http://127.0.0.1:${port}`)

  test.each(['/demo/', '/demo/mailbox/', '/demo/api/fixtures/', '/demo/api/messages/', '/demo/api/ledgers/'])(
    'the product in production on PostgreSQL has no %s',
    async (path) => {
      expect((await visitor().get(path)).status).toBe(404)
    },
  )

  test('in production on PostgreSQL, the clock cannot be moved', async () => {
    const answer = await visitor().send('POST', '/demo/api/clock/', {
      body: '{"advance":"P1D"}',
      headers: { 'content-type': 'application/json' },
    })
    expect(answer.status).toBe(404)
    expect(Math.abs(product.deps.clock.offset())).toBe(0)
  })

  test('the production database has none of the demo’s tables', async () => {
    const tables = await product.deps.db.introspection.getTables()
    expect(tables.map(({ name }) => name)).toContain('orders')
    expect(tables.filter(({ name }) => name.startsWith('demo_'))).toEqual([])
  })

  test('in production, responses include Strict-Transport-Security, and the session cookie is limited to its host and HTTPS', async () => {
    const { headers } = await visitor().get('/api/account/')
    expect(headers.get('strict-transport-security')).toContain('max-age=31536000')
    expect(headers.getSetCookie()[0]).toMatch(
      /^__Host-fantail=\S+; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    )
  })

  test.each([
    ['an edited price', (folder: string) => changePrice(folder, 1)],
    ['a file that cannot be read', (folder: string) => writeFileSync(join(folder, 'plans.json'), '{')],
  ])(
    'a restart with %s in the provider’s folder keeps the catalogue that is on sale, and opens a task',
    async (_, spoil) => {
      const folder = join(createDataFolder('fantail-edited-'), 'provider')
      cpSync(fantailFolder, folder, { recursive: true })
      spoil(folder)
      const restartedPort = await freePort()
      const restarted = await startFrom(folder, restartedPort)
      try {
        const products = (await newVisitor(`http://127.0.0.1:${restartedPort}`).get('/api/products/')).body
        expect(products['plan-30-5gb']?.price).toBe('22.00')
        const [task] = await listOpenTasksOfKind(restarted.deps.db, 'folder')
        expect(task?.reason).toMatch(/^The catalogue folder differs from the catalogue on sale/)
      } finally {
        await restarted.close()
      }
    },
  )

  test('in production, the catalogue is on sale, and an unknown SIM cannot be activated', async () => {
    expect(Object.keys((await visitor().get('/api/products/')).body).length).toBeGreaterThan(20)
    const answer = await visitor().post('/api/activate/sim/', {
      msisdn: '021 505 0101',
      sim_serial: '1234',
      setup_porting: false,
    })
    expect(answer).toMatchObject({ status: 400, body: { __all__: [expect.any(String)] } })
  })
})

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address ? address.port : 0
}
