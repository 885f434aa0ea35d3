import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createMobileNetwork } from '#providers/network/tmf.ts'
import { createNetworkUsage } from '#providers/network/tmf-usage.ts'
import type { SimulatorAccess } from '#simulators/access/require-credentials.ts'
import { startTokenServer, type TokenServer } from '#simulators/access/token-server.ts'
import { startNetworkSimulator } from '#simulators/network/simulator.ts'
import { certificates } from '#quality/support/certificates.ts'
import { type AccessOptions, createCarrierAccess } from './access.ts'

const { server, serverCa, clientCa, client, endedClient, stranger } = certificates
const mutualTls = { ...server, clientCa }
const noTls = { cert: null, key: null, ca: null }
const tokenSecret = 'shared by token server and network'
const dir = mkdtempSync(join(tmpdir(), 'access-'))
let folders = 0

let tokens: TokenServer
let secureTokens: TokenServer
beforeAll(async () => {
  tokens = await tokenServer()
  secureTokens = await tokenServer({ tls: mutualTls })
})
afterAll(async () => {
  await Promise.all([tokens.close(), secureTokens.close()])
  rmSync(dir, { recursive: true, force: true })
})

// This client id and secret have to be form-encoded, and some servers forget to decode them.
const tokenClient = { clientId: 'fan:tail', clientSecret: 'a secret+/=%', tokenSecret }
const tokenServer = (options = {}): Promise<TokenServer> =>
  startTokenServer({ port: 0, dataDir: join(dir, `${folders++}`), ...tokenClient, ...options })

async function networkThat(access: SimulatorAccess) {
  const network = await startNetworkSimulator({ port: 0, dataDir: join(dir, `${folders++}`), access })
  onTestFinished(() => network.close())
  const whoHas = (options: AccessOptions, timeoutMs = 20_000) => {
    const calls = { baseUrl: network.url, timeoutMs, access: createCarrierAccess(options) }
    return { ...createMobileNetwork(calls), ...createNetworkUsage(calls) }
  }
  return { ...network, whoHas }
}

const oauth2 = (change: object = {}): AccessOptions => ({
  credentials: {
    kind: 'oauth2',
    tokenUrl: tokens.tokenUrl,
    clientId: tokenClient.clientId,
    clientSecret: tokenClient.clientSecret,
    clientAuth: 'basic',
    scope: null,
    ...change,
  },
  tls: noTls,
})

const isKnown = { outcome: 'absent' }
const isNotKnown = { outcome: 'unknown', why: 'HTTP 401' }
const header = (key: string, name: string | null = null): AccessOptions['credentials'] => ({
  kind: 'header',
  header: name,
  key,
})
const basic = (password: string): AccessOptions['credentials'] => ({ kind: 'basic', user: 'fantail', password })

test('a network that requires no credentials can be called without any', async () => {
  const { whoHas } = await networkThat({})
  expect(await whoHas({ credentials: { kind: 'none' }, tls: noTls }).read('A-1')).toMatchObject(isKnown)
})

test.each<[string, SimulatorAccess['demand'], AccessOptions['credentials'], AccessOptions['credentials']]>([
  ['a bearer key', { kind: 'header', header: 'Authorization', value: 'Bearer k' }, header('k'), header('x')],
  ['a key in a header', { kind: 'header', header: 'X-Api-Key', value: 'k' }, header('k', 'X-Api-Key'), header('k')],
  ['user and password', { kind: 'basic', user: 'fantail', password: 'ō:x' }, basic('ō:x'), basic('x')],
])('a network that requires %s accepts only the right credentials', async (_what, demand, right, wrong) => {
  const { whoHas } = await networkThat({ demand: demand! })
  expect(await whoHas({ credentials: right, tls: noTls }).read('A-1')).toMatchObject(isKnown)
  for (const credentials of [wrong, { kind: 'none' } as const])
    expect(await whoHas({ credentials, tls: noTls }).read('A-1')).toMatchObject(isNotKnown)
})

describe('a network that requires an OAuth2 token', () => {
  const demand = { kind: 'oauth2', tokenSecret } as const
  const issuedSince = (before: number) => tokens.ledger().length - before

  test.each(['basic', 'post'] as const)(
    'all concurrent calls share one token request (%s), with the configured scope',
    async (clientAuth) => {
      const { whoHas } = await networkThat({ demand: { ...demand, scope: 'orders' } })
      const before = tokens.ledger().length
      const { read, balances } = whoHas(oauth2({ clientAuth, scope: 'orders usage' }))
      const answers = await Promise.all(
        Array.from({ length: 40 }, (_, at) => (at % 2 ? read(`A-${at}`) : balances('+64211234567'))),
      )
      expect(answers.map(({ outcome }) => outcome)).toEqual(answers.map((_, at) => (at % 2 ? 'absent' : 'known')))
      expect(issuedSince(before)).toBe(1)
      await read('A-2')
      expect(issuedSince(before)).toBe(1)
    },
  )

  test('a revoked token is replaced once for all concurrent requests, which are then repeated', async () => {
    const network = await networkThat({ demand })
    const { read } = network.whoHas(oauth2())
    await read('A-1')
    const before = tokens.ledger().length
    await fetch(`${network.url}/_simulator/revoke-tokens`, { method: 'POST' })
    const answers = await Promise.all(Array.from({ length: 20 }, () => read('A-1')))
    expect(answers).toEqual(answers.map(() => expect.objectContaining(isKnown)))
    expect(issuedSince(before)).toBe(1)
  })

  test('a request is repeated once if its token is rejected, and its outcome is unknown if the new token is rejected too', async () => {
    const { whoHas } = await networkThat({ demand: { ...demand, scope: 'orders' } })
    const before = tokens.ledger().length
    expect(await whoHas(oauth2({ scope: 'usage' })).read('A-1')).toMatchObject(isNotKnown)
    expect(issuedSince(before)).toBe(2)
  })

  test('an order is not sent until a token can be obtained, and can then be placed', async () => {
    const network = await networkThat({ demand })
    network.seed({ sims: [{ iccid: '8964010000000000011', msisdn: '64210000001' }] })
    const order = {
      externalId: 'A-1',
      kind: 'activate_sim',
      iccid: '8964010000000000011',
      msisdn: '64210000001',
    } as const
    const { place } = network.whoHas(oauth2())
    onTestFinished(() => tokens.setMode('working'))
    tokens.setMode('away')
    const before = tokens.ledger().length
    const answers = await Promise.all(Array.from({ length: 20 }, () => place(order)))
    expect(answers).toEqual(answers.map(() => ({ outcome: 'unknown', why: 'no answer: no token: ECONNRESET' })))
    expect(issuedSince(before)).toBe(1)
    tokens.setMode('refusing')
    expect(await place(order)).toEqual({ outcome: 'unknown', why: 'no answer: no token: HTTP 401' })
    expect(network.ledger()).toEqual([])
    tokens.setMode('working')
    expect(await place(order)).toMatchObject({ outcome: 'known' })
    expect(network.ledger()).toHaveLength(1)
  })

  test.each([
    ['is unreachable', () => ({ tokenUrl: 'http://127.0.0.1:9/token' }), 'ECONNREFUSED'],
    ['has no such path', () => ({ tokenUrl: `${tokens.url}/elsewhere` }), 'HTTP 404'],
    ['expects another secret', () => ({ clientSecret: 'another-secret' }), 'HTTP 401'],
    ['expects another secret in the body', () => ({ clientAuth: 'post', clientSecret: 'another-secret' }), 'HTTP 401'],
  ])(
    'a call has an unknown outcome if the token server %s, and the reason does not contain the secret',
    async (_what, change, why) => {
      const { whoHas } = await networkThat({ demand })
      const { read } = whoHas(oauth2(change()))
      expect(await read('A-1')).toEqual({ outcome: 'unknown', why: `no answer: no token: ${why}` })
    },
  )
})

describe('a network that requires a client certificate', () => {
  const ca = serverCa

  test('a client certificate works on its own, with a password and with tokens, including at the token server', async () => {
    const plain = await networkThat({ tls: mutualTls })
    expect(await plain.whoHas({ credentials: { kind: 'none' }, tls: { ...client, ca } }).read('A-1')).toMatchObject(
      isKnown,
    )
    const keyed = await networkThat({ tls: mutualTls, demand: { kind: 'basic', user: 'fantail', password: 'x' } })
    expect(await keyed.whoHas({ credentials: basic('x'), tls: { ...client, ca } }).read('A-1')).toMatchObject(isKnown)
    const tokened = await networkThat({ tls: mutualTls, demand: { kind: 'oauth2', tokenSecret } })
    const { credentials } = oauth2({ tokenUrl: secureTokens.tokenUrl })
    expect(await tokened.whoHas({ credentials, tls: { ...client, ca } }).read('A-1')).toMatchObject(isKnown)
    expect(await tokened.whoHas({ credentials, tls: { ...noTls, ca } }).read('A-1')).toMatchObject({
      outcome: 'unknown',
      why: expect.stringMatching(/^no answer: no token: E/),
    })
  })

  test.each([
    ['no certificate', noTls, /^no answer: E[A-Z\d_]+$/],
    ['a certificate that it does not know', stranger, /^no answer: E[A-Z\d_]+$/],
    ['an expired certificate', endedClient, /^no answer: our client certificate ended on 2026-01-01$/],
  ])('a call with %s to a network that requires a certificate has an unknown outcome', async (_what, pair, why) => {
    const network = await networkThat({ tls: mutualTls })
    const answer = await network.whoHas({ credentials: { kind: 'none' }, tls: { ...pair, ca } }).read('A-1')
    expect(answer).toMatchObject({ outcome: 'unknown', why: expect.stringMatching(why) })
  })

  test('a server certificate from an unknown CA is rejected, and the request has an unknown outcome', async () => {
    const network = await networkThat({ tls: server })
    for (const [tls, why] of [
      [noTls, 'DEPTH_ZERO_SELF_SIGNED_CERT'],
      [{ ...noTls, ca: clientCa }, 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    ] as const)
      expect(await network.whoHas({ credentials: header('k'), tls }).read('A-1')).toEqual({
        outcome: 'unknown',
        why: `no answer: ${why}`,
      })
  })
})
