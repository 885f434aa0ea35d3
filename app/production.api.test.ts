import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createClock } from '#kit/server/clock.ts'
import { type Config, readConfig } from '#kit/server/config.ts'
import { type Database, openDatabase } from '#kit/server/db.ts'
import { migrate } from '#kit/server/migrate.ts'
import { findFreePort } from '#kit/server/free-port.ts'
import { fantailProvider, fantailFolder } from '#quality/support/provider.ts'
import { sendRawRequest } from '#quality/support/raw-http.ts'
import { type ProductOptions, type RunningProduct, startProduct } from './product.ts'

let database: Database
let product: RunningProduct
let here: string

beforeAll(async () => {
  const config = productionConfig(await findFreePort())
  // Production requires PostgreSQL, but nothing in these tests depends on it, so they use the embedded database.
  database = await openDatabase({ folder: null })
  await migrate(database, join(import.meta.dirname, '../db/migrations'))
  product = await startProduct({
    config,
    database,
    clock: createClock(),
    mail: { sender: { send: async () => 'sent' }, from: 'hello@my.example.nz' },
    sms: { send: async () => 'sent' },
    provider: { ...fantailProvider, securityContact: 'mailto:security@fantail.example' },
    pages: 'none',
    readCatalogue: () => fantailProvider.catalogue,
  })
  here = `http://127.0.0.1:${config.port}`
})
afterAll(async () => {
  await product?.close()
  await database?.close()
})

function productionConfig(port: number): ProductOptions['config'] {
  const unreachable = 'http://127.0.0.1:1'
  const config: Config = readConfig({
    MODE: 'production',
    PORT: String(port),
    HOST: '127.0.0.1',
    PUBLIC_URL: 'https://my.example.nz',
    DATABASE_URL: 'postgres://unused.example/',
    PROVIDER_DIR: fantailFolder,
    SECRET_KEY: randomBytes(32).toString('hex'),
    LOG_LEVEL: 'silent',
    CARD_GATEWAY: 'adyen',
    CARD_URL: unreachable,
    CARD_API_KEY: 'key',
    CARD_MERCHANT_ACCOUNT: 'Fantail',
    CARD_HMAC_KEY: randomBytes(32).toString('hex'),
    CARD_PUBLIC_KEY: '10001|00',
    NETWORK_URL: unreachable,
    NETWORK_CALLBACK_SECRET: randomBytes(16).toString('hex'),
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'hello@my.example.nz',
    SMS_URL: unreachable,
    SMS_API_KEY: 'key',
    SMS_SENDER: 'Fantail',
  })
  const { secretKey, card, network, publicUrl } = config
  if (!secretKey || !card || !network || !publicUrl) throw new Error('the configuration is not whole')
  return { ...config, port, publicUrl, secretKey, card, network }
}

describe('the application in production mode', () => {
  test.each([
    '/demo/',
    '/demo/mailbox/',
    '/demo/guide/guide.js',
    '/demo/api/fixtures/',
    '/demo/api/messages/',
    '/demo/api/ledgers/',
    '/demo/api/clock/',
  ])('%s does not exist in production', async (path) => {
    expect(await sendRawRequest(here, { path })).toMatchObject({ status: 404 })
  })

  test('security.txt in production names the provider’s security contact', async () => {
    const { status, body } = await sendRawRequest(here, {
      path: '/.well-known/security.txt',
      headers: { host: 'evil.example' },
    })
    expect({ status, lines: body.split('\n') }).toEqual({
      status: 200,
      lines: [
        'Contact: mailto:security@fantail.example',
        expect.stringMatching(/^Expires: \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
        'Preferred-Languages: en',
        'Canonical: https://my.example.nz/.well-known/security.txt',
        '',
      ],
    })
    // RFC 9116 requires an expiry date in the future, and recommends one less than a year away.
    const days = (Date.parse(body.split('Expires: ')[1]?.split('\n')[0] ?? '') - Date.now()) / 86_400_000
    expect(days).toBeGreaterThan(90)
    expect(days).toBeLessThan(365)
  })

  test('the clock cannot be moved in production', async () => {
    const headers = { 'content-type': 'application/json' }
    expect(
      await sendRawRequest(here, { method: 'POST', path: '/demo/api/clock/', headers, body: '{"advance":"P1D"}' }),
    ).toMatchObject({ status: 404 })
  })

  test('in production, cookies are restricted to this host and to HTTPS', async () => {
    const { headers } = await fetch(`${here}/api/account/`)
    for (const cookie of headers.getSetCookie()) expect(cookie).toContain('; Secure')
    expect(headers.getSetCookie()[0]).toMatch(/^__Host-fantail=.*; HttpOnly/)
    expect(headers.get('strict-transport-security')).toContain('max-age=')
  })

  test('in production, changes are accepted only from the portal’s own origin', async () => {
    const look = await fetch(`${here}/api/account/`)
    const cookies = Object.fromEntries(look.headers.getSetCookie().map((line) => line.split(';')[0]?.split('=') ?? []))
    const cookie = Object.entries(cookies)
      .map(([name, value]) => `${name}=${value}`)
      .join('; ')
    const headers = { cookie, 'x-csrftoken': String(cookies['csrftoken']), 'content-type': 'application/json' }
    const from = (origin: string) =>
      sendRawRequest(here, { method: 'POST', path: '/api/activate/plan/', headers: { ...headers, origin }, body: '{}' })
    expect((await from('https://my.example.nz')).status).toBe(400)
    expect((await from('https://evil.example')).status).toBe(403)
    // Without TLS, anyone on the network path can forge this origin.
    expect((await from('http://my.example.nz')).status).toBe(403)
    expect((await from(here)).status).toBe(403)
  })

  test.each(['10.0.0.7:3000', 'health.internal', 'evil.example'])(
    'a request for the host name %s is not rejected, and its response does not contain that name',
    async (host) => {
      for (const path of ['/api/account/', '/api/products/', '/nowhere/']) {
        const { status, body } = await sendRawRequest(here, { path, headers: { host, 'x-forwarded-host': host } })
        expect(status).toBeLessThan(500)
        expect(status).not.toBe(421)
        expect(body).not.toContain(host)
      }
    },
  )
})
