/* @module-tag slow */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Endpoint } from '#kit/contract/endpoint.ts'
import { portForm, advanceWizardTo } from '#quality/support/activation-journey.ts'
import { undecryptableCard } from '#quality/support/cards.ts'
import { sendRawRequest } from '#quality/support/raw-http.ts'
import { findFaultsExceptInvalidCards } from '#quality/support/invalid-card-faults.ts'
import { useWorld } from '#quality/support/world.ts'
import type { Answer, Visitor } from '#quality/support/visitor.ts'
import { apiRoutes } from './api.ts'
import type { Deps } from './deps.ts'

const world = useWorld()

const numRuns = Number(process.env['FUZZ_RUNS'] || 60)

const endpoints = apiRoutes({} as Deps).map(({ endpoint }) => endpoint)
const unsafe = endpoints.filter(({ method, csrf }) => method !== 'GET' || csrf)
const written = unsafe.filter(({ method }) => method !== 'GET')
const nameOf = ({ method, path }: Endpoint): string => `${method} ${path}`
const filled = ({ path }: Endpoint, word = 'FT0000000000'): string => path.replaceAll(/:\w+/g, word)
const deleteLimits = () => world().db.deleteFrom('rate_limits').execute()

async function known(): Promise<Visitor> {
  const visitor = world().visitor()
  await visitor.get('/api/account/')
  return visitor
}

describe.each(unsafe.map((endpoint) => [nameOf(endpoint), endpoint] as const))('%s', (_name, endpoint) => {
  test('endpoints that change data reject requests from other origins or without the session’s CSRF token', async () => {
    const [visitor, other] = [await known(), await known()]
    const json = { 'content-type': 'application/json' }
    const token = { 'x-csrftoken': visitor.cookie('csrftoken') ?? '' }
    const attempts: Record<string, string>[] = [
      json,
      { ...json, 'x-csrftoken': '' },
      { ...json, 'x-csrftoken': other.cookie('csrftoken') ?? '' },
      { ...json, ...token, origin: 'https://evil.example' },
      { ...json, ...token, origin: 'null' },
      { ...json, ...token, origin: `${world().url}.evil.example` },
    ]
    for (const headers of attempts) {
      const { status, body } = await visitor.send(endpoint.method, filled(endpoint), {
        headers,
        ...(endpoint.method !== 'GET' && { body: '{}' }),
      })
      expect({ headers, status, body }).toEqual({
        headers,
        status: 403,
        body: { code: 'Please refresh the page and try again.' },
      })
    }
  })
})

/**
 * Creates the Cookie header that a browser sends when a different host in the parent domain has set cookies with the
 * same names as ours.
 */
const besideTheirs = (visitor: Visitor, order: 'theirs first' | 'ours first'): string => {
  const ours = visitor.cookies().map(([name, value]) => `${name}=${value}`)
  const theirs = visitor.cookies().map(([name]) => `${name}=${'a'.repeat(43)}.${'0'.repeat(32)}`)
  return (order === 'ours first' ? [...ours, ...theirs] : [...theirs, ...ours]).join('; ')
}

describe.each(unsafe.map((endpoint) => [nameOf(endpoint), endpoint] as const))('%s', (_name, endpoint) => {
  const call = async (visitor: Visitor, headers: Record<string, string>) =>
    visitor.send(endpoint.method, filled(endpoint), {
      headers: { 'content-type': 'application/json', ...headers },
      ...(endpoint.method !== 'GET' && { body: '{}' }),
    })
  const isRefusedForItsToken = ({ body }: Answer): boolean => body?.code === 'Please refresh the page and try again.'

  test.each(['theirs first', 'ours first'] as const)(
    'an endpoint accepts the session’s CSRF token even with another host’s cookies of the same name, %s',
    async (order) => {
      const visitor = await known()
      const token = visitor.cookie('csrftoken') ?? ''
      const answer = await call(visitor, { cookie: besideTheirs(visitor, order), 'x-csrftoken': token })
      expect(isRefusedForItsToken(answer)).toBe(false)
      // A rejected request that sets no cookie leaves the session as it was: only a login, a logout or a new session sets a cookie.
      expect(answer.status === 200 || answer.headers.getSetCookie().length === 0).toBe(true)
      await deleteLimits()
    },
  )

  test('an endpoint rejects a stale CSRF token with 403 and returns the current one, which is then accepted', async () => {
    const visitor = await known()
    const refused = await call(visitor, { 'x-csrftoken': 'stale' })
    expect([refused.status, isRefusedForItsToken(refused)]).toEqual([403, true])
    const token = refused.headers.get('x-csrftoken') ?? ''
    expect(token).toBe(visitor.cookie('csrftoken'))
    expect(isRefusedForItsToken(await call(visitor, { 'x-csrftoken': token }))).toBe(false)
    await deleteLimits()
  })
})

describe.each(written.map((endpoint) => [nameOf(endpoint), endpoint] as const))('%s', (_name, endpoint) => {
  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/json'])(
    'an endpoint for JSON answers 415 to a body of type %s',
    async (type) => {
      const visitor = await known()
      const headers = { 'content-type': type, 'x-csrftoken': visitor.cookie('csrftoken') ?? '' }
      const { status } = await visitor.send(endpoint.method, filled(endpoint), { headers, body: '{"a":1}' })
      expect(status).toBe(415)
    },
  )
})

describe('hostile request bodies', () => {
  const deep = (depth: number) => `${'['.repeat(depth)}1${']'.repeat(depth)}`
  const bodies = [
    '',
    'null',
    '"text"',
    '7',
    '1e999',
    '[]',
    '[[]]',
    '{',
    '{"a":',
    '\u0000',
    deep(40),
    deep(30_000),
    `{"note":${deep(30_000)}}`,
    `${'{"a":'.repeat(9_000)}1${'}'.repeat(9_000)}`,
    '{"__proto__":{"price":"0.00"}}',
    '{"constructor":{"prototype":{"a":1}}}',
    `"${'x'.repeat(1_000_000)}"`,
  ]

  test.each(written.map((endpoint) => [nameOf(endpoint), endpoint] as const))(
    '%s answers unusable JSON bodies in JSON and without a server error',
    async (_name, endpoint) => {
      const visitor = await known()
      for (const body of bodies) {
        await deleteLimits()
        const headers = { 'content-type': 'application/json', 'x-csrftoken': visitor.cookie('csrftoken') ?? '' }
        const answer = await visitor.send(endpoint.method, filled(endpoint), { headers, body })
        const least = endpoint.body ? 400 : 200
        expect({ body: body.slice(0, 40), status: answer.status, answer: typeof answer.body }).toMatchObject({
          status: expect.toSatisfy((status) => status >= least && status < 500),
          answer: 'object',
        })
      }
    },
  )

  const nasty = fc.oneof(
    fc.constantFrom<unknown>(
      '\0',
      'a\0b',
      '\ud800',
      'a\udfff',
      '\u202e',
      'ﷺ',
      '%00',
      '../..',
      '<b>',
      "'; drop table orders; --",
      '${1}',
      '0'.repeat(5_000),
      '１２３４',
      -0,
      -1,
      1e308,
      [],
      [[]],
      {},
      null,
      true,
    ),
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.jsonValue({ depthSize: 'small' }),
  )
  const right: Record<string, fc.Arbitrary<unknown>> = {
    msisdn: fc.constantFrom('027 555 0142', '021 555 0142', '+64215550142'),
    sim_serial: fc.constantFrom('0000', '1234'),
    setup_porting: fc.boolean(),
    provider: fc.constantFrom('skinny', 'spark'),
    billing_method: fc.constantFrom(1, 2, 'prepay', 'account'),
    prepaid_sim_number: fc.constant('8964050123456789012'),
    account_number: fc.constant('AB12345'),
    full_name: fc.constant('Ana Rewi'),
    email: fc.constant('ana@example.nz'),
    username: fc.constant('ana@example.nz'),
    password: fc.constant('korimako1'),
    marketing_consent: fc.boolean(),
    method: fc.constantFrom('payment', 'voucher'),
    code: fc.constant('ABCDEFGHJKMN'),
    plan: fc.constantFrom('plan-30-5gb', 'extra-2gb'),
    payment_method: fc.constantFrom('1', '2'),
    use_saved_card: fc.boolean(),
    adyen_encrypted: fc.constant(undecryptableCard),
    token: fc.constant('a'.repeat(43)),
  }
  const fieldsOf = ({ body }: Endpoint): string[] =>
    body && 'entries' in body ? Object.keys(body.entries as object) : []
  const bodyFor = (endpoint: Endpoint) => {
    const fields = fieldsOf(endpoint).map((field): [string, fc.Arbitrary<unknown>] => [
      field,
      fc.oneof({ weight: 3, arbitrary: right[field] ?? nasty }, { weight: 2, arbitrary: nasty }),
    ])
    return fc.oneof(
      { weight: 5, arbitrary: fc.record(Object.fromEntries(fields), { requiredKeys: [] }) },
      { weight: 1, arbitrary: fc.dictionary(fc.string(), nasty) },
    )
  }

  test.each(unsafe.map((endpoint) => [nameOf(endpoint), endpoint] as const))(
    '%s never answers 5xx to hostile bodies',
    async (_name, endpoint) => {
      const { visitor } = await advanceWizardTo(world(), 'PAYMENT', { port: portForm('027 555 0142') })
      const word = fc.oneof(
        fc.constant('FT0000000000'),
        fc.string({ unit: 'binary', minLength: 1, maxLength: 30 }).filter((text) => text.isWellFormed()),
      )
      const property = fc.asyncProperty(
        bodyFor(endpoint),
        word,
        fc.string({ maxLength: 30 }),
        async (body, id, key) => {
          await deleteLimits()
          const answer = await visitor.send(endpoint.method, filled(endpoint, encodeURIComponent(id)), {
            headers: {
              'content-type': 'application/json',
              'x-csrftoken': visitor.cookie('csrftoken') ?? '',
              'idempotency-key': encodeURIComponent(key),
            },
            ...(endpoint.method !== 'GET' && { body: JSON.stringify(body) }),
          })
          expect(answer.status).toBeLessThan(500)
          const lists = Object.values(answer.body).every((entries) => Array.isArray(entries) && entries.length > 0)
          expect(answer.status !== 400 || lists).toBe(true)
        },
      )
      await fc.assert(property, { numRuns })
    },
  )

  test('after hostile request bodies, the ledgers of Fantail, the gateway and the network agree', async () =>
    expect(await findFaultsExceptInvalidCards(world())).toEqual([]))
})

describe('hostile URLs and methods', () => {
  const odd = [
    '/api/vouchers/%00/',
    '/api/vouchers/%E0%A4%A/',
    '/api/vouchers/%c0%af/',
    '/api/vouchers/..%2f..%2fproducts%2f/',
    '/api/vouchers/%f0%9f%92%a9/',
    `/api/vouchers/${'a'.repeat(5_000)}/`,
    '/api/vouchers/x/?event_type=ACTIVATION&event_type=RENEWAL',
    '/api/vouchers/x/?event_type[]=RENEWAL',
    '/api/vouchers/x/?__proto__=1',
    '/api/vouchers/x/?event_type=%00',
    '/api/products/?page=-1',
    '/api/products/?page=abc',
    '/api/products/%00',
    '/api/orders/%00/resume/',
    '/api/../api/account/',
    '/api//activate/',
    '//api/activate/',
    '/API/activate/',
    '/api/activate',
    '/api/activate/;/',
    '/api/activate/%2e%2e/',
    '/api/.git/config',
    '/api/\\evil/',
    '/api/%',
    '/api/?%',
    '/demo/api/messages/?to=%00',
    '/demo/api/messages/?to=a&to=b',
    '/demo/api/messages/?to[]=a',
    '/demo/guide/../../package.json',
    '/demo/guide/..%2f..%2fpackage.json',
    '/demo/guide/%2e%2e/%2e%2e/package.json',
    '/demo/nowhere/',
    '/callbacks/card/',
    '/callbacks/network/guess/',
    '/callbacks/network/%00/',
    '/%',
    '/%00',
    '*',
    'http://evil.example/api/account/',
  ]

  test.each(odd)('GET %s is answered without a server error', async (path) => {
    const { status, body } = await sendRawRequest(world().url, { path })
    expect(status).toBeGreaterThanOrEqual(200)
    expect(status).toBeLessThan(500)
    expect(body).not.toContain('devDependencies')
  })

  test('no path or query parameter makes a GET request fail with 5xx', async () => {
    const visitor = await known()
    const parameter = fc.oneof(
      fc.webSegment({ size: 'medium' }),
      fc
        .string({ unit: 'binary', maxLength: 50 })
        .filter((text) => text.isWellFormed())
        .map(encodeURIComponent),
    )
    const property = fc.asyncProperty(
      fc.constantFrom(...endpoints.filter(({ method }) => method === 'GET')),
      parameter,
      fc.webQueryParameters(),
      async (endpoint, word, query) => {
        await deleteLimits()
        expect((await visitor.get(`${filled(endpoint, word || 'x')}?${query}`)).status).toBeLessThan(500)
      },
    )
    await fc.assert(property, { numRuns: 3 * numRuns })
  })

  test.each(['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY', 'POST', 'GET', 'FOO'])(
    'the method %s on a path without such a route answers 4xx or 501',
    async (method) => {
      const visitor = await known()
      const headers = {
        'content-type': 'application/json',
        'x-csrftoken': visitor.cookie('csrftoken') ?? '',
        cookie: `fantail=${visitor.cookie('fantail')}`,
      }
      const offered = new Set(endpoints.map(nameOf))
      const patterns = endpoints
        .filter((endpoint) => endpoint.method === method)
        .map(({ path }) => new RegExp(`^${path.replaceAll(/:\w+/g, '[^/:]+')}$`))
      const paths = [...new Set(endpoints.map(({ path }) => path)), '/demo/api/clock/', '/callbacks/card/', '/nowhere/']
      for (const path of paths.filter(
        (each) =>
          !offered.has(`${method} ${each}`) &&
          // A mutated path may match a different endpoint's pattern, and that endpoint then answers the request.
          !patterns.some((pattern) => pattern.test(each)) &&
          !(method === 'POST' && !each.startsWith('/api/') && each !== '/nowhere/'),
      )) {
        const { status } = await sendRawRequest(world().url, {
          method,
          path: path.replaceAll(/:\w+/g, 'FT0000000000'),
          headers,
        })
        expect({ path, status }).toEqual({
          path,
          status: expect.toSatisfy((code) => [400, 404, 405, 501].includes(code)),
        })
      }
    },
  )

  test('a forged Host or X-Forwarded-Host header does not change any emailed link', async () => {
    const traveller = await advanceWizardTo(world(), 'PAYMENT')
    const headers = {
      host: 'another-name.localhost',
      'x-forwarded-host': 'evil.example',
      'content-type': 'application/json',
      'x-csrftoken': traveller.visitor.cookie('csrftoken') ?? '',
      cookie: `fantail=${traveller.visitor.cookie('fantail')}`,
    }
    const body = JSON.stringify({ payment_method: '1', adyen_encrypted: world().card() })
    expect(
      (
        await sendRawRequest(world().url, {
          method: 'POST',
          path: '/api/activate/pay/',
          headers: { ...headers, host: 'evil.example' },
          body,
        })
      ).status,
    ).toBe(421)
    expect(
      (await sendRawRequest(world().url, { method: 'POST', path: '/api/activate/pay/', headers, body })).status,
    ).toBe(200)
    await traveller.arriveAt('SUCCESSFUL')
    expect(await findFaultsExceptInvalidCards(world())).toEqual([])
    const [mail] = await world().mailTo(traveller.email)
    expect(mail?.links.length).toBeGreaterThan(0)
    expect(mail?.links.every((link) => link.startsWith(world().url))).toBe(true)
  })
})
