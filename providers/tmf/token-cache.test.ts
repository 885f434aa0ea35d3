import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { createServer as createTcpServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { startTokenServer, type TokenServer } from '#simulators/access/token-server.ts'
import { describeCause, createSendHttp } from '#providers/http/send-http.ts'
import { createTokenCache, type TokenCache } from './token-cache.ts'

// Token lifetimes use a clock that the test controls. The server and the requests are real.

let dir: string
let server: TokenServer
let nowMs = 0
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'tokens-'))
  server = await startTokenServer({
    port: 0,
    dataDir: dir,
    clientId: 'fantail',
    clientSecret: 's',
    tokenSecret: 't',
    lifeSeconds: 100,
  })
  nowMs = 0
})
afterEach(async () => {
  await server.close()
  rmSync(dir, { recursive: true, force: true })
})

const send = createSendHttp({ cert: null, key: null, ca: null })
const client = { clientId: 'fantail', clientSecret: 's', clientAuth: 'basic', scope: null } as const
const tokensOf = (tokenUrl = server.tokenUrl): TokenCache =>
  createTokenCache({ ...client, tokenUrl }, send, () => nowMs)
const get = (tokens: TokenCache, patienceMs = 20_000) => tokens.get(AbortSignal.timeout(patienceMs))

const asked = () => server.ledger().length
const untilAsked = (times: number) => vi.waitFor(() => expect(asked()).toBe(times), { timeout: 20_000 })

/**
 * Checks that no further token request was sent. The server would have received such a request before it answered the ledger request below.
 */
async function expectNoMore(times: number): Promise<void> {
  await fetch(`${server.url}/_simulator/ledger`)
  expect(asked()).toBe(times)
}

test('an access token is used until a fifth of its lifetime is left, then renewed in the background', async () => {
  const tokens = tokensOf()
  const first = await get(tokens)
  nowMs = 79_000
  expect(await get(tokens)).toBe(first)
  expect(asked()).toBe(1)
  nowMs = 81_000
  expect(await Promise.all([get(tokens), get(tokens), get(tokens)])).toEqual([first, first, first])
  await untilAsked(2)
  await vi.waitFor(async () => expect(await get(tokens)).not.toBe(first), { timeout: 20_000 })
  expect(asked()).toBe(2)
})

test('a long-lived access token is renewed a minute before it expires', async () => {
  server.setLife(3_600)
  const tokens = tokensOf()
  await get(tokens)
  nowMs = 3_539_000
  await get(tokens)
  expect(asked()).toBe(1)
  nowMs = 3_541_000
  await get(tokens)
  await untilAsked(2)
})

test('while the token server is down, a token is used until it expires, and renewal is only attempted occasionally', async () => {
  const tokens = tokensOf()
  const first = await get(tokens)
  server.setMode('away')
  nowMs = 90_000
  await get(tokens)
  await untilAsked(2)
  nowMs = 94_000
  for (let call = 0; call < 20; call++) expect(await get(tokens)).toBe(first)
  await expectNoMore(2)
  nowMs = 100_000
  await expect(get(tokens)).rejects.toThrow('no token: ECONNRESET')
  server.setMode('working')
  expect(await get(tokens)).not.toBe(first)
})

test('dropping a token that has already been renewed has no effect', async () => {
  const tokens = tokensOf()
  const first = await get(tokens)
  tokens.drop(first)
  const second = await get(tokens)
  tokens.drop(first)
  expect(await get(tokens)).toBe(second)
  expect(asked()).toBe(2)
})

test('a caller whose time limit expires stops waiting for the token server', async () => {
  const silent = createTcpServer(() => {})
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const tokens = tokensOf(`http://127.0.0.1:${(silent.address() as AddressInfo).port}/token`)
  await expect(get(tokens, 50)).rejects.toThrow('no token: TimeoutError')
  await expect(tokens.get(AbortSignal.abort(new DOMException('', 'TimeoutError')))).rejects.toThrow('no token')
  silent.close()
})

test.each([
  ['an HTML page', 200, 'text/html', '<html>', 'HTTP 200 without a token'],
  ['no token', 200, 'application/json', '{"token_type":"bearer"}', 'OAUTH_INVALID_RESPONSE'],
  ['an error code of the server’s own', 400, 'application/json', '{"error":"The secret s is bad"}', 'HTTP 400'],
  [
    'a standard error code',
    400,
    'application/json',
    '{"error":"invalid_scope","error_description":"s"}',
    'HTTP 400 invalid_scope',
  ],
  ['a server error', 503, 'text/plain', 's', 'HTTP 503 without a token'],
])('%s instead of a token is reported without quoting the response', async (_what, status, type, body, why) => {
  const odd = createServer((request, response) => {
    request.resume()
    response.writeHead(status, { 'content-type': type }).end(body)
  })
  await new Promise<void>((resolve) => odd.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void odd.close())
  const tokens = tokensOf(`http://127.0.0.1:${(odd.address() as AddressInfo).port}/token`)
  expect(await get(tokens).catch(describeCause)).toBe(`no token: ${why}`)
})
