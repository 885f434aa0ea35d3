import { cpSync, rmSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { loadOrCreatePrivateKey } from '#simulators/gateway/keys.ts'
import { type GatewaySimulator, startGatewaySimulator } from '#simulators/gateway/server.ts'
import { findFreePort, runConformance, type ConformanceOptions } from '#quality/support/run-conformance.ts'
import { type Deviation, startDeviatingProxy } from '#quality/support/deviating-proxy.ts'
import { createDataFolder } from '#quality/support/data-folder.ts'

const hmacKey = 'ab'.repeat(32)
const card = { number: '4111 1111 1111 1111', cvc: '737', expiry: '03/2030', holder: 'Aroha Ngata' }

let dataDir: string
let gateway: GatewaySimulator
let port: number

// Creating an encryption key takes longer than running the suite, so all tests share one key.
const withKey = createDataFolder('conformance-key-')
beforeAll(() => void loadOrCreatePrivateKey(withKey))
afterAll(() => rmSync(withKey, { recursive: true, force: true }))

beforeEach(async () => {
  dataDir = createDataFolder('conformance-gateway-')
  cpSync(withKey, dataDir, { recursive: true })
  port = await findFreePort()
  gateway = await startGatewaySimulator({
    port: 0,
    dataDir,
    apiKey: 'key',
    merchantAccount: 'Sandbox',
    hmacKey,
    webhookUrl: `http://127.0.0.1:${port}/`,
    webhookRetryDelaysMs: [10, 20, 40, 80, 200],
  })
})
afterEach(async () => {
  await gateway.close()
  rmSync(dataDir, { recursive: true, force: true })
})

const fileFor = (url = gateway.url) => ({
  settings: {
    CARD_URL: url,
    CARD_API_KEY: 'key',
    CARD_MERCHANT_ACCOUNT: 'Sandbox',
    CARD_PUBLIC_KEY: gateway.publicKey,
    CARD_HMAC_KEY: hmacKey,
  },
  shopper_email: 'conformance@example.nz',
  cards: { good: card, refused: { ...card, holder: 'DECLINED' } },
  listen: { port, seconds: 10 },
})

const run = (file: object = fileFor(), more: ConformanceOptions = {}) => runConformance('gateway', file, more)

const open = () =>
  gateway
    .ledger()
    .filter(
      ({ authorised, captured, refunded, cancelled }) => authorised - captured !== cancelled || captured !== refunded,
    )

test('the gateway simulator passes every conformance step, and the run leaves no test payments or cards behind', async () => {
  const { code, steps, end } = await run()
  expect(steps.filter(({ verdict }) => verdict !== 'passed')).toEqual([])
  expect(steps.length).toBeGreaterThan(15)
  expect(end).toMatchObject({ differs: 0, skipped: 0, left: [], interrupted: false })
  expect(code).toBe(0)
  expect(open()).toEqual([])
  expect(
    gateway.ledger().every(({ reference, authorised }) => reference.startsWith('CONF-') && authorised <= 100),
  ).toBe(true)
  const cards = await fetch(`${gateway.url}/_simulator/cards`)
  expect(await cards.json()).toEqual([])
})

test('a gateway conformance run without a webhook endpoint skips the webhook steps', async () => {
  const { listen: _, ...file } = fileFor()
  const { code, steps } = await run(file)
  expect(code).toBe(0)
  expect(steps.filter(({ verdict }) => verdict === 'skipped').map(({ step }) => step)).toEqual(
    expect.arrayContaining(['webhook-signature', 'webhook-capture']),
  )
  expect(open()).toEqual([])
})

const isAuthorise = ({ path }: { path: string }) => path.endsWith('/authorise')
let seen: Set<string>

const deviations: [what: string, steps: string[], deviation: () => Deviation][] = [
  [
    'accepts every API key',
    ['wrong-key'],
    () => ({ call: (call) => ({ ...call, headers: { ...call.headers, 'x-api-key': 'key' } }) }),
  ],
  [
    'ignores the Idempotency-Key',
    ['repeat', 'duplicates', 'capture'],
    () => ({ call: ({ headers: { 'idempotency-key': _, ...headers }, ...call }) => ({ ...call, headers }) }),
  ],
  [
    'rejects a duplicate request',
    ['duplicates'],
    () => ({
      call(call) {
        const key = call.headers['idempotency-key'] ?? ''
        const times = [...seen].filter((each) => each.startsWith(`${key} `)).length
        seen.add(`${key} ${times}`)
        const isThird = isAuthorise(call) && times === 2
        return isThird ? { status: 422, headers: {}, body: { errorCode: '705', message: 'Duplicate' } } : call
      },
    }),
  ],
  ['returns no paymentMethod', ['card-details'], () => without('paymentMethod')],
  ['returns no expiryDate', ['card-details'], () => without('expiryDate')],
  ['returns no recurringDetailReference', ['store-card'], () => without('recurring.recurringDetailReference')],
  [
    'reports a refusal as a fault of its own',
    ['refused'],
    () => ({
      answer: (_call, answer) =>
        (answer.body as { resultCode?: string }).resultCode === 'Refused'
          ? { status: 500, headers: {}, body: { errorCode: '701', message: 'Server could not process request' } }
          : answer,
    }),
  ],
  [
    'has no technicalCancel',
    ['technical-cancel'],
    () => ({
      call: (call) =>
        call.path.endsWith('/technicalCancel')
          ? { status: 422, headers: {}, body: { errorCode: '010', message: 'Not allowed' } }
          : call,
    }),
  ],
  [
    'never deletes a card',
    ['disable'],
    () => ({
      call: (call) =>
        call.path.endsWith('/disable')
          ? { status: 200, headers: {}, body: { response: '[detail-successfully-disabled]' } }
          : call,
    }),
  ],
]

function without(name: string): Deviation {
  return {
    answer(_call, answer) {
      const { additionalData = {}, ...body } = answer.body as { additionalData?: Record<string, string> }
      const { [name]: _, ...left } = additionalData
      return { ...answer, body: { ...body, additionalData: left } }
    },
  }
}

test.each(deviations)(
  'a gateway that %s fails exactly these conformance steps: %j',
  async (_what, steps, deviation) => {
    seen = new Set()
    const deviant = await startDeviatingProxy(gateway.url, deviation())
    const { code, differs, steps: all } = await run(fileFor(deviant.url))
    await deviant.close()
    expect(differs).toEqual(steps)
    expect(all.filter(({ verdict }) => verdict === 'differs').every(({ matters }) => matters !== null)).toBe(true)
    expect(code).toBe(1)
  },
)

test('if a gateway’s refunds fail later, the webhook-refund step fails and the payment is listed as not reversed', async () => {
  await fetch(`${gateway.url}/_simulator/failures`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ operation: 'refund', kind: 'refuse', times: 4 }),
  })
  const { code, differs, end } = await run()
  expect(differs).toEqual(['webhook-refund'])
  expect(end?.left).toEqual([
    { what: expect.stringMatching(/captured under CONF-/), why: expect.stringMatching(/but failed later/) },
  ])
  expect(code).toBe(1)
})

test('a gateway that signs with the wrong key fails the webhook-signature step', async () => {
  const file = fileFor()
  const { differs } = await run({
    ...file,
    settings: { ...file.settings, CARD_HMAC_KEY: 'cd'.repeat(32) },
    listen: { port, seconds: 0.5 },
  })
  expect(differs).toEqual(['webhook-signature'])
})

test('a gateway that sends no webhooks about captures fails the webhook-capture step', async () => {
  const own = await findFreePort()
  const deviant = await startDeviatingProxy(`http://127.0.0.1:${own}`, {
    call: (call) =>
      JSON.stringify(call.body).includes('"CAPTURE"') ? { status: 200, headers: {}, body: '[accepted]' } : call,
  })
  gateway.setWebhookUrl(deviant.url)
  const { differs } = await run({ ...fileFor(), listen: { port: own, seconds: 1.5 } })
  await deviant.close()
  expect(differs).toEqual(['webhook-capture'])
})
