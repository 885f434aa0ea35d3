import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { RequestListener, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pipeline, Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, test } from 'vitest'
import type { GatewayClockReading } from './adyen-client.ts'
import { createCardGateway } from './adyen.ts'
import type { CardGateway, CardPayment } from './card.port.ts'

const account = { apiKey: 'key', merchantAccount: 'FantailNZ', timeoutMs: 30_000 }
let server: Server | undefined

async function gatewayThat(answers: RequestListener): Promise<CardGateway> {
  server = createServer(answers)
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve))
  return createCardGateway({ ...account, baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` })
}

const hangUp = async () => {
  server?.closeAllConnections()
  await new Promise((resolve) => (server ? server.close(resolve) : resolve(null)))
  server = undefined
}

afterEach(hangUp)

const payment: CardPayment = {
  reference: 'F1-1',
  idempotencyKey: 'K',
  amount: 3990,
  currency: 'NZD',
  shopperReference: 'customer-1',
  shopperEmail: 'aroha@example.nz',
  shopperIp: '127.0.0.1',
  card: { encrypted: 'adyenjs' },
  store: true,
}

const modification = { originalReference: 'PSP', reference: 'REF', idempotencyKey: 'K' }

describe('gateway responses that do not reveal the outcome', () => {
  test('a payment or cancellation without a connection to the gateway has an unknown outcome', async () => {
    const gone = await gatewayThat(() => {})
    await hangUp()
    expect(await gone.authorise(payment)).toEqual({ outcome: 'unknown', why: 'ECONNREFUSED' })
    expect(await gone.cancel(modification)).toEqual({ outcome: 'unknown', why: 'ECONNREFUSED' })
  })

  const json = (body: unknown) => JSON.stringify(body)
  test.each([
    ['an HTML page', 200, '<html>', {}],
    ['an empty body', 200, '', {}],
    ['unexpected JSON', 200, json([]), {}],
    ['a result without a reference', 200, json({ resultCode: 'Authorised', response: '[cancel-received]' }), {}],
    ['unknown result codes', 200, json({ pspReference: 'PSP', resultCode: 'Marinating', response: 'marinating' }), {}],
    ['a redirect', 302, '', { location: 'http://127.0.0.1:1/' }],
    ['a rate limit', 429, json({ errorCode: '000', message: 'Slow down' }), {}],
    ['a transient error', 422, json({ errorCode: '907', message: 'Later' }), { 'transient-error': 'true' }],
    [
      'a duplicate error with HTTP 422',
      422,
      json({ errorCode: '704', message: 'request already processed or in progress' }),
      {},
    ],
    ['an error that is not in the vendor’s format', 400, 'Bad Request', {}],
    ['HTTP 503', 503, 'Service Unavailable', {}],
  ])(
    'a payment, cancellation or refund has an unknown outcome if the gateway responds with %s',
    async (_what, status, body, headers) => {
      const odd = await gatewayThat((_request, response) => response.writeHead(status, headers).end(body))
      expect(await odd.authorise(payment)).toMatchObject({ outcome: 'unknown' })
      expect(await odd.cancel(modification)).toMatchObject({ outcome: 'unknown' })
      expect(await odd.refund({ ...modification, amount: 3990, currency: 'NZD' })).toMatchObject({ outcome: 'unknown' })
    },
  )
})

test('accepts a payment that the gateway routed over eftpos without returning the card’s first digits', async () => {
  const body = readFileSync(join(import.meta.dirname, 'sample-files', 'authorise-eftpos.json'))
  const gateway = await gatewayThat((_request, response) => response.writeHead(200).end(body))
  expect(await gateway.authorise(payment)).toEqual({
    outcome: 'authorised',
    pspReference: '8835511210681324',
    card: {
      type: null,
      network: { name: 'eftpos_australia', isKnown: true },
      lastFour: '1111',
      expiry: '03/2030',
      holderName: null,
      storedId: null,
    },
  })
})

describe('endless responses from the gateway', () => {
  const endless =
    (piece: Buffer, headers: Record<string, string> = {}): RequestListener =>
    (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', ...headers })
      const flow = new Readable({ read: () => void flow.push(piece) })
      pipeline(flow, response, () => {})
    }

  test.each([
    ['plain', endless(Buffer.alloc(100_000, ' '))],
    ['compressed', endless(gzipSync(Buffer.alloc(1_000_000, ' ')), { 'content-encoding': 'gzip' })],
  ])(
    'an endless response from the gateway is abandoned at the size limit and leaves the outcome unknown: %s',
    async (_what, answers) => {
      const gateway = await gatewayThat(answers)
      expect(await gateway.authorise(payment)).toEqual({ outcome: 'unknown', why: 'an answer that is too long' })
    },
  )
})

test.each([
  [401, '000', 'HTTP Status Response - Unauthorized'],
  [403, '010', 'Not allowed'],
  [403, '901', 'Invalid Merchant Account'],
])(
  'a rejected credential (%d, %s) leaves the outcome unknown, because an earlier attempt may have succeeded',
  async (status, code, message) => {
    const closed = await gatewayThat((_request, response) =>
      response.writeHead(status).end(JSON.stringify({ status, errorCode: code, message, errorType: 'security' })),
    )
    const answer = { outcome: 'unknown', why: `HTTP ${status} (${code})`, lockedOut: { code, message } }
    expect(await closed.authorise(payment)).toEqual(answer)
    expect(await closed.capture({ ...modification, amount: 3990, currency: 'NZD' })).toEqual(answer)
    expect(await closed.disable({ storedId: 'CARD', shopperReference: 'c', idempotencyKey: 'K' })).toEqual(answer)
  },
)

test.each(['101', '103', '141', '803'])(
  'the gateway’s error code %s means that the customer’s card is invalid',
  async (code) => {
    const gateway = await gatewayThat((_request, response) =>
      response.writeHead(422).end(JSON.stringify({ errorCode: code, message: '…' })),
    )
    expect(await gateway.authorise(payment)).toEqual({ outcome: 'invalid', code })
  },
)

test.each(['100', '130', '137', '138', '172', '173', '174', '905', '999'])(
  'the gateway’s error code %s means that our request is at fault',
  async (code) => {
    const gateway = await gatewayThat((_request, response) =>
      response.writeHead(422).end(JSON.stringify({ errorCode: code, message: 'No' })),
    )
    expect(await gateway.authorise(payment)).toEqual({ outcome: 'fault', code, message: 'No' })
  },
)

test('the gateway’s clock is read only from the Date header of its own uncached responses', async () => {
  const heard: GatewayClockReading[] = []
  const date = 'Tue, 24 Nov 2026 01:02:03 GMT'
  const own = JSON.stringify({ pspReference: 'PSP', response: '[cancel-received]' })
  const answers: [status: number, headers: Record<string, string>, body: string][] = [
    [200, { date }, own],
    [422, { date }, JSON.stringify({ errorCode: '172', message: 'No', pspReference: 'PSP' })],
    [502, { date }, '<html>'],
    [403, { date }, '{"blocked":true}'],
    [200, { date, age: '60' }, own],
    [200, { date: 'now' }, own],
  ]
  await gatewayThat((_request, response) => {
    const [status, headers, body] = answers.shift() ?? [500, {}, '']
    response.writeHead(status, headers).end(body)
  })
  const { port } = server!.address() as AddressInfo
  const baseUrl = `http://127.0.0.1:${port}/`
  const gateway = createCardGateway({ ...account, baseUrl, hearClock: (told) => heard.push(told) })
  while (answers.length > 0) await gateway.cancel(modification)
  const told = { at: Temporal.Instant.from('2026-11-24T01:02:03Z'), askedMs: expect.any(Number) }
  expect(heard).toEqual([1, 2].map(() => ({ ...told, answeredMs: expect.any(Number) })))
  for (const { askedMs, answeredMs } of heard) expect(answeredMs).toBeGreaterThanOrEqual(askedMs)
})

test('requests to the gateway match the vendor’s documentation', async () => {
  const calls: { path: string; headers: Record<string, unknown>; body: unknown }[] = []
  const gateway = await gatewayThat(async (request, response) => {
    const body: unknown = JSON.parse(Buffer.concat(await request.toArray()).toString())
    calls.push({ path: request.url!, headers: request.headers, body })
    response.end('{}')
  })
  await gateway.authorise(payment)
  await gateway.authorise({ ...payment, card: { storedId: 'CARD' }, store: false })
  await gateway.capture({ ...modification, amount: 3990, currency: 'NZD' })
  await gateway.refund({ ...modification, amount: 90, currency: 'NZD' })
  await gateway.cancel(modification)
  await gateway.technicalCancel({ ...modification, originalReference: 'F1-1' })

  const { merchantAccount } = account
  const shopper = { shopperReference: 'customer-1', shopperEmail: 'aroha@example.nz', shopperIP: '127.0.0.1' }
  const common = { merchantAccount, reference: 'F1-1', amount: { value: 3990, currency: 'NZD' }, ...shopper }
  const modified = { merchantAccount, originalReference: 'PSP', reference: 'REF' }
  expect(calls.map(({ path, body }) => [path.replace('/pal/servlet/Payment/v68/', ''), body])).toEqual([
    [
      'authorise',
      {
        ...common,
        shopperInteraction: 'Ecommerce',
        additionalData: { 'card.encrypted.json': 'adyenjs', manualCapture: 'true' },
        recurring: { contract: 'ONECLICK,RECURRING' },
      },
    ],
    [
      'authorise',
      {
        ...common,
        shopperInteraction: 'ContAuth',
        selectedRecurringDetailReference: 'CARD',
        recurring: { contract: 'RECURRING' },
        additionalData: { manualCapture: 'true' },
      },
    ],
    ['capture', { ...modified, modificationAmount: { value: 3990, currency: 'NZD' } }],
    ['refund', { ...modified, modificationAmount: { value: 90, currency: 'NZD' } }],
    ['cancel', modified],
    ['technicalCancel', { merchantAccount, originalMerchantReference: 'F1-1', reference: 'REF' }],
  ])
  for (const { headers } of calls) expect(headers).toMatchObject({ 'x-api-key': 'key', 'idempotency-key': 'K' })
})
