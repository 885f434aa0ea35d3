import { describe, expect, test } from 'vitest'
import * as v from 'valibot'
import { insertUser, markEmailVerified } from '#features/auth/server/users.store.ts'
import { useRouteServer } from '#quality/support/route-server.ts'
import { newEmail, type Visitor } from '#quality/support/visitor.ts'
import { endpoint } from '../contract/endpoint.ts'
import { requiredText } from '../contract/schema.ts'
import { transact } from './db.ts'
import { conflict } from './http-error.ts'
import { route } from './route.ts'
import { hashToken } from './secrets.ts'
import { saveSession } from './session.ts'

const look = endpoint({ method: 'GET', path: '/api/look/', summary: 'Gives the cookies', output: v.object({}) })
const layEgg = endpoint({
  method: 'POST',
  path: '/api/nests/:nestId/',
  summary: 'Lays an egg',
  params: v.object({ nestId: v.string() }),
  query: v.object({ side: v.optional(v.string()) }),
  body: v.object({
    colour: requiredText('Which colour?'),
    note: v.optional(v.unknown()),
    season: v.optional(v.picklist(['spring'])),
  }),
  output: v.object({ laid: v.boolean() }),
})
const fly = endpoint({
  method: 'GET',
  path: '/api/fly/',
  summary: 'A GET that changes something',
  output: v.object({}),
  csrf: true,
})

// Records the values that the endpoint's checks and limits have read. Oversized text must not appear in this list.
const read: string[] = []
const nameNest = endpoint({
  method: 'PUT',
  path: '/api/nests/:nestId/:name/',
  summary: 'Gives a nest its name',
  params: v.object({ nestId: v.string(), name: v.string() }),
  body: v.object({
    name: v.pipe(
      v.string(),
      v.check((name) => Boolean(read.push(name))),
      v.maxLength(20, 'Up to 20 characters, please.'),
    ),
  }),
  output: v.object({}),
})

const rig = useRouteServer(({ db }) => [
  route(look, { access: 'anyone' }, async ({ visit }) => {
    await saveSession(db, visit.session)
    return {}
  }),
  route(
    layEgg,
    {
      access: 'verified',
      limits: ({ query }) =>
        typeof query === 'object' && query && 'side' in query && query.side === 'busy'
          ? [{ key: 'busy side', times: 0, seconds: 60 }]
          : [],
      find: async ({ params }) => (params.nestId === 'kowhai' ? {} : null),
    },
    async ({ body }) => {
      if (body.colour === 'taken') throw conflict('There is an egg already.')
      return { laid: true }
    },
  ),
  route(
    nameNest,
    {
      access: 'verified',
      limits: ({ params, body }) => {
        read.push(JSON.stringify({ params, body }))
        return []
      },
      find: async ({ params }) => (params.nestId === 'kowhai' ? {} : null),
    },
    async () => ({}),
  ),
  route(fly, { access: 'anyone' }, async () => ({})),
])

async function signedIn(emailVerified: boolean): Promise<Visitor> {
  const visitor = rig().visitor()
  await visitor.get('/api/look/')
  const { db, clock } = rig()
  const names = { first_name: 'Ana', last_name: 'Rewi' }
  const account = { ...names, email: newEmail(), password_hash: '$argon2id$x', marketing_consent: false }
  const id = await transact(db, async (trx) => {
    const userId = await insertUser(trx, account, clock.now())
    if (emailVerified) await markEmailVerified(trx, userId, account.email, clock.now())
    return userId
  })
  const [token = ''] = visitor.cookie('fantail')?.split('.') ?? []
  await db.updateTable('sessions').set({ user_id: id }).where('token_hash', '=', hashToken(token)).execute()
  return visitor
}

test('checks every request in the order 403 (CSRF), 429, 401, 403 (email), 404, 400, 409', async () => {
  const [anonymous, unverified, verified] = [rig().visitor(), await signedIn(false), await signedIn(true)]
  const noToken = { 'x-csrftoken': 'of another' }
  expect(await anonymous.post('/api/nests/rata/?side=busy', {}, noToken)).toMatchObject({
    status: 403,
    body: { code: 'Please refresh the page and try again.' },
  })
  const busy = await anonymous.post('/api/nests/rata/?side=busy', {})
  expect(busy).toMatchObject({ status: 429, body: { code: 'Too many requests. Please try again shortly.' } })
  expect(Number(busy.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await anonymous.post('/api/nests/rata/', {})).toMatchObject({
    status: 401,
    body: { code: 'Please log in to continue.' },
  })
  expect(await unverified.post('/api/nests/rata/', {})).toMatchObject({
    status: 403,
    body: { code: 'Please confirm your email address first.' },
  })
  expect(await verified.post('/api/nests/rata/', {})).toMatchObject({ status: 404, body: { code: 'Not found.' } })
  expect(await verified.post('/api/nests/kowhai/', {})).toMatchObject({
    status: 400,
    body: { colour: ['Which colour?'] },
  })
  expect(await verified.post('/api/nests/kowhai/', { colour: 'taken' })).toMatchObject({
    status: 409,
    body: { __all__: ['There is an egg already.'] },
  })
  expect(await verified.post('/api/nests/kowhai/', { colour: 'blue' })).toMatchObject({
    status: 200,
    body: { laid: true },
  })
})

describe('rejecting oversized text', () => {
  const long = 'x'.repeat(501)
  const put = async (visitor: Visitor, path: string, body: object, token = visitor.cookie('csrftoken') ?? '') => {
    const answer = await visitor.send('PUT', path, {
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', 'x-csrftoken': token },
    })
    return { status: answer.status, body: answer.body }
  }

  test("rejects oversized text only after the 401, 403, 404 and 429 checks, with its field's own message", async () => {
    const [anonymous, unverified, verified] = [rig().visitor(), await signedIn(false), await signedIn(true)]
    await anonymous.get('/api/look/')
    const name = 'x'.repeat(5_000)
    expect(await put(verified, '/api/nests/kowhai/a/', { name }, 'of another')).toMatchObject({ status: 403 })
    expect(await verified.post('/api/nests/rata/?side=busy', { note: name })).toMatchObject({ status: 429 })
    expect(await put(anonymous, '/api/nests/kowhai/a/', { name })).toMatchObject({ status: 401 })
    expect(await put(unverified, '/api/nests/kowhai/a/', { name })).toMatchObject({ status: 403 })
    expect(await put(verified, '/api/nests/rata/a/', { name })).toMatchObject({ status: 404 })
    expect(await put(verified, '/api/nests/kowhai/a/', { name })).toEqual({
      status: 400,
      body: { name: ['Up to 20 characters, please.'] },
    })
    expect(await put(verified, '/api/nests/kowhai/a/', { name: 'x'.repeat(21) })).toEqual({
      status: 400,
      body: { name: ['Up to 20 characters, please.'] },
    })
  })

  test("rejects oversized text without passing it to the endpoint's checks and limits", async () => {
    const verified = await signedIn(true)
    read.length = 0
    expect(await put(verified, '/api/nests/kowhai/a/', { name: long })).toMatchObject({
      status: 400,
      body: { name: [expect.any(String)] },
    })
    expect(await put(verified, `/api/nests/kowhai/${long}/`, { name: 'Ana' })).toEqual({
      status: 404,
      body: { code: 'Not found.' },
    })
    expect(await put(verified, '/api/nests/kowhai/a/', { name: 'Ana', note: long })).toEqual({
      status: 400,
      body: { __all__: ['We could not read that request.'] },
    })
    expect(await put(verified, `/api/nests/kowhai/a/?side=${long}`, { name: 'Ana' })).toEqual({
      status: 400,
      body: { __all__: ['We could not read that request.'] },
    })
    const [nest, ana] = [{ nestId: 'kowhai', name: 'a' }, { name: 'Ana' }]
    expect(read.map((entry) => JSON.parse(entry))).toEqual([
      { params: nest },
      { body: ana },
      { params: nest },
      { params: nest, body: ana },
    ])
  })
})

test('rejects a value outside the contract with a fixed message that does not repeat the value', async () => {
  const verified = await signedIn(true)
  const sent = '<img src=x>'
  for (const colour of [sent, ['blue', sent]]) {
    const { status, body } = await verified.post('/api/nests/kowhai/', { colour: 'blue', season: colour })
    expect({ status, body }).toEqual({ status: 400, body: { season: ['Please check this and try again.'] } })
  }
})

describe('CSRF checks', () => {
  const lay = (visitor: Visitor, headers: Record<string, string>) =>
    visitor.send('POST', '/api/nests/kowhai/', {
      body: '{"colour":"blue"}',
      headers: { 'content-type': 'application/json', ...headers },
    })

  test("accepts only the CSRF token of the caller's own session", async () => {
    const [one, other] = [await signedIn(true), await signedIn(true)]
    expect((await lay(one, {})).status).toBe(403)
    expect((await lay(one, { 'x-csrftoken': '' })).status).toBe(403)
    expect((await lay(one, { 'x-csrftoken': other.cookie('csrftoken') ?? '' })).status).toBe(403)
    expect((await lay(one, { 'x-csrftoken': one.cookie('csrftoken') ?? '' })).status).toBe(200)
  })

  test("rejects a CSRF token that matches the caller's cookie but not the session", async () => {
    const visitor = await signedIn(true)
    visitor.setCookie('csrftoken', 'planted')
    expect((await lay(visitor, { 'x-csrftoken': 'planted' })).status).toBe(403)
  })

  test.each([
    ['https://evil.example', 403],
    ['null', 403],
    ['not an origin', 403],
    ['http://localhost:1', 403],
  ])('answers a request from the origin %s with %i', async (origin, status) => {
    const visitor = await signedIn(true)
    expect((await lay(visitor, { 'x-csrftoken': visitor.cookie('csrftoken') ?? '', origin })).status).toBe(status)
  })

  test("accepts requests from the portal's own origin, whether it is localhost or 127.0.0.1", async () => {
    const visitor = await signedIn(true)
    const headers = { 'x-csrftoken': visitor.cookie('csrftoken') ?? '' }
    expect((await lay(visitor, { ...headers, origin: rig().url })).status).toBe(200)
    const { status } = await fetch(`${rig().url.replace('localhost', '127.0.0.1')}/api/nests/kowhai/`, {
      method: 'POST',
      headers: {
        ...headers,
        'content-type': 'application/json',
        origin: rig().url.replace('localhost', '127.0.0.1'),
        cookie: `fantail=${visitor.cookie('fantail')}`,
      },
      body: '{"colour":"blue"}',
    })
    expect(status).toBe(200)
  })

  test('a GET request that changes something requires the CSRF token', async () => {
    const visitor = await signedIn(true)
    expect((await visitor.get('/api/fly/')).status).toBe(403)
    expect((await visitor.get('/api/fly/', { 'x-csrftoken': visitor.cookie('csrftoken') ?? '' })).status).toBe(200)
  })
})

describe('session cookies', () => {
  test('sets a signed session cookie that scripts cannot read, and a CSRF token cookie that they can', async () => {
    const { headers } = await rig().visitor().get('/api/look/')
    const [session, token] = headers.getSetCookie()
    expect(session).toMatch(/^fantail=[\w-]{43}\.[\da-f]{32}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/)
    expect(token).toMatch(/^csrftoken=[\da-f]{64}; Max-Age=2592000; Path=\/; SameSite=Lax$/)
  })

  test('keeps the same session across requests', async () => {
    const visitor = rig().visitor()
    await visitor.get('/api/look/')
    expect((await visitor.get('/api/look/')).headers.getSetCookie()).toEqual([])
  })

  test('replaces a made-up session cookie with a new session', async () => {
    for (const planted of ['made-up', `${'a'.repeat(43)}.${'0'.repeat(32)}`, '.', 'a.b.c', '']) {
      const visitor = rig().visitor()
      visitor.setCookie('fantail', planted)
      await visitor.get('/api/look/')
      expect(visitor.cookie('fantail')).not.toBe(planted)
    }
  })

  test('answers 401 once the session has expired', async () => {
    const visitor = await signedIn(true)
    expect((await visitor.post('/api/nests/kowhai/', { colour: 'blue' })).status).toBe(200)
    await rig()
      .db.updateTable('sessions')
      .set({ expires_at: new Date(Date.now() - 1_000) })
      .execute()
    expect((await visitor.post('/api/nests/kowhai/', { colour: 'blue' })).status).toBe(401)
  })

  test('stores only a hash of the session token', async () => {
    const visitor = rig().visitor()
    await visitor.get('/api/look/')
    const [token = 'none'] = visitor.cookie('fantail')?.split('.') ?? []
    const rows = await rig().db.selectFrom('sessions').selectAll().execute()
    expect(rows.length).toBeGreaterThan(0)
    expect(JSON.stringify(rows)).not.toContain(token)
  })
})

describe('rejecting unencrypted card numbers', () => {
  const number = '4111 1111 1111 1111'
  const sentence = 'Please don’t enter a card number here.'

  test.each([
    ['in a field', {}, { colour: number }, { colour: [sentence] }],
    ['as a number', {}, { colour: 'blue', note: 4_111_111_111_111_111 }, { note: [sentence] }],
    ['among words', {}, { colour: `my card is ${number}, thanks` }, { colour: [sentence] }],
    ['in a nested value', {}, { colour: 'blue', note: [{ deeper: { still: [number] } }] }, { note: [sentence] }],
    ['as a field’s name', {}, { colour: 'blue', [number]: 1 }, { __all__: [sentence] }],
    ['as a nested field’s name', {}, { colour: 'blue', note: { [number]: 1 } }, { note: [sentence] }],
    ['in the idempotency key', { 'idempotency-key': number }, { colour: 'blue' }, { __all__: [sentence] }],
  ])('rejects a card number %s and does not repeat it in the response', async (_where, headers, body, errors) => {
    const answer = await (await signedIn(true)).post('/api/nests/kowhai/', body, headers as Record<string, string>)
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 400, body: errors })
  })

  test('rejects a card number in the query string', async () => {
    const answer = await (
      await signedIn(true)
    ).post(`/api/nests/kowhai/?side=${encodeURIComponent(number)}`, { colour: 'blue' })
    expect(answer).toMatchObject({ status: 400, body: { side: [sentence] } })
  })
})
