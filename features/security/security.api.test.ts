import { beforeEach, describe, expect, test } from 'vitest'
import { realNow, toDate } from '#kit/server/clock.ts'
import { hashToken } from '#kit/server/secrets.ts'
import { type Customer, logInAs, makeCustomer } from '#quality/support/customer.ts'
import { logInWithUserAgent, userAgents } from '#quality/support/browser-names.ts'
import type { Answer, Visitor } from '#quality/support/visitor.ts'
import { useWorld } from '#quality/support/world.ts'

const world = useWorld()
beforeEach(() => world().db.deleteFrom('rate_limits').execute())

const { firefoxOnWindows: firefox, safariOnIphone: safari } = userAgents

const elsewhere = (customer: Customer, userAgent = ''): Promise<Visitor> =>
  logInWithUserAgent(world(), customer, userAgent)

type Session = { id: string; browser: string | null; system: string | null; last_seen: string; is_current: boolean }
const listed = async (visitor: Visitor): Promise<Session[]> =>
  (await visitor.get('/api/account/sessions/')).body.sessions
const isSignedIn = async (visitor: Visitor): Promise<boolean> => (await visitor.get('/api/account/')).body.authenticated
const idOf = async (visitor: Visitor): Promise<string> =>
  (await listed(visitor)).find(({ is_current }) => is_current)?.id ?? ''
const endOne = (visitor: Visitor, id: string): Promise<Answer> =>
  visitor.send('DELETE', `/api/account/sessions/${id}/`, {
    headers: { 'x-csrftoken': visitor.cookie('csrftoken') ?? '' },
  })
const endOthers = (visitor: Visitor): Promise<Answer> => visitor.post('/api/account/end_other_sessions/')
const eventsOf = async (
  visitor: Visitor,
): Promise<{ at: string; text: string; times: number; browser: string | null; system: string | null }[]> =>
  (await visitor.get('/api/account/security_events/')).body.events

const rowOf = (visitor: Visitor) =>
  world()
    .db.updateTable('sessions')
    .where('token_hash', '=', hashToken(visitor.cookie('fantail')?.split('.')[0] ?? ''))
const seen = (visitor: Visitor, hours: number) =>
  rowOf(visitor)
    .set({ last_seen_at: toDate(realNow().subtract({ hours })) })
    .execute()

describe('list of a customer’s sessions', () => {
  test('lists the customer’s own sessions, the current session first and the others by most recent use', async () => {
    const customer = await makeCustomer(world())
    await makeCustomer(world())
    const [phone, office] = [await elsewhere(customer, safari), await elsewhere(customer, firefox)]
    await seen(phone, 5)
    await seen(office, 50)
    const sessions = await listed(customer.visitor)
    expect(sessions).toEqual([
      {
        id: expect.stringMatching(/^[\da-f-]{36}$/),
        browser: null,
        system: null,
        last_seen: expect.any(String),
        is_current: true,
      },
      { id: expect.any(String), browser: 'Safari', system: 'iPhone', last_seen: expect.any(String), is_current: false },
      {
        id: expect.any(String),
        browser: 'Firefox',
        system: 'Windows',
        last_seen: expect.any(String),
        is_current: false,
      },
    ])
    const agesInHours = sessions.map(({ last_seen }) => Math.round((Date.now() - Date.parse(last_seen)) / 3_600_000))
    expect(agesInHours).toEqual([0, 5, 50])
    expect((await listed(office))[0]).toMatchObject({ browser: 'Firefox', is_current: true })
  })

  test('the lists of sessions and security events do not reveal cookies, headers, IP addresses or email addresses', async () => {
    const customer = await makeCustomer(world())
    const odd = await elsewhere(customer, 'Tui/1.0 (secret; +64215550142) Chrome/1')
    const answer = JSON.stringify([await listed(odd), await eventsOf(odd)])
    for (const hidden of [
      'Tui',
      'secret',
      // Search for most of the phone number's digits, because a few of them might occur in a random ID by chance.
      '215550142',
      '127.0.0.1',
      odd.cookie('fantail')?.slice(0, 43) ?? '',
      customer.email,
    ])
      expect(answer).not.toContain(hidden)
    expect(
      await world()
        .db.selectFrom('sessions')
        .select(['browser', 'system'])
        .where('user_id', '=', customer.id)
        .where('browser', 'is not', null)
        .execute(),
    ).toEqual([{ browser: 'Chrome', system: null }])
  })

  test('sessions that have been idle for 14 days are logged out and no longer listed', async () => {
    const customer = await makeCustomer(world())
    const [idle, used] = [await elsewhere(customer), await elsewhere(customer)]
    await seen(idle, 14 * 24)
    await seen(used, 14 * 24 - 1)
    expect(await listed(customer.visitor)).toHaveLength(2)
    expect([await isSignedIn(idle), await isSignedIn(used)]).toEqual([false, true])
    expect((await idle.get('/api/services/')).status).toBe(401)
    await seen(used, 13 * 24)
    expect(await isSignedIn(used)).toBe(true)
  })
})

describe('logging out other sessions', () => {
  test('logging out a session ends only that session and returns the remaining sessions', async () => {
    const customer = await makeCustomer(world())
    const [phone, office] = [await elsewhere(customer), await elsewhere(customer)]
    const id = await idOf(phone)
    const { status, body } = await endOne(customer.visitor, id)
    expect({ status, ids: body.sessions.map((session: Session) => session.id) }).toEqual({
      status: 200,
      ids: [await idOf(customer.visitor), await idOf(office)],
    })
    expect([await isSignedIn(customer.visitor), await isSignedIn(phone), await isSignedIn(office)]).toEqual([
      true,
      false,
      true,
    ])
    expect((await endOne(customer.visitor, id)).status).toBe(404)
    expect(await isSignedIn(await logInAs(world(), customer))).toBe(true)
  })

  test('a request to end another customer’s session or an unknown session gets a 404 and ends nothing', async () => {
    const [customer, stranger] = [await makeCustomer(world()), await makeCustomer(world())]
    const id = await idOf(customer.visitor)
    const answers = []
    for (const wanted of [id, crypto.randomUUID(), 'x', '%00', "' or 1=1 --", 'a'.repeat(200)])
      answers.push(await endOne(stranger.visitor, encodeURIComponent(wanted)))
    expect(answers.map(({ status, body }) => ({ status, body }))).toEqual(
      answers.map(() => ({ status: 404, body: { code: 'Not found.' } })),
    )
    expect(await isSignedIn(customer.visitor)).toBe(true)
  })

  test('the endpoint for ending other sessions answers 409 for the current session', async () => {
    const { visitor } = await makeCustomer(world())
    const { status, body } = await endOne(visitor, await idOf(visitor))
    expect({ status, body }).toEqual({
      status: 409,
      body: { __all__: ['You’re using this device now. To log out of it, use Logout.'] },
    })
    expect(await isSignedIn(visitor)).toBe(true)
  })

  test('ending sessions requires a CSRF token and a logged-in customer with a confirmed email address', async () => {
    const customer = await makeCustomer(world())
    const other = await elsewhere(customer)
    const id = await idOf(other)
    expect((await customer.visitor.send('DELETE', `/api/account/sessions/${id}/`)).status).toBe(403)
    expect(
      (
        await customer.visitor.send('POST', '/api/account/end_other_sessions/', {
          headers: { 'content-type': 'application/json' },
          body: '{}',
        })
      ).status,
    ).toBe(403)
    const stranger = world().visitor()
    await stranger.get('/api/account/')
    expect([
      (await endOne(stranger, id)).status,
      (await endOthers(stranger)).status,
      (await stranger.get('/api/account/sessions/')).status,
    ]).toEqual([401, 401, 401])
    const unconfirmed = await makeCustomer(world(), { verified: false })
    expect([(await endOne(unconfirmed.visitor, id)).status, (await endOthers(unconfirmed.visitor)).status]).toEqual([
      403, 403,
    ])
    expect(await isSignedIn(other)).toBe(true)
  })
})

test('logging out everywhere else keeps the current session and other customers’ sessions', async () => {
  const [customer, stranger] = [await makeCustomer(world()), await makeCustomer(world())]
  const others = [await elsewhere(customer), await elsewhere(customer)]
  const { status, body } = await endOthers(customer.visitor)
  expect({ status, sessions: body.sessions }).toEqual({
    status: 200,
    sessions: [expect.objectContaining({ is_current: true })],
  })
  expect(await Promise.all([customer.visitor, stranger.visitor, ...others].map(isSignedIn))).toEqual([
    true,
    true,
    false,
    false,
  ])
  expect((await endOthers(customer.visitor)).status).toBe(200)
  expect((await endOthers(others[0] as Visitor)).status).toBe(401)
})

describe('list of a customer’s security events', () => {
  test('the security events say what happened, when and in which browser, newest first', async () => {
    const customer = await makeCustomer(world())
    await customer.visitor.post('/api/account/login/', { username: customer.email, password: 'wrong 1' })
    const phone = await elsewhere(customer, safari)
    await phone.post(
      '/api/account/change_password/',
      { old_password: customer.password, new_password: 'kereru 22', password_confirm: 'kereru 22' },
      { 'user-agent': safari },
    )
    const events = await eventsOf(phone)
    const onPhone = { browser: 'Safari', system: 'iPhone' }
    expect(events).toMatchObject([
      { text: 'Your password was changed.', times: 1, ...onPhone },
      { text: 'Logged in to your account.', times: 1, ...onPhone },
      { text: 'A login with a wrong password failed.', times: 1, browser: null, system: null },
      { text: 'Logged in to your account.', times: 1, browser: null, system: null },
    ])
    expect(Object.keys(events[0] ?? {}).toSorted()).toEqual(['at', 'browser', 'system', 'text', 'times'])
    expect(Math.abs(Date.now() - Date.parse(events[0]?.at ?? ''))).toBeLessThan(60_000)
  })

  test('lists only the customer’s own security events, including those from devices that have been logged out', async () => {
    const [customer, stranger] = [await makeCustomer(world()), await makeCustomer(world())]
    await endOne(customer.visitor, await idOf(await elsewhere(customer)))
    await endOthers(customer.visitor)
    expect((await eventsOf(customer.visitor)).map(({ text }) => text)).toEqual([
      'All other devices were logged out.',
      'A device was logged out.',
      'Logged in to your account.',
    ])
    expect(await eventsOf(stranger.visitor)).toMatchObject([{ text: 'Logged in to your account.' }])
    expect(await eventsOf(stranger.visitor)).toHaveLength(1)
  })

  const act = (customer: Customer, event: string, seconds: number) => ({
    at: toDate(world().deps.clock.now().add({ seconds })),
    event,
    user_id: customer.id,
    session_id: null,
    details: '{}',
  })
  const insert = (acts: ReturnType<typeof act>[]) => world().db.insertInto('audit_events').values(acts).execute()

  test('lists at most twenty security events, and shows identical events in a row as one entry with a count', async () => {
    const customer = await makeCustomer(world())
    await insert(Array.from({ length: 7 }, (_, index) => act(customer, 'details_changed', 1 + index)))
    expect((await eventsOf(customer.visitor)).map(({ text, times }) => [text, times])).toEqual([
      ['Your name was changed.', 7],
      ['Logged in to your account.', 1],
    ])
    await insert(
      Array.from({ length: 60 }, (_, index) =>
        act(customer, index % 2 ? 'details_changed' : 'phone_changed', 100 + index),
      ),
    )
    expect(await eventsOf(customer.visitor)).toHaveLength(20)
  })

  test('a stranger’s failed logins cannot push other security events off the list', async () => {
    const customer = await makeCustomer(world())
    await insert([act(customer, 'login_failed', -31 * 86_400), act(customer, 'phone_changed', 1)])
    await insert(
      Array.from({ length: 1_200 }, (_, index) =>
        act(customer, index % 50 ? 'login_failed' : 'password_reset_requested', 2 + index),
      ),
    )
    expect((await eventsOf(customer.visitor)).map(({ text, times }) => [text, times])).toEqual([
      ['A login with a wrong password failed.', 1_000],
      ['A link to set a new password was requested.', 24],
      ['Your contact phone number was changed.', 1],
      ['Logged in to your account.', 1],
    ])
  })
})

test(
  'an intruder who reaches the limit for ending sessions cannot prevent the owner from ending the intruder’s session',
  { tags: ['slow'] },
  async () => {
    const customer = await makeCustomer(world())
    const stolen = await elsewhere(customer)
    const id = await idOf(stolen)
    const answers = []
    for (let time = 0; time < 61; time++) answers.push((await endOne(stolen, crypto.randomUUID())).status)
    expect([answers.filter((status) => status === 404).length, answers.at(-1)]).toEqual([60, 429])
    expect((await endOne(customer.visitor, id)).status).toBe(200)
    expect(await isSignedIn(stolen)).toBe(false)
  },
)
