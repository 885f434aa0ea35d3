import { describe, expect, test } from 'vitest'
import { transact } from '#kit/server/db.ts'
import { hashToken } from '#kit/server/secrets.ts'
import { keepSession, readSession } from '#kit/server/session.ts'
import { aRig } from '#testing/rig.ts'
import { newEmail } from '#testing/visitor.ts'
import type { AuthDeps } from './server/auth.deps.ts'
import { authRoutes } from './server/auth.routes.ts'
import { claimAccount, issueVerification } from './server/auth.ts'
import { findUser } from './server/users.store.ts'

const nothing = async () => null
const accountParts = { card: nothing, phone: nothing, phoneChange: nothing }

// No mail is sent in this file: neither a queue nor a brand is asked for.
const rig = aRig((parts) => authRoutes({ ...parts, accountParts } as Partial<AuthDeps> as AuthDeps), {
  findUser: async (id) => {
    const user = await findUser(rig().db, id)
    return user ? { id: user.id, emailVerified: user.email_verified_at !== null } : null
  },
})

const signup = (email: string) => ({ id: crypto.randomUUID(), user_id: null, email, full_name: 'Ana Mere Rewi', password_hash: '$argon2id$x', marketing_consent: true })

/** An account and the token of the link that confirms its address. */
async function newAccount(): Promise<{ email: string; userId: string; token: string }> {
  const email = newEmail()
  const { db, clock } = rig()
  return transact(db, async (trx) => {
    const { userId } = await claimAccount(trx, signup(email), clock.now())
    return { email, userId, token: (await issueVerification(trx, userId, clock.now())) ?? '' }
  })
}

describe('GET /api/account/', () => {
  test('knows nobody who has not logged in', async () => {
    const { status, body } = await rig().visitor().get('/api/account/')
    expect({ status, body }).toEqual({ status: 200, body: { authenticated: false, user: null } })
  })

  test('shows a customer who has, without what is secret', async () => {
    const { email, userId } = await newAccount()
    const { db, secrets } = rig()
    const visitor = rig().visitor()
    await visitor.get('/api/account/')
    const session = await readSession(db, secrets, visitor.cookie('fantail'))
    await keepSession(db, { ...session, userId })
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

describe('the link that confirms an address', () => {
  const invalid = { token: ['This link is no longer valid. It may have been used already, or have expired.'] }
  const verify = (token: unknown) => rig().visitor().post('/api/account/verify_email/', { token })
  const verifiedAt = async (userId: string) => (await findUser(rig().db, userId))?.email_verified_at

  test('works once, for anyone who carries it, and signs nobody in', async () => {
    const { userId, token } = await newAccount()
    const visitor = rig().visitor()
    expect(await visitor.post('/api/account/verify_email/', { token })).toMatchObject({ status: 200, body: { email_verified: true } })
    expect(await verifiedAt(userId)).toBeInstanceOf(Date)
    const events = await rig().db.selectFrom('audit_events').select(['event', 'details']).where('user_id', '=', userId).execute()
    expect(events).toEqual([{ event: 'email_verified', details: {} }])
    expect((await visitor.get('/api/account/')).body.authenticated).toBe(false)
    expect(await verify(token)).toMatchObject({ status: 400, body: invalid })
  })

  test('is good for seven days of the clock', async () => {
    const [inTime, late] = [await newAccount(), await newAccount()]
    const { clock } = rig()
    clock.setOffset(7 * 86_400_000 - 60_000)
    expect((await verify(inTime.token)).status).toBe(200)
    clock.setOffset(7 * 86_400_000)
    expect(await verify(late.token)).toMatchObject({ status: 400, body: invalid })
    clock.setOffset(0)
    expect(await verifiedAt(late.userId)).toBeNull()
  })

  test('confirms no address but the one it was sent to', async () => {
    const { userId, token } = await newAccount()
    await rig().db.updateTable('users').set({ email: newEmail() }).where('id', '=', userId).execute()
    expect(await verify(token)).toMatchObject({ status: 400, body: invalid })
    expect(await verifiedAt(userId)).toBeNull()
  })

  test('is one of several that are out, and takes the others with it', async () => {
    const { userId, token } = await newAccount()
    const { db, clock } = rig()
    const second = await transact(db, (trx) => issueVerification(trx, userId, clock.now()))
    expect((await verify(second)).status).toBe(200)
    expect(await verify(token)).toMatchObject({ status: 400, body: invalid })
  })

  test('is confirmed by one of twenty who follow it at once', async () => {
    const { token } = await newAccount()
    const statuses = await Promise.all(Array.from({ length: 20 }, async () => (await verify(token)).status))
    expect(statuses.toSorted()).toEqual([200, ...Array<number>(19).fill(400)])
  })

  test.each([undefined, '', 'made up', 'a'.repeat(500), ['x'], { x: 1 }, 7])('is not %o', async (token) => {
    expect(await verify(token)).toMatchObject({ status: 400, body: { token: [expect.any(String)] } })
  })

  test('is kept as a hash only, and needs no link where the address is confirmed', async () => {
    const { userId, token } = await newAccount()
    const { db, clock } = rig()
    const rows = await db.selectFrom('email_tokens').selectAll().where('user_id', '=', userId).execute()
    expect(rows.map((row) => row.token_hash)).toEqual([hashToken(token)])
    await verify(token)
    expect(await transact(db, (trx) => issueVerification(trx, userId, clock.now()))).toBeNull()
  })
})

describe('the account of an order', () => {
  const claim = (order: Parameters<typeof claimAccount>[1]) => transact(rig().db, (trx) => claimAccount(trx, order, rig().clock.now()))

  test('is made from what was signed up with', async () => {
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

  test('is the one that the address has, of which nothing changes', async () => {
    const email = newEmail()
    const first = await claim(signup(email))
    const before = await findUser(rig().db, first.userId)
    const second = await claim({ ...signup(email), full_name: 'Somebody Else', password_hash: '$argon2id$y', marketing_consent: false })
    expect(second).toEqual({ userId: first.userId, isNew: false })
    expect(await findUser(rig().db, first.userId)).toEqual(before)
  })

  test('is the signed-in customer’s, whatever the address says', async () => {
    const { userId } = await newAccount()
    expect(await claim({ ...signup(newEmail()), user_id: userId })).toEqual({ userId, isNew: false })
  })

  test('is one, even when two orders make it at once', async () => {
    const email = newEmail()
    const claims = await Promise.all([claim(signup(email)), claim(signup(email))])
    expect(new Set(claims.map(({ userId }) => userId)).size).toBe(1)
    expect(claims.filter(({ isNew }) => isNew)).toHaveLength(1)
  })
})
