import { beforeEach, describe, expect, test } from 'vitest'
import { toDate, realNow } from '#kit/server/clock.ts'
import { transact } from '#kit/server/db.ts'
import { hashToken } from '#kit/server/secrets.ts'
import { endSessions } from '#kit/server/session.ts'
import { makeCustomer } from '#quality/support/customer.ts'
import { advanceWizardTo } from '#quality/support/activation-journey.ts'
import type { Visitor } from '#quality/support/visitor.ts'
import { useWorld } from '#quality/support/world.ts'
import { lockUser } from './server/users.store.ts'

const world = useWorld({ hashing: 'real' })
beforeEach(async () => void (await world().db.deleteFrom('rate_limits').execute()))

async function callAs(visitor: Visitor, path: string, body: object): Promise<{ status: number; fantail: string }> {
  const headers = {
    'content-type': 'application/json',
    'x-csrftoken': visitor.cookie('csrftoken') ?? '',
    cookie: `fantail=${visitor.cookie('fantail')}`,
  }
  const response = await fetch(`${world().url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  const cookie = response.headers.getSetCookie().find((line) => line.startsWith('fantail='))
  return { status: response.status, fantail: /^fantail=([^;]*)/.exec(cookie ?? '')?.[1] ?? '' }
}

const login = (visitor: Visitor, { email, password }: { email: string; password: string }) =>
  callAs(visitor, '/api/account/login/', { username: email, password })
const logout = (visitor: Visitor) => callAs(visitor, '/api/account/logout/', {})

async function isSignedIn(fantail: string): Promise<boolean> {
  const visitor = world().visitor()
  visitor.setCookie('fantail', fantail)
  return (await visitor.get('/api/account/')).body.authenticated
}

const liveRowsOf = (fantail: string) =>
  world()
    .db.selectFrom('sessions')
    .select('user_id')
    .where('token_hash', '=', hashToken(fantail.split('.')[0] ?? ''))
    .where('expires_at', '>', toDate(realNow()))
    .execute()

const liveSessionsOf = (userId: string) =>
  world()
    .db.selectFrom('sessions')
    .select('id')
    .where('user_id', '=', userId)
    .where('expires_at', '>', toDate(realNow()))
    .execute()

test('checks ten of twenty concurrent wrong passwords and answers 429 to the rest', async () => {
  const { email, password, id } = await makeCustomer(world())
  const attackers = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const visitor = world().visitor()
      await visitor.get('/api/account/')
      return visitor
    }),
  )
  const answers = await Promise.all(
    attackers.map((visitor, index) => login(visitor, { email, password: `wrong ${index}` })),
  )
  expect(answers.map(({ status }) => status).toSorted()).toEqual([
    ...Array<number>(10).fill(400),
    ...Array<number>(10).fill(429),
  ])
  const failures = await world()
    .db.selectFrom('audit_events')
    .select('id')
    .where('user_id', '=', id)
    .where('event', '=', 'login_failed')
    .execute()
  expect(failures).toHaveLength(10)
  expect((await login(attackers[0] as Visitor, { email, password })).status).toBe(429)
})

describe.each(Array.from({ length: 5 }, (_, round) => round + 1))('round %i', () => {
  test('a login and a logout at the same time invalidate the old session token', async () => {
    const customer = await makeCustomer(world())
    const { visitor } = await advanceWizardTo(world(), 'CREATED')
    const old = visitor.cookie('fantail') ?? ''
    const [entered, left] = await Promise.all([login(visitor, customer), logout(visitor)])
    expect(await liveRowsOf(old)).toEqual([])
    expect(await isSignedIn(old)).toBe(false)
    expect(await isSignedIn(left.fantail)).toBe(false)
    expect([entered.status, left.status]).toEqual([200, 200])
  })

  test("two logouts and a login at the same time invalidate a signed-in customer's old session token", async () => {
    const customer = await makeCustomer(world())
    const old = customer.visitor.cookie('fantail') ?? ''
    await Promise.all([logout(customer.visitor), login(customer.visitor, customer), logout(customer.visitor)])
    expect(await liveRowsOf(old)).toEqual([])
    expect(await isSignedIn(old)).toBe(false)
  })

  test('concurrent logins in one browser all succeed, and exactly one of their sessions keeps the activation', async () => {
    const customer = await makeCustomer(world())
    const { visitor } = await advanceWizardTo(world(), 'CREATED')
    const old = visitor.cookie('fantail') ?? ''
    const answers = await Promise.all(Array.from({ length: 4 }, () => login(visitor, customer)))
    expect(await liveRowsOf(old)).toEqual([])
    expect(new Set(answers.map(({ fantail }) => fantail)).size).toBe(4)
    const looks = []
    for (const { fantail } of answers) {
      expect(await isSignedIn(fantail)).toBe(true)
      const holder = world().visitor()
      holder.setCookie('fantail', fantail)
      looks.push((await holder.get('/api/activate/')).status)
    }
    expect(looks.toSorted()).toEqual([200, 404, 404, 404])
  })

  test('a password change ends sessions from concurrent logins with the old password', async () => {
    const customer = await makeCustomer(world())
    const visitors = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const visitor = world().visitor()
        await visitor.get('/api/account/')
        return visitor
      }),
    )
    const password_hash = await world().deps.passwords.hash('another one 2', customer.email)
    const change = () =>
      transact(world().db, async (trx) => {
        await lockUser(trx, customer.id)
        await trx.updateTable('users').set({ password_hash }).where('id', '=', customer.id).execute()
        await endSessions(trx, customer.id, null)
      })
    const logins = visitors.map((visitor) => () => login(visitor, customer))
    const earlier = logins.slice(0, 2).map((begin) => begin())
    await change()
    const answers = await Promise.all([...earlier, ...logins.slice(2).map((begin) => begin())])
    expect(answers.slice(2).map(({ status }) => status)).toEqual([400, 400])
    expect(await liveSessionsOf(customer.id)).toEqual([])
  })
})
