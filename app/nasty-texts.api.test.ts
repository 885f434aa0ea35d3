/* @module-tag slow */
import { describe, expect, test } from 'vitest'
import type { Endpoint } from '#kit/contract/endpoint.ts'
import { encodeAscii, hostileTexts } from '#quality/support/hostile-texts.ts'
import { measureCpuMs } from '#quality/support/processor-time.ts'
import { sendRawRequest } from '#quality/support/raw-http.ts'
import { useWorld } from '#quality/support/world.ts'
import { apiRoutes } from './api.ts'
import type { Deps } from './deps.ts'

// The application trusts a proxy, as it does in production, so it reads the proxy's headers.
const world = useWorld({ pages: 'built', env: { TRUSTED_PROXIES: '127.0.0.1,::1' } })

const endpoints = apiRoutes({} as Deps).map(({ endpoint }) => endpoint)
const nameOf = ({ method, path }: Endpoint): string => `${method} ${path}`
const filled = ({ path }: Endpoint): string => path.replaceAll(/:\w+/g, 'FT0000000000')
const texts = (length: number) => Object.entries(hostileTexts).map(([kind, text]) => [kind, text(length)] as const)

type Request = Parameters<typeof sendRawRequest>[1]

/**
 * Measures a request's processor time on the thread that serves all requests. The measured time includes the test's client and the
 * database. The tests allow 50 ms more than an ordinary request takes.
 */
const timeOf = (request: Request) => measureCpuMs(() => send(request), { enough: 20 })

async function send(request: Request): Promise<void> {
  const { status } = await sendRawRequest(world().url, request)
  expect(status).toBeGreaterThanOrEqual(200)
  expect(status).toBeLessThan(500)
}

async function slowOf(requests: (readonly [what: string, request: Request])[], ordinary: Request): Promise<string[]> {
  await send(ordinary)
  const usual = await timeOf(ordinary)
  const slow: string[] = []
  for (const [what, request] of requests) {
    const time = await timeOf(request)
    if (time > usual + 50) slow.push(`${what}: ${Math.round(time)} ms, an ordinary one ${Math.round(usual)}`)
  }
  return slow
}

async function shown(): Promise<Record<string, string>> {
  const visitor = world().visitor()
  await visitor.get('/api/account/')
  return {
    'content-type': 'application/json',
    'x-csrftoken': visitor.cookie('csrftoken') ?? '',
    cookie: visitor
      .cookies()
      .map(([name, value]) => `${name}=${value}`)
      .join('; '),
  }
}

const withBodies = endpoints.filter(({ method }) => method !== 'GET')
describe.each(withBodies.map((endpoint) => [nameOf(endpoint), endpoint] as const))('%s', (_name, endpoint) => {
  const fields =
    endpoint.body && 'entries' in endpoint.body ? Object.keys(endpoint.body.entries as object) : ['unknown']

  test('a request with hostile text in any field takes at most 50 ms longer than an ordinary request', async () => {
    const [headers, path] = [await shown(), filled(endpoint)]
    const call = (body: object): Request => ({ method: endpoint.method, path, headers, body: JSON.stringify(body) })
    const bodies = texts(5_000).flatMap(([kind, text]) => [
      ...fields.map((field) => [`${kind} in ${field}`, call({ [field]: text })] as const),
      [
        `${kind} in all`,
        call(Object.fromEntries(fields.map((field) => [field, text.slice(0, 5_000 / fields.length)]))),
      ] as const,
    ])
    const tooMuch = texts(64 * 1024).map(
      ([kind, text]) => [`64 KB of ${kind}`, call({ [fields[0] ?? '']: text })] as const,
    )
    expect(await slowOf([...bodies, ...tooMuch], call({}))).toEqual([])
  })
})

// Length of the long header values in these tests. Node accepts at most 16 KB for the request line and all headers together.
const long = 14_000
const headers = [
  'accept',
  'accept-encoding',
  'accept-language',
  'cookie',
  'forwarded',
  'idempotency-key',
  'if-none-match',
  'if-modified-since',
  'origin',
  'range',
  'referer',
  'user-agent',
  'x-csrftoken',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-request-id',
]

const inHeader = (text: string): string => (/^[\x20-\x7e]*$/.test(text) ? text : encodeAscii(text, long))

describe.each(['/login/', '/api/products/', '/static/nothing.js'])('%s', (path) => {
  test.each(headers)(
    'hostile texts in the header %s cost at most 50 ms more than an ordinary request',
    async (name) => {
      const requests = texts(long).map(([kind, text]) => [kind, { path, headers: { [name]: inHeader(text) } }] as const)
      const cookies = texts(long - 20).map(
        ([kind, text]) => [`a cookie of ${kind}`, { path, headers: { cookie: `fantail=${inHeader(text)}` } }] as const,
      )
      expect(await slowOf([...requests, ...(name === 'cookie' ? cookies : [])], { path })).toEqual([])
    },
  )
})

describe('hostile URL paths', () => {
  test('a request for a page gets 414 if its percent-encoded path is too long for a header', async () => {
    const statusOf = async (path: string) => (await sendRawRequest(world().url, { path })).status
    expect(await statusOf(`/services/${'/'.repeat(3_900)}`)).toBeLessThan(414)
    expect(await statusOf(`/services/${'/'.repeat(4_000)}`)).toBe(414)
  })

  const ordinary = { path: '/services/FT0000000000/' }
  const places = [
    '/',
    '/login/',
    '/services/',
    '/services/x/invoices/',
    '/services/renew/',
    '/services/renew/voucher/',
    '/use-voucher/',
    '/password-reset/',
    '/verify/',
    '/api/',
    '/api/vouchers/',
    '/api/services/auto_renew/',
    '/callbacks/network/',
    '/static/',
    '/demo/',
    '/documents/',
  ]

  test.each(places)(
    'hostile texts in a URL that begins with %s cost at most 50 ms more than an ordinary request',
    async (place) => {
      const lengths = [3_500, long]
      const requests = lengths
        .flatMap((length) =>
          texts(length).map(([kind, text]) => [`${length} of ${kind}`, encodeAscii(text, length)] as const),
        )
        .flatMap(([kind, text]) => [
          [`${kind} at its end`, { path: place + text }] as const,
          [`${kind} as a part`, { path: `${place}${text}/` }] as const,
          [`${kind} as a query`, { path: `${place}?token=${text}` }] as const,
          [`${kind} as names of a query`, { path: `${place}?${text.replaceAll('%', '&')}` }] as const,
        ])
      expect(await slowOf(requests, ordinary)).toEqual([])
    },
  )
})

test.each(['/callbacks/card/', '/callbacks/network/guess/'])(
  'hostile texts in a notification body to %s cost at most 50 ms more than an ordinary request',
  async (path) => {
    const call = (body: unknown): Request => ({
      method: 'POST',
      path,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const items = (text: string) => ({
      notificationItems: Array.from({ length: 5 }, () => ({
        NotificationRequestItem: {
          eventCode: text,
          success: 'true',
          merchantAccountCode: text,
          pspReference: text,
          additionalData: { hmacSignature: text },
        },
      })),
    })
    const requests = texts(60_000 / 3).flatMap(([kind, text]) => [
      [kind, call({ a: text })] as const,
      [`${kind} in items`, call(items(text.slice(0, 500)))] as const,
    ])
    expect(await slowOf(requests, call({}))).toEqual([])
  },
)
