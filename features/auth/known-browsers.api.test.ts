/* @module-tag slow */
import { beforeEach, describe, expect, test } from 'vitest'
import { countLimitUse } from '#kit/server/limits.ts'
import { serviceUnavailable } from '#kit/server/http-error.ts'
import { claimAddress, createOwnerAndClaim } from '#quality/support/claimed-address.ts'
import { createCustomerSession, logInAs, makeCustomer, type Customer } from '#quality/support/customer.ts'
import { submitReset, requestResetLink } from '#quality/support/reset-link.ts'
import type { Visitor } from '#quality/support/visitor.ts'
import { useWorld } from '#quality/support/world.ts'
import { blockCustomer, signOutCustomer, unblockCustomer } from '#features/customers/server/customers.ts'
import { loginsPerEmailLimit } from './server/login-limits.ts'

const world = useWorld()
const forgetLimits = () => world().db.deleteFrom('rate_limits').execute()
beforeEach(async () => void (await forgetLimits()))

const tryLogin = async (visitor: Visitor, username: string, password: string) =>
  (await visitor.post('/api/account/login/', { username, password })).status
const logOut = (visitor: Visitor) => visitor.post('/api/account/logout/')
const guesses = (visitor: Visitor, email: string, count: number): Promise<number[]> =>
  Array.fromAsync({ length: count }, (_, index) => tryLogin(visitor, email, `guess ${index} of many`))

async function attackFromEverywhere(email: string): Promise<void> {
  const accounts = await world().db.selectFrom('users').selectAll().where('email', '=', email).execute()
  for (let use = 0; use < 100; use++) await countLimitUse(world().db, [loginsPerEmailLimit(email, accounts)])
}

/**
 * Checks whether the account still recognises this browser: once a stranger has used up the ordinary limits, only a
 * known browser can log in.
 */
async function isKnown(visitor: Visitor, { email, password }: Pick<Customer, 'email' | 'password'>): Promise<boolean> {
  await forgetLimits()
  await attackFromEverywhere(email)
  const status = await tryLogin(visitor, email, password)
  expect([200, 429]).toContain(status)
  return status === 200
}

describe("browsers known only from logins to a stranger's account with the owner's email address", () => {
  test("checks at most 31 wrong passwords from browsers known only from logins to a stranger's account with the same address", async () => {
    const { owner, claim } = await createOwnerAndClaim(world())
    const answers: number[] = []
    for (let round = 0; round < 5; round++) {
      const attacker = await createCustomerSession(world(), claim.id)
      await logOut(attacker)
      answers.push(...(await guesses(attacker, owner.email, 10)))
      await tryLogin(attacker, owner.email, claim.password)
    }
    const attacker = await createCustomerSession(world(), claim.id)
    expect(await tryLogin(attacker, owner.email, owner.password)).not.toBe(200)
    expect((await attacker.get('/api/account/')).body.authenticated).toBe(true)
    expect((await attacker.get('/api/account/')).body.user.email_verified).toBe(false)
    expect(answers.filter((status) => status === 400).length).toBeLessThanOrEqual(31)
  })

  test("once login limits are reached, a browser known only to a stranger's account can log in to it, but not to the owner's", async () => {
    const { owner, claim } = await createOwnerAndClaim(world())
    const browser = await createCustomerSession(world(), claim.id)
    await logOut(browser)
    await attackFromEverywhere(owner.email)
    expect(await tryLogin(browser, owner.email, owner.password)).toBe(400)
    expect(await tryLogin(browser, owner.email, claim.password)).toBe(200)
  })

  test("before login limits are reached, a browser known only to a stranger's account can also log in to the owner's account", async () => {
    const { owner, claim } = await createOwnerAndClaim(world())
    const browser = await createCustomerSession(world(), claim.id)
    await logOut(browser)
    expect(await tryLogin(browser, owner.email, owner.password)).toBe(200)
    expect((await browser.get('/api/account/')).body.user.email_verified).toBe(true)
  })
})

describe("a stranger's account that has the owner's email address", () => {
  // The stranger's account has the same email address, so every login with its password is also a guess at the owner's password.
  test("when a stranger's account has the owner's email address, each login to it counts as a guess at the owner's password", async () => {
    const { owner, claim } = await createOwnerAndClaim(world())
    const statuses = await Array.fromAsync({ length: 11 }, () =>
      tryLogin(world().visitor(), owner.email, claim.password),
    )
    expect(statuses).toEqual([...Array<number>(10).fill(200), 429])
  })

  test('login limits do not reveal whether other accounts have the same email address', async () => {
    const { email } = await claimAddress(world(), `${crypto.randomUUID()}@example.nz`)
    const statuses = await Array.fromAsync({ length: 11 }, () =>
      tryLogin(world().visitor(), email, 'takahe of mallory 1'),
    )
    expect(statuses).toEqual([...Array<number>(10).fill(200), 429])
  })

  test('a known browser can log in to its own account more often than an unknown browser can', async () => {
    const { claim } = await createOwnerAndClaim(world())
    const browser = await createCustomerSession(world(), claim.id)
    const statuses = await Array.fromAsync({ length: 25 }, () => tryLogin(browser, claim.email, claim.password))
    expect(new Set(statuses)).toEqual(new Set([200]))
  })
})

describe('browsers known to an account from earlier logins', () => {
  test('an account no longer knows a browser after ten failed logins in a row, no matter how far apart they are', async () => {
    const owner = await makeCustomer(world())
    await logOut(owner.visitor)
    for (let failure = 0; failure < 10; failure++) {
      await forgetLimits()
      expect(await tryLogin(owner.visitor, owner.email, 'wrong 1')).toBe(400)
    }
    expect(await isKnown(owner.visitor, owner)).toBe(false)
    await forgetLimits()
    const before = owner.visitor.cookie('fantail_device')
    expect(await tryLogin(owner.visitor, owner.email, owner.password)).toBe(200)
    expect(owner.visitor.cookie('fantail_device')).not.toBe(before)
    expect(await isKnown(owner.visitor, owner)).toBe(true)
    const old = world().visitor()
    old.setCookie('fantail_device', before ?? '')
    expect(await isKnown(old, owner)).toBe(false)
  })

  test('a browser stays known when a login succeeds before the tenth failed login', async () => {
    const owner = await makeCustomer(world())
    for (let round = 0; round < 3; round++) {
      await forgetLimits()
      await guesses(owner.visitor, owner.email, 9)
      expect(await tryLogin(owner.visitor, owner.email, owner.password)).toBe(200)
    }
    expect(await isKnown(owner.visitor, owner)).toBe(true)
  })

  test("an account's known browsers share thirty login attempts in 15 minutes", async () => {
    const owner = await makeCustomer(world())
    const browsers = await Array.fromAsync({ length: 4 }, () => createCustomerSession(world(), owner.id))
    await attackFromEverywhere(owner.email)
    const answers = []
    for (const browser of browsers) answers.push(...(await guesses(browser, owner.email, 9)))
    expect(answers).toEqual([...Array<number>(30).fill(400), ...Array<number>(6).fill(429)])
  })

  test('a browser stays known after failed logins if the server was too busy to check the password', async () => {
    const owner = await makeCustomer(world())
    const { passwords } = world().deps
    const { hash } = passwords
    passwords.hash = async () => Promise.reject(serviceUnavailable())
    try {
      const statuses = await guesses(owner.visitor, owner.email, 12)
      expect(new Set(statuses)).toEqual(new Set([503]))
    } finally {
      passwords.hash = hash
    }
    expect(await isKnown(owner.visitor, owner)).toBe(true)
  })
})

describe('actions that revoke known browsers', () => {
  const actor = { by: 'operator', name: 'mere' } as const
  const deps = () => world().deps
  const acts: [string, (owner: Customer) => Promise<Visitor | null>, string?][] = [
    [
      'a change of the password',
      async ({ visitor, password }) => {
        const body = { old_password: password, new_password: 'korimako 22', password_confirm: 'korimako 22' }
        expect((await visitor.post('/api/account/change_password/', body)).status).toBe(200)
        return visitor
      },
      'korimako 22',
    ],
    [
      'a completed reset',
      async ({ email }) => {
        const browser = world().visitor()
        expect((await submitReset(await requestResetLink(world(), email), browser, 'korimako 22')).status).toBe(200)
        return browser
      },
      'korimako 22',
    ],
    [
      'signing out everywhere else',
      async ({ visitor }) => {
        expect((await visitor.post('/api/account/end_other_sessions/')).status).toBe(200)
        return visitor
      },
    ],
    ['a sign-out by the provider', async ({ id }) => (await signOutCustomer(deps(), id, actor), null)],
    [
      'a block',
      async ({ id }) => {
        await blockCustomer(deps(), id, actor)
        await unblockCustomer(deps(), id, actor)
        return null
      },
    ],
  ]
  test.each(acts)('%s revokes all known browsers except the one used for it', async (_, act, password) => {
    const owner = await makeCustomer(world())
    const [old, others] = [owner.visitor.cookie('fantail_device') ?? '', await logInAs(world(), owner)]
    const acting = await act(owner)
    const now = { ...owner, password: password ?? owner.password }
    const withOldCookie = world().visitor()
    withOldCookie.setCookie('fantail_device', old)
    expect([await isKnown(withOldCookie, now), await isKnown(others, now)]).toEqual([false, false])
    expect(acting === null || (await isKnown(acting, now))).toBe(true)
  })

  test('requesting a password reset or ending a single session does not revoke any known browser', async () => {
    const owner = await makeCustomer(world())
    await requestResetLink(world(), owner.email)
    const other = await logInAs(world(), owner)
    const { body } = await owner.visitor.get('/api/account/sessions/')
    const { id } = body.sessions.find(({ is_current }: { is_current: boolean }) => !is_current)
    await owner.visitor.send('DELETE', `/api/account/sessions/${id}/`, {
      headers: { 'x-csrftoken': owner.visitor.cookie('csrftoken') ?? '' },
    })
    expect([await isKnown(other, owner), await isKnown(owner.visitor, owner)]).toEqual([true, true])
  })
})
