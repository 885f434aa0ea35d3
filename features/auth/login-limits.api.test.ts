import { beforeEach, describe, expect, test } from 'vitest'
import { transact } from '#kit/server/db.ts'
import { countLimitUse, type Limit } from '#kit/server/limits.ts'
import { makeCustomer, type Customer } from '#quality/support/customer.ts'
import { sendRawRequest } from '#quality/support/raw-http.ts'
import { useRouteServer } from '#quality/support/route-server.ts'
import type { Visitor } from '#quality/support/visitor.ts'
import { newEmail, useWorld } from '#quality/support/world.ts'
import type { AuthDeps } from './server/auth.deps.ts'
import { authRoutes } from './server/auth.routes.ts'
import { loginsFromIpLimit, loginsPerEmailLimits } from './server/login-limits.ts'
import { createEmptyAccountParts } from '#quality/support/account-parts.ts'
import { insertUser } from './server/users.store.ts'

const world = useWorld()
beforeEach(async () => void (await world().db.deleteFrom('rate_limits').execute()))

const times = <T>(count: number, act: (index: number) => Promise<T>): Promise<T[]> =>
  Array.fromAsync({ length: count }, (_, index) => act(index))
const tryOnce = async (visitor: Visitor, username: string, password = 'wrong 1', headers = {}) =>
  (await visitor.post('/api/account/login/', { username, password }, headers)).status

async function statusFrom(from: string, { email, password }: Pick<Customer, 'email' | 'password'>): Promise<number> {
  const visitor = world().visitor()
  await visitor.get('/api/account/')
  const headers = {
    'content-type': 'application/json',
    'x-csrftoken': visitor.cookie('csrftoken') ?? '',
    cookie: `fantail=${visitor.cookie('fantail')}`,
  }
  const body = JSON.stringify({ username: email, password })
  return (
    await sendRawRequest(world().url.replace('localhost', '127.0.0.1'), {
      method: 'POST',
      path: '/api/account/login/',
      headers,
      body,
      from,
    })
  ).status
}

function ordinaryLimits(email: string): Limit[] {
  const visit = {
    session: { id: null, userId: null, token: '', csrfToken: '', fresh: true },
    user: null,
    device: null,
    clientIp: '127.0.0.1',
    inProcess: false,
  }
  return [loginsFromIpLimit(visit), ...loginsPerEmailLimits(visit, email, [])]
}

async function useUp(limitOf: number, email: string): Promise<void> {
  const limit = ordinaryLimits(email).find((each) => each.times === limitOf)
  if (!limit) throw new Error(`there is no limit of ${limitOf}`)
  for (let use = 0; use < limitOf; use++) await countLimitUse(world().db, [limit])
}

describe('guessing a password', () => {
  test('an IP address gets ten guesses at a password regardless of X-Forwarded-For, and the owner can still log in', async () => {
    const owner = await makeCustomer(world())
    await owner.visitor.post('/api/account/logout/')
    const attacker = world().visitor()
    const statuses = await times(20, (index) =>
      tryOnce(attacker, owner.email, `guess ${index}`, {
        'x-forwarded-for': `203.0.113.${index}`,
        forwarded: `for=203.0.113.${index}`,
        'x-real-ip': `203.0.113.${index}`,
      }),
    )
    expect(statuses).toEqual([...Array<number>(10).fill(400), ...Array<number>(10).fill(429)])
    const refused = await attacker.post('/api/account/login/', { username: owner.email, password: owner.password })
    expect(refused).toMatchObject({
      status: 429,
      body: {
        code: 'Too many requests. Please try again shortly.',
        hints: [
          {
            message: 'If you don’t want to wait, set a new password to log in straight away.',
            actions: [{ url: '/forgot-password/', text: 'Forgot Password' }],
          },
        ],
      },
    })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(800)
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(900)

    expect(await tryOnce(owner.visitor, owner.email, owner.password)).toBe(200)
    expect(await statusFrom('127.0.0.2', owner)).toBe(200)
    expect(await tryOnce(attacker, owner.email, owner.password)).toBe(429)
  })

  test('answers 429 to a login from a blocked IP address before checking its fields', async () => {
    const { email } = await makeCustomer(world())
    const attacker = world().visitor()
    await times(10, () => tryOnce(attacker, email))
    for (const body of [
      { username: ` ${email.toUpperCase()}` },
      { username: email, password: '' },
      { username: email, password: 7 },
      { username: email, password: '4111 1111 1111 1111' },
    ]) {
      expect((await attacker.post('/api/account/login/', body)).status).toBe(429)
    }
    expect((await attacker.post('/api/account/login/', { username: email }, { 'x-csrftoken': '' })).status).toBe(403)
  })

  test('limits password guesses for an unknown email address just as for a known one', async () => {
    const email = newEmail()
    const attacker = world().visitor()
    expect(await times(12, () => tryOnce(attacker, email))).toEqual([...Array<number>(10).fill(400), 429, 429])
  })

  test("guessing one account's password does not limit logins to another account", async () => {
    const [one, other] = [await makeCustomer(world()), await makeCustomer(world())]
    const attacker = world().visitor()
    await times(11, () => tryOnce(attacker, one.email))
    expect(await tryOnce(world().visitor(), other.email, other.password)).toBe(200)
  })

  test("after a hundred guesses from various IP addresses, only the owner's known browser can log in to the account", async () => {
    const owner = await makeCustomer(world())
    await useUp(100, owner.email)
    expect(await statusFrom('127.0.0.3', owner)).toBe(429)
    expect(await tryOnce(world().visitor(), owner.email, owner.password)).toBe(429)
    expect(await tryOnce(owner.visitor, owner.email, owner.password)).toBe(200)
  })

  test('after two hundred guesses from an IP address, only known browsers can log in from that address', async () => {
    const owner = await makeCustomer(world())
    await useUp(200, owner.email)
    expect(await tryOnce(world().visitor(), owner.email, owner.password)).toBe(429)
    expect(await statusFrom('127.0.0.2', owner)).toBe(200)
    expect(await tryOnce(owner.visitor, owner.email, owner.password)).toBe(200)
  })

  test("login attempts from a blocked IP address do not count towards the account's limit", async () => {
    const owner = await makeCustomer(world())
    await times(120, () => statusOfBlocked(owner.email))
    expect(await statusFrom('127.0.0.2', owner)).toBe(200)
  })
})

/** Counts a login attempt from a blocked IP address. No password is checked for such an attempt. */
const statusOfBlocked = (email: string): Promise<void> =>
  countLimitUse(world().db, ordinaryLimits(email)).catch(() => {})

describe('login limits for browsers that have logged in before', () => {
  test('a known browser has its own limit of ten login attempts', async () => {
    const owner = await makeCustomer(world())
    expect(await times(11, () => tryOnce(owner.visitor, owner.email))).toEqual([...Array<number>(10).fill(400), 429])
    expect(await tryOnce(world().visitor(), owner.email, owner.password)).toBe(429)
    expect(await statusFrom('127.0.0.2', owner)).toBe(200)
  })

  test('a known-browser cookie works only for its own account and cannot be forged', async () => {
    const [owner, attacker] = [await makeCustomer(world()), await makeCustomer(world())]
    const device = attacker.visitor.cookie('fantail_device') ?? ''
    await times(10, () => tryOnce(world().visitor(), owner.email))
    for (const shown of [device, device.replace(/^./, '_'), 'a.b', '.', `${'a'.repeat(43)}.${'0'.repeat(32)}`]) {
      const visitor = world().visitor()
      visitor.setCookie('fantail_device', shown)
      expect(await tryOnce(visitor, owner.email, owner.password)).toBe(429)
    }
  })

  test("a known browser's cookie is hidden from scripts and outlives the session", async () => {
    const { visitor, email, password } = await makeCustomer(world())
    const device = visitor.cookie('fantail_device')
    const { headers } = await world().visitor().post('/api/account/login/', { username: email, password })
    expect(headers.getSetCookie().find((cookie) => cookie.startsWith('fantail_device='))).toMatch(
      /^fantail_device=[\w-]{43}\.[\da-f]{32}; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax$/,
    )
    await visitor.post('/api/account/logout/')
    expect(await tryOnce(visitor, email, password)).toBe(200)
    expect(visitor.cookie('fantail_device')).toBe(device)
  })
})

test('successful logins do not count towards the login limit', { tags: ['slow'] }, async () => {
  const { email, password } = await makeCustomer(world())
  const visitors = await times(15, async () => world().visitor())
  for (const visitor of visitors) expect(await tryOnce(visitor, email, password)).toBe(200)
  await times(9, () => tryOnce(world().visitor(), email))
  expect(await tryOnce(world().visitor(), email, password)).toBe(200)
  expect([await tryOnce(world().visitor(), email), await tryOnce(world().visitor(), email)]).toEqual([400, 429])
})

describe('logins through a trusted proxy', () => {
  const rig = useRouteServer(
    (parts) => authRoutes({ ...parts, accountParts: createEmptyAccountParts() } as Partial<AuthDeps> as AuthDeps),
    {
      trustedProxies: ['127.0.0.1', '::1'],
    },
  )

  test(
    "takes the client's IP address from the trusted proxy and counts an IPv6 /64 network as one address",
    { tags: ['slow'] },
    async () => {
      const email = newEmail()
      const password = 'korimako1'
      const password_hash = await rig().passwords.hash(password, email)
      await transact(rig().db, (trx) =>
        insertUser(
          trx,
          { email, password_hash, first_name: 'Ana', last_name: '', marketing_consent: false },
          rig().clock.now(),
        ),
      )
      const from = (address: string, secret = 'wrong 1') =>
        tryOnce(rig().visitor(), email, secret, { 'x-forwarded-for': address })
      await times(10, (index) => from(`2001:db8:1:2::${index}`))
      expect(await from('2001:db8:1:2:ffff::1', password)).toBe(429)
      // The address before the last comma was sent by the client, not added by the trusted proxy, so the server ignores it.
      expect(await from('198.51.100.9, 2001:db8:1:2::77', password)).toBe(429)
      expect(await from('2001:db8:1:3::1', password)).toBe(200)
      expect(await from('198.51.100.9', password)).toBe(200)
    },
  )
})
