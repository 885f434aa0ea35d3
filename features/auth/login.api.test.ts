import { beforeEach, describe, expect, test } from 'vitest'
import { logInAs, makeCustomer } from '#quality/support/customer.ts'
import { advanceWizardTo } from '#quality/support/activation-journey.ts'
import { newEmail, useWorld } from '#quality/support/world.ts'
import type { Answer, Visitor } from '#quality/support/visitor.ts'
import { insertUser } from './server/users.store.ts'

const world = useWorld({ hashing: 'real' })
beforeEach(async () => void (await world().db.deleteFrom('rate_limits').execute()))

const wrong = { __all__: ['Please enter a correct email address and password.'] }
const anonymous = { authenticated: false, user: null }
const logIn = (visitor: Visitor, username: unknown, password: unknown): Promise<Answer> =>
  visitor.post('/api/account/login/', { username, password })
const logOut = (visitor: Visitor): Promise<Answer> => visitor.post('/api/account/logout/')
const account = async (visitor: Visitor) => (await visitor.get('/api/account/')).body
const eventsOf = (userId: string) =>
  world()
    .db.selectFrom('audit_events')
    .select(['event', 'session_id', 'details'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute()

function holding(cookies: { fantail: string; csrftoken: string }): Visitor {
  const visitor = world().visitor()
  visitor.setCookie('fantail', cookies.fantail)
  visitor.setCookie('csrftoken', cookies.csrftoken)
  return visitor
}
const cookiesOf = (visitor: Visitor) => ({
  fantail: visitor.cookie('fantail') ?? '',
  csrftoken: visitor.cookie('csrftoken') ?? '',
})

describe('logging in', () => {
  test("logging in returns the customer's account, and later account requests in the same session return the same data", async () => {
    const customer = await makeCustomer(world(), { first_name: 'Mere', last_name: 'Tamihana' })
    const visitor = world().visitor()
    const { status, body } = await logIn(visitor, customer.email, customer.password)
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        authenticated: true,
        user: { email: customer.email, first_name: 'Mere', email_verified: true, credit_card_token: null },
      },
    })
    expect(await account(visitor)).toEqual(body)
  })

  test('hashes passwords with Argon2id at the recommended cost', async () => {
    const { email } = await makeCustomer(world())
    const users = world().db.selectFrom('users').select('password_hash').where('email', '=', email)
    expect((await users.executeTakeFirstOrThrow()).password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  })

  test('login ignores case and surrounding spaces in the email address, but not in the password', async () => {
    const { email, password } = await makeCustomer(world())
    expect((await logIn(world().visitor(), `  ${email.toUpperCase()} `, password)).status).toBe(200)
    expect((await logIn(world().visitor(), email, ` ${password}`)).status).toBe(400)
    expect((await logIn(world().visitor(), email, password.toUpperCase())).status).toBe(400)
  })

  test('login accepts an email address that was copied with invisible characters', async () => {
    const { email, password } = await makeCustomer(world())
    for (const typed of [`\u202d${email}\u202c`, `\u200e${email}`, `${email}\t`])
      expect((await logIn(world().visitor(), typed, password)).status).toBe(200)
  })

  test('a password works in every Unicode form, and a login replaces a hash of a form other than NFKC', async () => {
    const [composed, decomposed] = ['P\u014dhutukawa-99', 'Po\u0304hutukawa-99']
    for (const [chosen, typed] of [
      [composed, decomposed],
      [decomposed, composed],
      [decomposed, decomposed],
    ] as const) {
      // The world's helper hashes the password as it is, as sign-up did before passwords were normalised.
      const { email, id } = await makeCustomer(world(), { password: chosen })
      expect((await logIn(world().visitor(), email, typed)).status).toBe(200)
      const { password_hash: hash } = await world()
        .db.selectFrom('users')
        .select('password_hash')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      expect(hash).toBe(await world().deps.passwords.hash(composed, email))
      expect((await logIn(world().visitor(), email, chosen)).status).toBe(200)
    }
  })

  test(
    "the account details include the customer's contact phone and saved card, if there are any",
    { tags: ['slow'] },
    async () => {
      const two = await makeCustomer(world(), { services: 2, password: 'tui tui tui 1' })
      expect(new Set(two.services.map(({ id }) => id)).size).toBe(2)
      expect(await account(await logInAs(world(), two))).toMatchObject({
        user: { phone: two.services[0]?.msisdn, credit_card_token: null },
      })
      const payer = await makeCustomer(world(), { card: true, verified: false })
      expect(await account(payer.visitor)).toMatchObject({
        user: {
          email_verified: false,
          credit_card_token: { card_type: 'visa', masked_card_number: '**** **** **** 1111' },
        },
      })
    },
  )

  test('a login with an unknown email address gets the same response as one with a wrong password', async () => {
    const { email, id } = await makeCustomer(world())
    const [known, unknown] = [
      await logIn(world().visitor(), email, 'not this one 1'),
      await logIn(world().visitor(), newEmail(), 'not this one 1'),
    ]
    expect(known).toMatchObject({ status: 400, body: wrong })
    expect({ ...unknown, headers: null }).toEqual({ ...known, headers: null })
    const names = (answer: Answer) => [...answer.headers.keys()]
    expect(names(unknown)).toEqual(names(known))
    expect((await eventsOf(id)).at(-1)).toMatchObject({ event: 'login_failed', details: {} })
  })

  test('nobody can log in to an account that has no password', async () => {
    const email = newEmail()
    await world()
      .db.transaction()
      .execute((trx) =>
        insertUser(
          trx,
          { email, password_hash: '', first_name: 'Ana', last_name: '', marketing_consent: false },
          world().deps.clock.now(),
        ),
      )
    for (const guess of [' ', 'x', email])
      expect(await logIn(world().visitor(), email, guess)).toMatchObject({ status: 400, body: wrong })
    expect((await logIn(world().visitor(), email, '')).status).toBe(400)
  })

  test('the login endpoint requires both the email address and the password', async () => {
    const required = ['This field is required.']
    expect((await logIn(world().visitor(), ' ', '')).body).toEqual({ username: required, password: required })
    expect((await world().visitor().post('/api/account/login/')).body).toEqual({
      username: required,
      password: required,
    })
  })

  test('a signed-in customer can log in again, even as a different customer', async () => {
    const [one, other] = [await makeCustomer(world()), await makeCustomer(world())]
    const before = cookiesOf(one.visitor)
    expect((await logIn(one.visitor, one.email, one.password)).status).toBe(200)
    expect((await logIn(one.visitor, other.email, other.password)).body.user.email).toBe(other.email)
    expect((await account(one.visitor)).user.email).toBe(other.email)
    expect(await account(holding(before))).toEqual(anonymous)
  })

  test('a failed login does not log out the customer who is signed in', async () => {
    const { visitor, email } = await makeCustomer(world())
    expect((await logIn(visitor, newEmail(), 'whatever 1')).status).toBe(400)
    expect((await account(visitor)).user.email).toBe(email)
  })

  test('the audit trail records logins and logouts without email addresses', async () => {
    const { visitor, id, email } = await makeCustomer(world())
    await logOut(visitor)
    const events = await eventsOf(id)
    expect(events.map(({ event }) => event)).toEqual(['login', 'logout'])
    expect(events[0]?.session_id).toBe(events[1]?.session_id)
    expect(JSON.stringify(await world().db.selectFrom('audit_events').selectAll().execute())).not.toContain(email)
  })
})

describe('the session of a visitor who logs in', () => {
  test('a login gives the session a new token and revokes the old one', async () => {
    const customer = await makeCustomer(world(), { verified: false })
    const traveller = await advanceWizardTo(world(), 'DETAILS_ENTERED')
    const before = cookiesOf(traveller.visitor)
    expect((await logIn(traveller.visitor, customer.email, customer.password)).status).toBe(200)
    const after = cookiesOf(traveller.visitor)
    expect(after.fantail).not.toBe(before.fantail)
    expect(after.csrftoken).not.toBe(before.csrftoken)
    expect(await traveller.look()).toMatchObject({ state: 'DETAILS_ENTERED', email: customer.email })
    const old = holding(before)
    expect((await old.get('/api/activate/')).status).toBe(404)
    expect(await account(old)).toEqual(anonymous)
    expect((await traveller.visitor.post('/api/account/logout/', {}, { 'x-csrftoken': before.csrftoken })).status).toBe(
      403,
    )
  })

  test("an attacker who plants a session cookie in a victim's browser gains no access when the victim logs in", async () => {
    const customer = await makeCustomer(world())
    const looked = world().visitor()
    await looked.get('/api/account/')
    for (const attacker of [looked, (await advanceWizardTo(world(), 'CREATED')).visitor]) {
      const planted = cookiesOf(attacker)
      const victim = holding(planted)
      expect((await logIn(victim, customer.email, customer.password)).status).toBe(200)
      expect(await account(attacker)).toEqual(anonymous)
      expect((await attacker.get('/api/activate/')).status).toBe(404)
      expect((await account(victim)).authenticated).toBe(true)
    }
  })

  test.each(['made-up', `${'a'.repeat(43)}.${'0'.repeat(32)}`, "' or 1=1 --", '.'])(
    'a made-up session cookie (%s) gives no access before or after the login',
    async (planted) => {
      const customer = await makeCustomer(world())
      const victim = world().visitor()
      victim.setCookie('fantail', planted)
      await victim.get('/api/account/')
      expect((await logIn(victim, customer.email, customer.password)).status).toBe(200)
      expect(victim.cookie('fantail')).not.toBe(planted)
      expect(await account(holding({ fantail: planted, csrftoken: '' }))).toEqual(anonymous)
    },
  )

  test('logging in as a different customer ends the previous session and its activation', async () => {
    const [one, other] = [await makeCustomer(world()), await makeCustomer(world())]
    await advanceWizardTo({ ...world(), visitor: () => one.visitor }, 'DETAILS_ENTERED')
    const before = cookiesOf(one.visitor)
    await logIn(one.visitor, other.email, other.password)
    expect((await one.visitor.get('/api/activate/')).status).toBe(404)
    expect((await holding(before).get('/api/activate/')).status).toBe(404)
  })
})

describe('logging out', () => {
  test('after a logout, the session cookie gives access to neither the account nor the activation', async () => {
    const { visitor } = await makeCustomer(world())
    await advanceWizardTo({ ...world(), visitor: () => visitor }, 'DETAILS_ENTERED')
    const before = cookiesOf(visitor)
    const { status, body } = await logOut(visitor)
    expect({ status, body }).toEqual({ status: 200, body: anonymous })
    expect(cookiesOf(visitor).fantail).not.toBe(before.fantail)
    expect(cookiesOf(visitor).csrftoken).not.toBe(before.csrftoken)
    expect((await visitor.get('/api/activate/')).status).toBe(404)
    expect(await account(holding(before))).toEqual(anonymous)
    expect((await holding(before).get('/api/activate/')).status).toBe(404)
    expect(
      (await holding(before).get('/api/account/resend_verification/', { 'x-csrftoken': before.csrftoken })).status,
    ).toBe(401)
    expect(await logOut(holding(before))).toMatchObject({ status: 200, body: anonymous })
    // Loading a page starts a new session, which makes the old CSRF token invalid.
    const late = holding(before)
    await late.get('/api/account/')
    expect((await late.post('/api/account/logout/', {}, { 'x-csrftoken': before.csrftoken })).status).toBe(403)
  })

  test('a browser can start a new activation after a logout or after its session has expired', async () => {
    const customer = await makeCustomer(world())
    await logOut(customer.visitor)
    const before = cookiesOf(customer.visitor)
    await advanceWizardTo({ ...world(), visitor: () => customer.visitor }, 'CREATED')
    expect(cookiesOf(customer.visitor)).toEqual(before)
    await world().db.updateTable('sessions').set({ expires_at: new Date() }).execute()
    await customer.visitor.get('/api/account/')
    expect(cookiesOf(customer.visitor)).not.toEqual(before)
    const again = await advanceWizardTo({ ...world(), visitor: () => customer.visitor }, 'PORTING_ENTERED', {
      port: { msisdn: '027 555 0142', provider: 'skinny', billing_method: 1 },
    })
    expect((await again.look()).state).toBe('PORTING_ENTERED')
  })

  test("logging out without being signed in succeeds and ends the visitor's activation", async () => {
    const { visitor } = await advanceWizardTo(world(), 'CREATED')
    expect(await logOut(visitor)).toMatchObject({ status: 200, body: anonymous })
    expect((await visitor.get('/api/activate/')).status).toBe(404)
    expect(await logOut(world().visitor())).toMatchObject({ status: 200, body: anonymous })
  })

  test("a logout clears the browser's cache and storage, but keeps the known-browser cookie", async () => {
    const { visitor } = await makeCustomer(world())
    const device = visitor.cookie('fantail_device')
    const elsewhere = await visitor.get('/api/account/')
    const { status, headers } = await logOut(visitor)
    expect([status, headers.get('clear-site-data'), elsewhere.headers.get('clear-site-data')]).toEqual([
      200,
      '"cache", "storage"',
      null,
    ])
    expect([
      visitor.cookie('fantail_device'),
      headers.getSetCookie().some((line) => line.startsWith('fantail_device=')),
    ]).toEqual([device, false])
    expect(device).toBeTruthy()
    const refused = await visitor.post('/api/account/logout/', {}, { 'x-csrftoken': 'another' })
    expect([refused.status, refused.headers.get('clear-site-data')]).toEqual([403, null])
  })

  test("a logout does not end the customer's other sessions", async () => {
    const customer = await makeCustomer(world())
    const elsewhere = await logInAs(world(), customer)
    await logOut(customer.visitor)
    expect((await account(elsewhere)).authenticated).toBe(true)
  })
})

describe.each(['login', 'logout'])('%s', (call) => {
  test("answers 403 to a login or logout from another site or without the session's CSRF token", async () => {
    const customer = await makeCustomer(world())
    const visitor = call === 'login' ? world().visitor() : customer.visitor
    await visitor.get('/api/account/')
    const other = world().visitor()
    await other.get('/api/account/')
    const token = visitor.cookie('csrftoken') ?? ''
    const attempts: Record<string, string>[] = [
      {},
      { 'x-csrftoken': other.cookie('csrftoken') ?? '' },
      { 'x-csrftoken': token, origin: 'https://evil.example' },
      { 'x-csrftoken': token, origin: 'null' },
    ]
    for (const headers of attempts) {
      const body = JSON.stringify({ username: customer.email, password: customer.password })
      const answer = await visitor.send('POST', `/api/account/${call}/`, {
        headers: { 'content-type': 'application/json', ...headers },
        body,
      })
      expect({ headers, status: answer.status }).toEqual({ headers, status: 403 })
    }
    expect((await account(visitor)).authenticated).toBe(call === 'logout')
  })
})

describe('unusual login input', () => {
  const odd = [
    '<script>alert(1)</script>',
    'ana@example.nz\r\nBcc: all@example.nz',
    'x'.repeat(10_000),
    'a\0b',
    '\ud800',
    '{{7*7}}',
    "' or ''='",
    7,
    null,
    [],
    {},
    ['a'],
    true,
  ]

  test.each(odd)('answers 400 to %o in either login field, without repeating it in the response', async (value) => {
    const { email, password } = await makeCustomer(world())
    for (const [username, secret] of [
      [value, password],
      [email, value],
    ]) {
      const { status, body } = await logIn(world().visitor(), username, secret)
      expect({ status, body }).toEqual({ status: 400, body: expect.any(Object) })
      expect(JSON.stringify(body)).not.toMatch(/script|Bcc|xxx/)
    }
  })
})
