import { beforeEach, describe, expect, test, vi } from 'vitest'
import { transact } from '#kit/server/db.ts'
import { retryNow } from '#kit/server/retry-queue.ts'
import { logInAs, makeCustomer } from '#quality/support/customer.ts'
import { sendRawRequest } from '#quality/support/raw-http.ts'
import { requestReset, submitReset, requestResetLink, readResetLinks } from '#quality/support/reset-link.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { newEmail, useWorld } from '#quality/support/world.ts'
import { insertResetRequest, purgeResetRequests, resetRequestQueue } from './server/password-reset-requests.store.ts'
import { issueToken, consumeToken } from './server/tokens.store.ts'

const world = useWorld()
// All tests share one IP address, so reset the rate limits before each test.
beforeEach(() => world().db.deleteFrom('rate_limits').execute())

const requested =
  'If that address has an account, an email with a link to set a new password is on its way. ' +
  'Links in emails from the last hour still work.'
const earlier = 'If that address has an account, links in our emails from the last hour still work.'
const badLink = {
  __all__: [
    {
      message: 'This link is no longer valid. It may have been used already, or have expired.',
      actions: [{ url: '/forgot-password/', text: 'Ask for a new link' }],
    },
  ],
}
const allWork = () => pollUntil(async () => (await world().deps.jobs.unfinished()) === 0)
const eventsOf = async (userId: string) =>
  (
    await world().db.selectFrom('audit_events').select('event').where('user_id', '=', userId).orderBy('id').execute()
  ).map(({ event }) => event)
const isSignedIn = async (visitor: { get(path: string): Promise<{ body: { authenticated: boolean } }> }) =>
  (await visitor.get('/api/account/')).body.authenticated

describe('requesting a reset link', () => {
  test('gives every reset request the same response, but sends an email only if the address has an account', async () => {
    const { email, id } = await makeCustomer(world())
    const stranger = newEmail()
    const [known, unknown] = [await requestReset(world(), email), await requestReset(world(), stranger)]
    expect(known).toMatchObject({ status: 200, body: { message: requested } })
    expect({ status: unknown.status, body: unknown.body }).toEqual({ status: known.status, body: known.body })
    expect([...unknown.headers.keys()]).toEqual([...known.headers.keys()])
    await allWork()
    const [mail, ...others] = await pollUntil(
      async () => (await world().mailTo(email)).length > 0 && world().mailTo(email),
    )
    expect(others).toEqual([])
    expect(mail).toMatchObject({
      to: email,
      subject: 'Set a new password for Fantail Mobile',
      text: expect.stringContaining('within one hour'),
    })
    expect(await world().db.selectFrom('messages').select('id').where('recipient', '=', stranger).execute()).toEqual([])
    expect(await eventsOf(id)).toContain('password_reset_requested')
  })

  test('stores a reset request encrypted, and a worker later processes it even if no job was started', async () => {
    const { email } = await makeCustomer(world())
    const next = '/services/renew/voucher/ABCDEFGHJKLM/'
    const sent = vi.spyOn(world().deps.jobs, 'send').mockResolvedValueOnce()
    await world().visitor().post('/api/account/password_reset_request/', { email, next })
    const requests = () => world().db.selectFrom('password_reset_requests').selectAll().execute()
    const [request, ...others] = await requests()
    expect([sent.mock.calls.length, others]).toEqual([1, []])
    for (const secret of [email, 'ABCDEFGHJKLM']) expect(JSON.stringify(request)).not.toContain(secret)
    sent.mockRestore()
    await retryNow(world().db, resetRequestQueue)
    await pollUntil(async () => (await readResetLinks(world(), email)).length === 1)
    expect(await requests()).toEqual([])
  })

  test('keeps a failed reset request for a day and then deletes it', async () => {
    const request = { sealed_email: 'a', sealed_next: 'b', session_id: null }
    const id = await insertResetRequest(world().db, request)
    const change = (columns: object) =>
      world().db.updateTable('password_reset_requests').set(columns).where('id', '=', id).execute()
    await change({ retry_at: null })
    const isKept = async () => {
      await purgeResetRequests(world().db)
      return (await world().db.selectFrom('password_reset_requests').select('id').execute()).length === 1
    }
    expect(await isKept()).toBe(true)
    await change({ created_at: new Date(Date.now() - 25 * 3_600_000) })
    expect(await isKept()).toBe(false)
  })

  test.each([
    [
      '/services/renew/voucher/ABCDEFGHJKLM/?from=mail',
      '?next=%2Fservices%2Frenew%2Fvoucher%2FABCDEFGHJKLM%2F%3Ffrom%3Dmail',
    ],
    ['/', ''],
    ['', ''],
    ['//evil.example/', ''],
    ['https://evil.example/', ''],
    ['/\\evil.example/', ''],
    ['javascript:alert(1)', ''],
  ])('a reset link includes the requested page only if the page is on this site: %s', async (next, search) => {
    const { email } = await makeCustomer(world())
    expect((await world().visitor().post('/api/account/password_reset_request/', { email, next })).status).toBe(200)
    const [link] = await pollUntil(
      async () => (await readResetLinks(world(), email)).length > 0 && readResetLinks(world(), email),
    )
    expect(new URL(link!.url).search).toBe(search)
    expect((await submitReset(link!, world().visitor(), 'kereru 22')).status).toBe(200)
  })

  test('rejects a reset request if the page to open after the reset is invalid or has too long a path', async () => {
    const { email } = await makeCustomer(world())
    for (const next of [`/${'a'.repeat(300)}`, 7, null, {}]) {
      const { status, body } = await world().visitor().post('/api/account/password_reset_request/', { email, next })
      expect({ status, body }).toEqual({
        status: 400,
        body: { next: ['Please open the page again.'] },
      })
    }
  })

  test("a reset request ignores the email address's case, and the email goes to the stored address", async () => {
    const { email } = await makeCustomer(world())
    await requestReset(world(), `  ${email.toUpperCase()} `)
    expect((await pollUntil(async () => (await world().mailTo(email))[0])).to).toBe(email)
  })

  test("builds the reset link from the configured URL, whatever the request's Host header says", async () => {
    const { email, id } = await makeCustomer(world())
    const visitor = world().visitor()
    await visitor.get('/api/account/')
    const ask = (host: string) =>
      sendRawRequest(world().url, {
        method: 'POST',
        path: '/api/account/password_reset_request/',
        headers: {
          host,
          'x-forwarded-host': 'evil.example',
          forwarded: 'host=evil.example',
          cookie: `fantail=${visitor.cookie('fantail')}; csrftoken=${visitor.cookie('csrftoken')}`,
          'x-csrftoken': visitor.cookie('csrftoken') ?? '',
          'content-type': 'application/json',
        },
        body: JSON.stringify({ email }),
      })
    expect((await ask('evil.example')).status).toBe(421)
    expect((await ask('another-name.localhost')).status).toBe(200)
    const link = await pollUntil(async () => (await readResetLinks(world(), email))[0])
    expect(link.url).toBe(`${world().url}/password-reset/${Buffer.from(id).toString('base64url')}/${link.token}`)
    expect(link.token).toMatch(/^[\w-]{43}$/)
    expect(JSON.stringify(await world().mailTo(email))).not.toMatch(/evil|another-name/)
  })

  test.each(['<b onclick=x>Ana', '<img src=x>\r\nBcc: all', 'Ana\r\nBcc: me@evil.example'])(
    "puts no markup or line break from a customer's name into the reset email: %j",
    async (first_name) => {
      const { email } = await makeCustomer(world(), { first_name })
      await requestResetLink(world(), email)
      const [mail] = await world().mailTo(email)
      expect(mail?.subject).toBe('Set a new password for Fantail Mobile')
      expect(mail?.html).not.toMatch(/<b onclick|<img/)
      expect(mail?.text).not.toContain('evil.example')
    },
  )

  test.each([
    [undefined, 'This field is required.'],
    ['', 'This field is required.'],
    [['ana@example.nz'], 'This field is required.'],
    [{ email: 'ana@example.nz' }, 'This field is required.'],
    ['ana', 'Please enter a valid email address.'],
    ['ana@example.nz\r\nBcc: everyone@example.nz', 'Please enter a valid email address.'],
    ['ana@example.nz, mere@example.nz', 'Please enter a valid email address.'],
    ['<script>alert(1)</script>@example.nz', 'Please enter a valid email address.'],
    [`${'a'.repeat(244)}@example.nz`, 'Please enter a valid email address.'],
  ])('rejects the email address %j in a reset request', async (email, message) => {
    const { status, body } = await requestReset(world(), email)
    expect({ status, body }).toEqual({ status: 400, body: { email: [message] } })
  })

  test('rejects an email address of 10 kB in a reset request', async () => {
    expect(await requestReset(world(), `${'a'.repeat(10_000)}@example.nz`)).toMatchObject({
      status: 400,
      body: { email: ['Please enter a valid email address.'] },
    })
  })

  test('requesting a new reset link keeps the earlier one valid, but using either one invalidates the other', async () => {
    const { email } = await makeCustomer(world())
    const older = await requestResetLink(world(), email)
    const newest = await requestResetLink(world(), email)
    expect((await submitReset(older, world().visitor(), 'korimako2')).status).toBe(200)
    expect(await submitReset(newest, world().visitor(), 'korimako3')).toMatchObject({ status: 400, body: badLink })
  })

  test(
    'limits reset requests per email address, whether or not the address has an account',
    { tags: ['slow'] },
    async () => {
      for (const email of [(await makeCustomer(world())).email, newEmail()]) {
        await world().db.deleteFrom('rate_limits').execute()
        for (let time = 0; time < 5; time++) expect((await requestReset(world(), email)).status).toBe(200)
        const sixth = await requestReset(world(), email.toUpperCase())
        expect(sixth).toMatchObject({
          status: 429,
          body: { code: 'Too many requests. Please try again shortly.', hints: [earlier] },
        })
        expect(Number(sixth.headers.get('retry-after'))).toBeGreaterThan(3_500)
        expect((await requestReset(world(), newEmail())).status).toBe(200)
      }
    },
  )

  test('limits reset requests per session and per IP address', async () => {
    const visitor = world().visitor()
    for (let time = 0; time < 5; time++) expect((await requestReset(world(), newEmail(), visitor)).status).toBe(200)
    expect((await requestReset(world(), newEmail(), visitor)).status).toBe(429)
    expect((await requestReset(world(), newEmail())).status).toBe(200)
    await world().db.updateTable('rate_limits').set({ count: 300 }).execute()
    expect((await requestReset(world(), newEmail())).status).toBe(429)
  })

  test("strangers' reset requests do not stop the owner from requesting a reset", async () => {
    const { email, visitor } = await makeCustomer(world())
    for (let time = 0; time < 5; time++) expect((await requestReset(world(), email)).status).toBe(200)
    expect((await requestReset(world(), email)).status).toBe(429)
    const csrf = world().visitor()
    await csrf.get('/api/account/')
    const headers = {
      'content-type': 'application/json',
      'x-csrftoken': csrf.cookie('csrftoken') ?? '',
      cookie: `fantail=${csrf.cookie('fantail')}`,
    }
    const elsewhere = await sendRawRequest(world().url.replace('localhost', '127.0.0.1'), {
      method: 'POST',
      path: '/api/account/password_reset_request/',
      headers,
      body: JSON.stringify({ email }),
      from: '127.0.0.2',
    })
    expect(elsewhere.status).toBe(200)
    await visitor.post('/api/account/logout/')
    expect((await requestReset(world(), email, visitor)).status).toBe(200)
  })

  test('a reset request requires the CSRF token', async () => {
    expect(
      (
        await world()
          .visitor()
          .send('POST', '/api/account/password_reset_request/', {
            body: '{}',
            headers: { 'content-type': 'application/json' },
          })
      ).status,
    ).toBe(403)
  })
})

describe('password reset links', () => {
  test('using a reset link sets the password, ends all sessions, signs the visitor in and notifies the owner', async () => {
    const customer = await makeCustomer(world())
    const elsewhere = await logInAs(world(), customer)
    const link = await requestResetLink(world(), customer.email)
    const visitor = world().visitor()
    await visitor.get('/api/account/')
    const before = visitor.cookie('fantail')
    const { status, body } = await submitReset(link, visitor, 'korimako2')
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { authenticated: true, user: { email: customer.email } },
    })
    expect(JSON.stringify(body)).not.toContain('korimako2')

    expect(visitor.cookie('fantail')).not.toBe(before)
    expect(await isSignedIn(visitor)).toBe(true)
    expect([await isSignedIn(customer.visitor), await isSignedIn(elsewhere)]).toEqual([false, false])
    await expect(logInAs(world(), customer)).rejects.toThrow('login answered 400')
    expect(await isSignedIn(await logInAs(world(), { ...customer, password: 'korimako2' }))).toBe(true)

    const mail = await pollUntil(async () =>
      (await world().mailTo(customer.email)).find(({ subject }) => subject === 'Your password was changed'),
    )
    expect(mail.links).toContain(`${world().url}/forgot-password/`)
    expect(await eventsOf(customer.id)).toContain('password_reset')
  })

  test('using a reset link also confirms the email address', async () => {
    const { visitor, email } = await makeCustomer(world(), { verified: false })
    const { body } = await submitReset(await requestResetLink(world(), email), visitor, 'korimako2')
    expect(body).toMatchObject({ authenticated: true, user: { email_verified: true } })
  })

  test("using a reset link ends a different customer's session in the same browser", async () => {
    const [owner, guest] = [await makeCustomer(world()), await makeCustomer(world())]
    const guests = guest.visitor.cookie('fantail') ?? ''
    expect(
      (await submitReset(await requestResetLink(world(), owner.email), guest.visitor, 'korimako2')).body,
    ).toMatchObject({ user: { email: owner.email } })
    const back = world().visitor()
    back.setCookie('fantail', guests)
    expect(await isSignedIn(back)).toBe(false)
  })

  test('a reset link works only once', async () => {
    const customer = await makeCustomer(world())
    const link = await requestResetLink(world(), customer.email)
    expect((await submitReset(link, world().visitor(), 'korimako2')).status).toBe(200)
    expect(await submitReset(link, world().visitor(), 'korimako3')).toMatchObject({ status: 400, body: badLink })
    expect(await isSignedIn(await logInAs(world(), { ...customer, password: 'korimako2' }))).toBe(true)
  })

  test('a reset link expires after one hour', async () => {
    const [inTime, late] = [await makeCustomer(world()), await makeCustomer(world())]
    const links = [await requestResetLink(world(), inTime.email), await requestResetLink(world(), late.email)] as const
    await world().advance('PT58M')
    expect((await submitReset(links[0], world().visitor(), 'korimako2')).status).toBe(200)
    await world().advance('PT2H')
    expect(await submitReset(links[1], world().visitor(), 'korimako2')).toMatchObject({ status: 400, body: badLink })
    expect(await isSignedIn(late.visitor)).toBe(true)
  })

  test('a reset link is invalid once the password has changed', async () => {
    const customer = await makeCustomer(world())
    const link = await requestResetLink(world(), customer.email)
    const changed = await customer.visitor.post('/api/account/change_password/', {
      old_password: customer.password,
      new_password: 'korimako2',
      password_confirm: 'korimako2',
    })
    expect(changed.status).toBe(200)
    expect(await submitReset(link, world().visitor(), 'korimako3')).toMatchObject({ status: 400, body: badLink })
  })

  test("a reset link's token does not work for a different account", async () => {
    const [mine, theirs] = [await makeCustomer(world()), await makeCustomer(world())]
    const [link, other] = [await requestResetLink(world(), mine.email), await requestResetLink(world(), theirs.email)]
    expect(await submitReset({ ...link, uid: other.uid }, world().visitor(), 'korimako2')).toMatchObject({
      status: 400,
      body: badLink,
    })
    expect(await logInAs(world(), theirs)).toBeTruthy()
    expect((await submitReset(link, world().visitor(), 'korimako2')).body).toMatchObject({
      user: { email: mine.email },
    })
  })

  test("a reset link is invalid once the account's email address has changed", async () => {
    const { email, id } = await makeCustomer(world())
    const link = await requestResetLink(world(), email)
    await world().db.updateTable('users').set({ email: newEmail() }).where('id', '=', id).execute()
    expect(await submitReset(link, world().visitor(), 'korimako2')).toMatchObject({ status: 400, body: badLink })
  })

  test("a verification token cannot reset a password, and a reset invalidates the account's email change token", async () => {
    const { email, id } = await makeCustomer(world())
    const now = () => world().deps.clock.now()
    const issue = (purpose: 'verify' | 'change-email') =>
      transact(world().db, (trx) => issueToken(trx, { purpose, userId: id, email, at: now(), hours: 1 }))
    const [verify, changeEmail] = [await issue('verify'), await issue('change-email')]
    const link = await requestResetLink(world(), email)
    expect(await submitReset({ uid: link.uid, token: verify }, world().visitor(), 'korimako2')).toMatchObject({
      status: 400,
      body: badLink,
    })
    expect((await submitReset(link, world().visitor(), 'korimako2')).status).toBe(200)
    const shown = { token: changeEmail, purpose: 'change-email' } as const
    expect(await transact(world().db, (trx) => consumeToken(trx, shown, now()))).toBeUndefined()
  })

  test('a rejected password does not use up the reset link', async () => {
    const customer = await makeCustomer(world(), { first_name: 'Ngaio', last_name: 'Kauri' })
    const link = await requestResetLink(world(), customer.email)
    const personal = 'Your password can’t contain your name or email address.'
    const common = 'This password is too easy to guess. Please choose another one.'
    const refused: [password: unknown, confirm: unknown, errors: object][] = [
      ['', '', { password: ['This field is required.'], password_confirm: ['This field is required.'] }],
      [123_456, 123_456, { password: ['This field is required.'], password_confirm: ['This field is required.'] }],
      ['kori1', 'kori1', { password: ['Password must be at least 6 characters.'] }],
      ['x'.repeat(201), 'x'.repeat(201), { password: ['Your password can be up to 200 characters.'] }],
      ['123456', '123456', { password: ['Your password must have at least one letter.'] }],
      ['korimako2', 'korimako3', { password_confirm: ["The two password fields don't match."] }],
      ['ngaio2026', 'ngaio2026', { password: [personal] }],
      ['my KAURI 1', 'my KAURI 1', { password: [personal] }],
      [`1${customer.email}`, `1${customer.email}`, { password: [personal] }],
      ['Password1', 'Password1', { password: [common] }],
      ['Password1', 'korimako3', { password: [common], password_confirm: ["The two password fields don't match."] }],
    ]
    for (const [password, confirm, errors] of refused) {
      const { status, body } = await submitReset(link, world().visitor(), password, { confirm })
      expect({ password, status, body }).toEqual({ password, status: 400, body: errors })
    }
    expect(await isSignedIn(customer.visitor)).toBe(true)
    expect((await submitReset(link, world().visitor(), '<b>tui</b> %0d%0a ${7*7} ')).status).toBe(200)
    expect(await isSignedIn(await logInAs(world(), { ...customer, password: '<b>tui</b> %0d%0a ${7*7} ' }))).toBe(true)
  })

  test('an invalid reset link does not reveal whether the new password would be acceptable', async () => {
    const { id } = await makeCustomer(world(), { first_name: 'Ngaio' })
    const link = { uid: Buffer.from(id).toString('base64url'), token: 'A'.repeat(43) }
    for (const password of ['ngaio2026', 'password1'])
      expect(await submitReset(link, world().visitor(), password)).toMatchObject({ status: 400, body: badLink })
  })

  test.each([
    ['x', 'y'],
    ['!!!!', '????'.replaceAll('?', '%3F')],
    ['%E2%98%83', '%F0%9F%90%9A'],
    [`${Buffer.from('00000000-0000-4000-8000-000000000000').toString('base64url')}`, 'A'.repeat(43)],
    [`${Buffer.from('00000000-0000-4000-8000-000000000000').toString('base64')}==`, 'A'.repeat(43)],
    [Buffer.from("' or 1=1 --").toString('base64url'), "'%20or%201=1"],
    ['..%2F..', '..%2F..'],
    ['%0d%0aSet-Cookie:a=b', '%3Cscript%3E'],
  ])('answers 400 to a made-up reset link with account %s and token %s', async (uid, token) => {
    expect(await submitReset({ uid, token }, world().visitor(), 'korimako2')).toMatchObject({
      status: 400,
      body: badLink,
    })
  })

  test('answers 400 or 404 to a reset link that is too long or malformed', async () => {
    const statusOf = async (uid: string) =>
      (await submitReset({ uid, token: 'b'.repeat(290) }, world().visitor(), 'korimako2')).status
    expect([
      await statusOf('a'.repeat(290)),
      await statusOf('%zz'),
      await statusOf('%00'),
      await statusOf('a'.repeat(10_000)),
    ]).toEqual([400, 400, 404, 404])
  })

  test('limits attempts to use reset links per session and per IP address', async () => {
    const visitor = world().visitor()
    const guess = (from = world().visitor()) => submitReset({ uid: 'x', token: 'y' }, from, 'korimako2')
    for (let time = 0; time < 30; time++) expect((await guess(visitor)).status).toBe(400)
    expect((await guess(visitor)).status).toBe(429)
    expect((await guess()).status).toBe(400)
    await world().db.updateTable('rate_limits').set({ count: 1_200 }).execute()
    expect((await guess()).status).toBe(429)
  })
})
