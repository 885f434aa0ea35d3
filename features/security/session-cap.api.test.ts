import { beforeEach, describe, expect, test } from 'vitest'
import { realNow, toDate } from '#kit/server/clock.ts'
import { countLimitUse } from '#kit/server/limits.ts'
import { maxSessions } from '#kit/server/own-sessions.ts'
import { generateSession, saveSession } from '#kit/server/session.ts'
import { maxLoginsPerHour, successfulLoginLimit } from '#features/auth/server/count-successful-login.ts'
import { findUser } from '#features/auth/server/users.store.ts'
import { loginMessages } from '#features/auth/login.contract.ts'
import { type Customer, logInAs, makeCustomer } from '#quality/support/customer.ts'
import { submitReset, requestResetLink } from '#quality/support/reset-link.ts'
import type { Visitor } from '#quality/support/visitor.ts'
import { useWorld } from '#quality/support/world.ts'

const world = useWorld()
beforeEach(async () => void (await world().db.deleteFrom('rate_limits').execute()))

const isSignedIn = async (visitor: Visitor): Promise<boolean> => (await visitor.get('/api/account/')).body.authenticated
const listed = async (visitor: Visitor) => (await visitor.get('/api/account/sessions/')).body.sessions

async function addSessions({ id }: Customer, count: number, hoursAgo: number): Promise<void> {
  const { db, deps } = world()
  const ids = await Array.fromAsync({ length: count }, () =>
    saveSession(db, { ...generateSession(deps.secrets), userId: id }),
  )
  const last_seen_at = toDate(realNow().subtract({ hours: hoursAgo }))
  await db.updateTable('sessions').set({ last_seen_at }).where('id', 'in', ids).execute()
}

const usedHoursAgo = ({ id }: Customer, hours: number) =>
  world()
    .db.updateTable('sessions')
    .set({ last_seen_at: toDate(realNow().subtract({ hours })) })
    .where('user_id', '=', id)
    .execute()

describe('maximum number of sessions per account', () => {
  test('an account has at most 50 sessions, and a further login ends the least recently used session', async () => {
    expect(maxSessions).toBe(50)
    const customer = await makeCustomer(world())
    await usedHoursAgo(customer, 3)
    await addSessions(customer, maxSessions - 1, 2)
    const newest = await logInAs(world(), customer)
    expect(await listed(newest)).toHaveLength(maxSessions)
    expect(await isSignedIn(customer.visitor)).toBe(false)
    expect(await isSignedIn(newest)).toBe(true)
  })

  test('a login keeps its own session, even if that session is the least recently used', async () => {
    const customer = await makeCustomer(world())
    await usedHoursAgo(customer, 30)
    await addSessions(customer, maxSessions, 2)
    const { status } = await customer.visitor.post('/api/account/login/', {
      username: customer.email,
      password: customer.password,
    })
    expect(status).toBe(200)
    expect(await listed(customer.visitor)).toHaveLength(maxSessions)
  })

  test('an account with more than 50 sessions has 50 after the next login', async () => {
    const [customer, other] = [await makeCustomer(world()), await makeCustomer(world())]
    await addSessions(customer, 200, 2)
    expect((await listed(await logInAs(world(), customer))).length).toBe(maxSessions)
    const running = await world().db.selectFrom('sessions').select('id').where('user_id', '=', customer.id).execute()
    expect(running).toHaveLength(maxSessions)
    expect(await isSignedIn(other.visitor)).toBe(true)
  })
})

describe('limit on successful logins', () => {
  async function useUpLogins({ id }: Customer): Promise<void> {
    const user = await findUser(world().db, id)
    if (!user) throw new Error('the customer has no account')
    for (let time = 0; time < maxLoginsPerHour; time++) await countLimitUse(world().db, [successfulLoginLimit(user)])
  }
  const tryToLogIn = (visitor: Visitor, { email, password }: Customer) =>
    visitor.post('/api/account/login/', { username: email, password })

  test(
    'an account can log in successfully 60 times an hour; the next login gets a 429 and does not end a session',
    { tags: ['slow'] },
    async () => {
      expect(maxLoginsPerHour).toBe(60)
      const [customer, other] = [await makeCustomer(world()), await makeCustomer(world())]
      for (let time = 1; time < maxLoginsPerHour; time++) await logInAs(world(), customer)
      const newest = await logInAs(world(), customer)
      expect(await listed(newest)).toHaveLength(maxSessions)
      const refused = await tryToLogIn(world().visitor(), customer)
      expect(refused.status).toBe(429)
      expect(refused.body.hints).toEqual([loginMessages.locked])
      expect(await listed(newest)).toHaveLength(maxSessions)
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(3_600)
      expect((await tryToLogIn(other.visitor, other)).status).toBe(200)
    },
  )

  test('logins rejected because of the login limit do not count as attempts with a wrong password', async () => {
    const customer = await makeCustomer(world())
    await useUpLogins(customer)
    const visitor = world().visitor()
    for (let time = 0; time < 11; time++) expect((await tryToLogIn(visitor, customer)).status).toBe(429)
    const wrong = await visitor.post('/api/account/login/', { username: customer.email, password: 'wrong 1' })
    expect(wrong.status).toBe(400)
  })

  test('setting a new password by email link resets the login limit, so that the owner can log in at once', async () => {
    const customer = await makeCustomer(world())
    await useUpLogins(customer)
    const link = await requestResetLink(world(), customer.email)
    const owner = world().visitor()
    const password = 'kereru 22'
    expect((await submitReset(link, owner, password)).status).toBe(200)
    expect(await isSignedIn(owner)).toBe(true)
    expect((await tryToLogIn(world().visitor(), { ...customer, password })).status).toBe(200)
  })
})
