import { describe, expect, test } from 'vitest'
import { transact } from '#kit/server/db.ts'
import { hashToken } from '#kit/server/secrets.ts'
import { saveSession, readSession } from '#kit/server/session.ts'
import { createEmptyAccountParts } from '#quality/support/account-parts.ts'
import { useRouteServer } from '#quality/support/route-server.ts'
import { newEmail } from '#quality/support/visitor.ts'
import type { AuthDeps } from './server/auth.deps.ts'
import { authRoutes } from './server/auth.routes.ts'
import { isMailStopped } from '#features/messages/server/mail-stops.store.ts'
import { queueMail } from '#features/messages/server/messages.ts'
import { findOrCreateOrderAccount, issueVerificationToken } from './server/auth.ts'
import { findUser, markEmailVerified } from './server/users.store.ts'
import { findVisitor } from './server/visitor.store.ts'

// No emails are sent in these tests, so the routes need neither a job queue nor the brand's settings.
const rig = useRouteServer((parts) =>
  authRoutes({ ...parts, accountParts: createEmptyAccountParts() } as Partial<AuthDeps> as AuthDeps),
)

const password = 'korimako1'
const signup = (email: string) => ({
  id: crypto.randomUUID(),
  session_id: null,
  user_id: null,
  joins_user_id: null,
  email,
  full_name: 'Ana Mere Rewi',
  password_hash: '$argon2id$x',
  marketing_consent: true,
})

async function newAccount(session_id: string | null = null): Promise<{ email: string; userId: string; token: string }> {
  const email = newEmail()
  const { db, clock, passwords } = rig()
  const password_hash = await passwords.hash(password, email)
  return transact(db, async (trx) => {
    const { userId } = await findOrCreateOrderAccount(trx, clock, { ...signup(email), session_id, password_hash })
    return { email, userId, token: (await issueVerificationToken(trx, userId, clock.now())) ?? '' }
  })
}

describe('GET /api/account/', () => {
  test('returns no user to a visitor who has not logged in', async () => {
    const { status, body } = await rig().visitor().get('/api/account/')
    expect({ status, body }).toEqual({ status: 200, body: { authenticated: false, user: null } })
  })

  test("returns a logged-in customer's details, without secrets", async () => {
    const { email, userId } = await newAccount()
    const { db, secrets } = rig()
    const visitor = rig().visitor()
    await visitor.get('/api/account/')
    const { session } = await readSession(db, secrets, visitor.cookie('fantail'), findVisitor)
    await saveSession(db, { ...session, userId })
    const { body } = await visitor.get('/api/account/')
    expect(body).toEqual({
      authenticated: true,
      user: {
        email,
        email_verified: false,
        first_name: 'Ana',
        last_name: 'Mere Rewi',
        phone: null,
        phone_display: null,
        last_updated: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
        credit_card_token: null,
        email_verification: null,
      },
    })
    await db.deleteFrom('users').where('id', '=', userId).execute()
    expect((await visitor.get('/api/account/')).body).toEqual({ authenticated: false, user: null })
  })
})

describe('email confirmation links', () => {
  const invalid = { token: ['This link is no longer valid. It may have been used already, or have expired.'] }
  const verify = (token: unknown) => rig().visitor().post('/api/account/verify_email/', { token, password })
  const verifiedAt = async (userId: string) => (await findUser(rig().db, userId))?.email_verified_at

  test("a confirmation link works once, requires the account's password and does not sign the customer in", async () => {
    const { userId, token } = await newAccount()
    const visitor = rig().visitor()
    expect(await visitor.post('/api/account/verify_email/', { token, password })).toMatchObject({
      status: 200,
      body: { email_verified: true, joined: false },
    })
    expect(await verifiedAt(userId)).toBeInstanceOf(Date)
    const events = await rig()
      .db.selectFrom('audit_events')
      .select(['event', 'details'])
      .where('user_id', '=', userId)
      .orderBy('id')
      .execute()
    expect(events).toEqual([
      { event: 'account_made', details: {} },
      { event: 'email_verified', details: {} },
    ])
    expect((await visitor.get('/api/account/')).body.authenticated).toBe(false)
    expect(await verify(token)).toMatchObject({ status: 400, body: invalid })
  })

  test('a confirmation link expires after seven days', async () => {
    const [inTime, late] = [await newAccount(), await newAccount()]
    const { clock } = rig()
    clock.setOffset(7 * 86_400_000 - 60_000)
    expect((await verify(inTime.token)).status).toBe(200)
    clock.setOffset(7 * 86_400_000)
    expect(await verify(late.token)).toMatchObject({ status: 400, body: invalid })
    clock.setOffset(0)
    expect(await verifiedAt(late.userId)).toBeNull()
  })

  test('a confirmation link confirms only the email address it was sent to', async () => {
    const { userId, token } = await newAccount()
    await rig().db.updateTable('users').set({ email: newEmail() }).where('id', '=', userId).execute()
    expect(await verify(token)).toMatchObject({ status: 400, body: invalid })
    expect(await verifiedAt(userId)).toBeNull()
  })

  test("using a confirmation link invalidates the account's other confirmation links", async () => {
    const { userId, token } = await newAccount()
    const { db, clock } = rig()
    const second = await transact(db, (trx) => issueVerificationToken(trx, userId, clock.now()))
    expect((await verify(second)).status).toBe(200)
    expect(await verify(token)).toMatchObject({ status: 400, body: invalid })
  })

  test('only one of twenty concurrent uses of a confirmation link succeeds', async () => {
    const { db, secrets } = rig()
    const visitor = rig().visitor()
    await visitor.get('/api/account/')
    const { session } = await readSession(db, secrets, visitor.cookie('fantail'), findVisitor)
    const { token } = await newAccount(await saveSession(db, session))
    const statuses = await Promise.all(
      Array.from({ length: 20 }, async () => (await visitor.post('/api/account/verify_email/', { token })).status),
    )
    expect(statuses.toSorted()).toEqual([200, ...Array<number>(19).fill(400)])
  })

  test("a confirmation link confirms nothing without the account's password", async () => {
    const { userId, token } = await newAccount()
    const visitor = rig().visitor()
    const about = await visitor.post('/api/account/verify_email/about/', { token })
    expect(about).toMatchObject({
      status: 200,
      body: { phone_number: null, needs_password: true, needs_account_password: false },
    })
    const bare = await visitor.post('/api/account/verify_email/', { token })
    expect(bare).toMatchObject({
      status: 400,
      body: { password: ['Please enter the password you chose when you activated this SIM.'] },
    })
    const guess = await visitor.post('/api/account/verify_email/', { token, password: 'korimako2' })
    expect(guess).toMatchObject({
      status: 400,
      body: { password: ['That isn’t the password you chose when you activated this SIM.'] },
    })
    expect(await verifiedAt(userId)).toBeNull()
    expect((await verify(token)).status).toBe(200)
  })

  test('a confirmation link allows ten wrong passwords, just as a login does', async () => {
    const { token } = await newAccount()
    const guess = async (typed: string) =>
      (await rig().visitor().post('/api/account/verify_email/', { token, password: typed })).status
    for (let time = 0; time < 10; time++) expect(await guess(`wrong ${time}`)).toBe(400)
    expect(await guess(password)).toBe(429)
    await rig().db.deleteFrom('rate_limits').execute()
  })

  test("an email address's owner can disown an account with that address, which stops its emails but deletes nothing", async () => {
    const { userId, email, token } = await newAccount()
    const { db, clock } = rig()
    expect(await rig().visitor().post('/api/account/verify_email/not_me/', { token })).toMatchObject({
      status: 200,
      body: { mail_stopped: true },
    })
    expect(await transact(db, (trx) => isMailStopped(trx, userId))).toBe(true)
    expect(await findUser(db, userId)).toMatchObject({ email, email_verified_at: null })
    expect(await verify(token)).toMatchObject({ status: 400, body: invalid })
    const events = await db
      .selectFrom('audit_events')
      .select('event')
      .where('user_id', '=', userId)
      .orderBy('id')
      .execute()
    expect(events.map(({ event }) => event)).toEqual(['account_made', 'address_disowned'])
    const mail = {
      eventKey: `a test:${userId}`,
      to: { id: userId, email },
      subject: 'x',
      heading: 'x',
      paragraphs: [],
      rows: [],
      button: null,
    }
    await transact(db, (trx) =>
      queueMail(trx, { clock } as Partial<Parameters<typeof queueMail>[1]> as Parameters<typeof queueMail>[1], mail),
    )
    expect(await db.selectFrom('messages').select('id').where('recipient', '=', email).execute()).toEqual([])
  })

  test.each([undefined, '', 'made up', 'a'.repeat(500), ['x'], { x: 1 }, 7])(
    "rejects %o as a confirmation link's token",
    async (token) => {
      expect(await verify(token)).toMatchObject({ status: 400, body: { token: [expect.any(String)] } })
    },
  )

  test("stores only a confirmation token's hash, and issues no token once the address is confirmed", async () => {
    const { userId, token } = await newAccount()
    const { db, clock } = rig()
    const rows = await db.selectFrom('email_tokens').selectAll().where('user_id', '=', userId).execute()
    expect(rows.map((row) => row.token_hash)).toEqual([hashToken(token)])
    await verify(token)
    expect(await transact(db, (trx) => issueVerificationToken(trx, userId, clock.now()))).toBeNull()
  })
})

describe('the account that an order belongs to', () => {
  const claim = (order: Parameters<typeof findOrCreateOrderAccount>[2]) =>
    transact(rig().db, (trx) => findOrCreateOrderAccount(trx, rig().clock, order))

  test('an order creates an account from the sign-up details', async () => {
    const order = signup(newEmail())
    const { userId, isNew } = await claim(order)
    expect(isNew).toBe(true)
    expect(await findUser(rig().db, userId)).toMatchObject({
      email: order.email,
      email_verified_at: null,
      first_name: 'Ana',
      last_name: 'Mere Rewi',
      marketing_consent: true,
      password_hash: order.password_hash,
      made_by_order: order.id,
    })
  })

  test('an order creates a new account even if its email address already has an account', async () => {
    const email = newEmail()
    const first = await claim(signup(email))
    const before = await findUser(rig().db, first.userId)
    const second = await claim({
      ...signup(email),
      full_name: 'Another Person',
      password_hash: '$argon2id$y',
      marketing_consent: false,
    })
    expect(second).toEqual({ userId: expect.any(String), isNew: true })
    expect(second.userId).not.toBe(first.userId)
    expect(await findUser(rig().db, first.userId)).toEqual(before)
    await transact(rig().db, (trx) => markEmailVerified(trx, first.userId, email, rig().clock.now()))
    expect(await claim(signup(email))).toMatchObject({ isNew: true })
  })

  test("a signed-in customer's order belongs to their account, whatever email address the order has", async () => {
    const { userId } = await newAccount()
    expect(await claim({ ...signup(newEmail()), user_id: userId })).toEqual({ userId, isNew: false })
  })

  test("an order with an existing account's password belongs to that account only if the account has verified the address", async () => {
    const { userId, email } = await newAccount()
    expect(await claim({ ...signup(email), joins_user_id: userId })).toMatchObject({ isNew: true })
    await transact(rig().db, (trx) => markEmailVerified(trx, userId, email, rig().clock.now()))
    expect(await claim({ ...signup(email), joins_user_id: userId })).toEqual({ userId, isNew: false })
    expect(await claim({ ...signup(newEmail()), joins_user_id: userId })).toMatchObject({ isNew: true })
  })

  test('two concurrent orders with the same email address create two accounts', async () => {
    const email = newEmail()
    const claims = await Promise.all([claim(signup(email)), claim(signup(email))])
    expect(new Set(claims.map(({ userId }) => userId)).size).toBe(2)
  })
})
