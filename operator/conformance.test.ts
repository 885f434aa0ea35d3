import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startGatewaySimulator } from '#simulators/gateway/server.ts'
import { runConformance } from '#quality/support/run-conformance.ts'
import { pollUntil } from '#quality/support/poll-until.ts'

const card = { number: '4111 1111 1111 1111', cvc: '737', expiry: '03/2030', holder: 'Aroha Ngata' }
const publicKey = `10001|${'ab'.repeat(256)}`
const gatewayFile = (change: object = {}, settings: object = {}) => ({
  settings: {
    CARD_URL: 'http://127.0.0.1:1',
    CARD_API_KEY: 'key',
    CARD_MERCHANT_ACCOUNT: 'Sandbox',
    CARD_PUBLIC_KEY: publicKey,
    ...settings,
  },
  shopper_email: 'conformance@example.nz',
  cards: { good: card, refused: card },
  step_seconds: 0.2,
  ...change,
})
const sim = { iccid: '8964010000000000011', msisdn: '+64210000001' }
const networkFile = (change: object = {}) => ({
  settings: { NETWORK_URL: 'http://127.0.0.1:1' },
  sim,
  wrong_sim: sim,
  plan: 'PLAN',
  addon: 'ADDON',
  ...change,
})

describe('errors in a conformance run’s configuration file', () => {
  test.each<[suite: string, file: unknown, line: string]>([
    ['gateway', '{', 'sandbox.json: line 1, column 2: is not JSON: '],
    ['gateway', gatewayFile({ cards: { good: card } }), 'sandbox.json: line 1: cards.refused: is missing.'],
    ['gateway', gatewayFile({ currency: 'USD' }), 'sandbox.json: line 1: currency: must be ("NZD" | "AUD").'],
    ['gateway', gatewayFile({ database: 'x' }), 'sandbox.json: line 1: database: is unknown.'],
    [
      'gateway',
      gatewayFile({ cards: { good: { ...card, expiry: '3/30' }, refused: card } }),
      'sandbox.json: line 1: cards.good.expiry: must be a month such as 03/2030.',
    ],
    ['gateway', gatewayFile({}, { CARD_API_KEY: '' }), 'sandbox.json: settings: CARD_API_KEY is missing.'],
    ['gateway', gatewayFile({}, { DATABASE_URL: 'x' }), 'sandbox.json: settings: DATABASE_URL is unknown.'],
    ['gateway', gatewayFile({ listen: { port: 1 } }), 'sandbox.json: settings: CARD_HMAC_KEY is missing.'],
    [
      'gateway',
      gatewayFile({}, { CARD_URL: 'http://pal-test.example.com' }),
      'sandbox.json: settings: CARD_URL must start with https://. Plain http is for an address of this machine only.',
    ],
    [
      'network',
      networkFile({ sim: { ...sim, iccid: '1' } }),
      'sandbox.json: line 1: sim.iccid: must have 18 to 20 digits.',
    ],
    ['network', networkFile({ mapping: 'none.json' }), 'mapping: cannot read none.json: '],
    [
      'network',
      networkFile({ settings: { NETWORK_URL: 'http://127.0.0.1:1', NETWORK_AUTH: 'basic', NETWORK_USER: 'a' } }),
      'sandbox.json: settings: NETWORK_PASSWORD is missing: NETWORK_AUTH is basic.',
    ],
    [
      'mail',
      { settings: { SMTP_URL: 'mail.example.nz' }, to: 'a', refused: 'b@c.nz' },
      'sandbox.json: line 1: to: must be an email address.',
    ],
    [
      'sms',
      { settings: {}, to: '021555', refused: '+64210000001' },
      'sandbox.json: line 1: to: must be a number with its country code',
    ],
  ])('an error in the %s suite’s settings file is reported in one line: case %#', async (suite, file, line) => {
    const { code, complaints, steps } = await runConformance(suite, file)
    expect(complaints).toEqual([expect.stringContaining(line)])
    expect(steps).toEqual([])
    expect(code).toBe(2)
  })

  test('errors in a conformance run’s mapping file are reported too', async () => {
    const beside = { 'network.json': { paths: { ordering: 'orders' } } }
    const { code, complaints } = await runConformance('network', networkFile({ mapping: 'network.json' }), { beside })
    expect(complaints).toEqual([expect.stringContaining('network.json: line 1: paths.ordering: must be a path')])
    expect(code).toBe(2)
  })
})

describe('protecting live systems from conformance runs', () => {
  const test1 = { CARD_URL: 'https://pal-test.adyen.com' }
  const settings = { ...test1, CARD_MERCHANT_ACCOUNT: 'Ours' }

  test.each<[what: string, settings: object, environment: Record<string, string>, line: string]>([
    [
      'the merchant account is the one that Fantail uses',
      settings,
      { CARD_MERCHANT_ACCOUNT: 'Ours' },
      'The file has the same CARD_MERCHANT_ACCOUNT that Fantail uses',
    ],
    [
      'the host is the one that Fantail uses',
      { CARD_URL: 'https://PAY.example.nz:443/x' },
      { CARD_URL: 'https://pay.example.nz' },
      'is on pay.example.nz, the host that Fantail uses',
    ],
    [
      'the host is a live system',
      { CARD_URL: 'https://a-pal-live.adyenpayments.com' },
      { CARD_URL: 'https://b.example.nz', CARD_MERCHANT_ACCOUNT: 'Other' },
      'is a live host, not a test host',
    ],
    ['Fantail’s own host is unknown', { CARD_URL: 'https://pay.example.nz' }, {}, 'it may be pay.example.nz'],
  ])('a conformance run needs --live when %s', async (_what, change, environment, line) => {
    const { code, complaints, steps } = await runConformance('gateway', gatewayFile({}, change), { environment })
    expect(complaints).toEqual([expect.stringContaining(line)])
    expect(complaints[0]).toContain('--live ')
    expect(steps).toEqual([])
    expect(code).toBe(1)
  })

  test('a conformance run is rejected if --live names a different host than the configuration file', async () => {
    const { code, complaints } = await runConformance('gateway', gatewayFile(), { args: ['--live', 'pay.example.nz'] })
    expect(complaints).toEqual(['--live names pay.example.nz, but the file names 127.0.0.1:1.'])
    expect(code).toBe(1)
  })

  test('a conformance run uses Fantail’s own gateway host only if --live names that host', async () => {
    const own = { CARD_URL: 'http://127.0.0.1:1' }
    const refused = await runConformance('gateway', gatewayFile(), { environment: own })
    expect(refused.steps).toEqual([])
    const { steps } = await runConformance('gateway', gatewayFile(), {
      environment: own,
      args: ['--live', '127.0.0.1:1'],
    })
    expect(steps.length).toBeGreaterThan(10)
  })

  test('the conformance code does not read environment variables', () => {
    const files = globSync('conformance/**/*.ts').filter((path) => !path.endsWith('.test.ts'))
    expect(files.length).toBeGreaterThan(30)
    expect(files.filter((path) => readFileSync(path, 'utf8').includes('process.env'))).toEqual([])
  })
})

test('a conformance run without a configuration file exits with status 2', async () => {
  const { code, complaints } = await runConformance('gateway', gatewayFile(), { args: ['--file', ''] })
  expect(complaints).toHaveLength(1)
  expect(code).toBe(2)
})

test('an interrupt stops a conformance run and reverses its payments', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const gateway = await startGatewaySimulator({
    port: 0,
    dataDir: folder,
    apiKey: 'key',
    merchantAccount: 'Sandbox',
    hmacKey: 'ab'.repeat(32),
  })
  onTestFinished(() => gateway.close())
  await fetch(`${gateway.url}/_simulator/failures`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    // The gateway has made the capture, but is still delaying its response when the interrupt arrives.
    body: JSON.stringify({ operation: 'capture', kind: 'slow', delay_ms: 2_000 }),
  })
  const settings = { CARD_URL: gateway.url, CARD_PUBLIC_KEY: gateway.publicKey }
  writeFileSync(join(folder, 'sandbox.json'), JSON.stringify(gatewayFile({ step_seconds: 30 }, settings)))
  const child = spawn(
    process.execPath,
    ['operator/main.ts', 'conformance', 'gateway', '--file', join(folder, 'sandbox.json')],
    {
      env: { PATH: process.env['PATH'] },
    },
  )
  onTestFinished(() => void child.kill('SIGKILL'))
  const ended = once(child, 'exit')
  const said = child.stdout.toArray()
  await pollUntil(async () => gateway.ledger().some(({ captured }) => captured > 0))
  child.kill('SIGINT')
  expect(await ended).toEqual([1, null])
  const text = (await said).join('')
  expect(text).toContain('The run was interrupted.')
  expect(text).toContain('Nothing was left behind.')
  const open = gateway
    .ledger()
    .filter((row) => row.authorised !== row.captured + row.cancelled || row.captured !== row.refunded)
  expect(open).toEqual([])
})
