import { beforeEach, describe, expect, test } from 'vitest'
import { createClaimActions, claimantPasswords } from '#quality/support/address-claims.ts'
import { logInAs } from '#quality/support/customer.ts'
import { requestReset } from '#quality/support/reset-link.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { waitForVerifyTokens } from '#quality/support/verify-link.ts'
import { newEmail, useWorld } from '#quality/support/world.ts'

/*
 * Two people, an attacker and a victim, sign up with the same email address, but only the victim can read emails sent to it. An unverified
 * address is only a claim (decision 0023).
 */

const world = useWorld()
// All tests share one IP address, so reset the rate limits before each test.
beforeEach(() => world().db.deleteFrom('rate_limits').execute())

const { theirs, own } = claimantPasswords
const { claim, verify, numbersOf, accountsOf, pinTo, claimedFirst } = createClaimActions(world)

describe('somebody else signing up with an email address before its owner does', () => {
  test("a stranger who signed up with somebody's email address still sees only their own number after changing the address", async () => {
    const { email, mallory, vera, toVeras } = await claimedFirst()
    expect((await verify(vera.visitor, toVeras)).status).toBe(200)
    const intruder = await logInAs(world(), { email, password: theirs })
    const elsewhere = newEmail()
    expect(await intruder.post('/api/account/update_email/', { new_email: elsewhere })).toMatchObject({
      status: 200,
      body: { state: 'REQUESTED' },
    })
    const otp = await pinTo(mallory.sim.msisdn)
    expect(await intruder.post('/api/account/update_email/', { otp })).toMatchObject({
      status: 200,
      body: { state: 'VERIFIED' },
    })
    const link = await pollUntil(async () =>
      (await world().mailTo(elsewhere))
        .flatMap(({ links }) => links)
        .find((each) => each.includes('change-email/?token=')),
    )
    expect(
      (await intruder.post('/api/account/update_email/confirm/', { token: new URL(link).searchParams.get('token') }))
        .status,
    ).toBe(200)

    expect(await numbersOf(intruder)).toEqual([mallory.sim.msisdn])
    const owner = await logInAs(world(), { email, password: own })
    expect(await numbersOf(owner)).toEqual([vera.sim.msisdn])
    await expect(logInAs(world(), { email, password: theirs })).rejects.toThrow('login answered 400')
  })

  test(
    "an owner who opens the confirmation link for a stranger's account neither confirms it nor gets its phone number",
    { tags: ['slow'] },
    async () => {
      const { email, mallory, vera, toMallorys, toVeras } = await claimedFirst()
      const about = await vera.visitor.post('/api/account/verify_email/about/', { token: toMallorys })
      expect(about.body).toEqual({
        phone_number: mallory.done.phone_number,
        needs_password: true,
        needs_account_password: false,
      })
      for (const typed of [{}, { password: own }])
        expect((await verify(vera.visitor, toMallorys, typed)).status).toBe(400)
      expect(await accountsOf(email)).toMatchObject([{ email_verified_at: null }, { email_verified_at: null }])
      expect(await verify(vera.visitor, toVeras)).toMatchObject({
        status: 200,
        body: { email_verified: true, joined: false },
      })
      // Without the attacker's password, the link for the attacker's account does not give the victim the attacker's service.
      const owner = await logInAs(world(), { email, password: own })
      expect((await verify(owner, toMallorys)).body).toEqual({
        password: ['Please enter the password you chose when you activated this SIM.'],
      })
      expect(await numbersOf(owner)).toEqual([vera.sim.msisdn])
      const intruder = await logInAs(world(), { email, password: theirs })
      expect((await intruder.get('/api/account/')).body.user).toMatchObject({
        email_verified: false,
        first_name: 'Ana',
      })
      expect(await numbersOf(intruder)).toBeNull()
    },
  )

  test(
    "an owner who disowns a stranger's account with their address gets no more emails about it and can still sign up",
    { tags: ['slow'] },
    async () => {
      const email = newEmail()
      const mallory = await claim(email, theirs)
      const [token] = await waitForVerifyTokens(world(), email)
      expect((await world().visitor().post('/api/account/verify_email/not_me/', { token })).status).toBe(200)
      const before = (await world().mailTo(email)).length
      const intruder = await logInAs(world(), { email, password: theirs })
      const resend = () =>
        intruder.get('/api/account/resend_verification/', { 'x-csrftoken': intruder.cookie('csrftoken') ?? '' })
      expect(await resend()).toMatchObject({
        status: 409,
        body: {
          __all__: ['The owner of this address has told us that it isn’t yours. Please change your email address.'],
        },
      })
      await requestReset(world(), email)
      await pollUntil(async () => (await world().deps.jobs.unfinished()) === 0)
      expect((await world().mailTo(email)).length).toBe(before)
      expect(
        await world().db.selectFrom('services').select('id').where('msisdn', '=', mallory.sim.msisdn).execute(),
      ).toHaveLength(1)
      const vera = await claim(email, own)
      expect((await verify(vera.visitor, (await waitForVerifyTokens(world(), email, 2))[0])).status).toBe(200)
      expect(await numbersOf(await logInAs(world(), { email, password: own }))).toEqual([vera.sim.msisdn])
    },
  )
})

describe('customers who sign up again instead of logging in', () => {
  async function verified() {
    const email = newEmail()
    const first = await claim(email, own)
    expect((await verify(first.visitor, (await waitForVerifyTokens(world(), email))[0])).status).toBe(200)
    return { email, first, count: (await world().mailTo(email)).length }
  }

  test(
    'signing up again with the same password adds the new service to the existing account',
    { tags: ['slow'] },
    async () => {
      const { email, first } = await verified()
      const second = await claim(email, own)
      expect(second.done).toMatchObject({ state: 'SUCCESSFUL', email })
      expect(await accountsOf(email)).toHaveLength(1)
      expect(await numbersOf(await logInAs(world(), { email, password: own }))).toEqual([
        first.sim.msisdn,
        second.sim.msisdn,
      ])
      const mail = await pollUntil(async () =>
        (await world().mailTo(email)).find(({ subject }) => subject === 'Your new SIM is active'),
      )
      expect(mail.text).toContain(
        'You signed up with the password for your existing account, so we added this service to that account.',
      )
      expect(mail.text).not.toContain('token=')
    },
  )

  test(
    "a second sign-up's confirmation link and the existing account's password together merge the two accounts",
    { tags: ['slow'] },
    async () => {
      const { email, first, count } = await verified()
      const second = await claim(email, 'another of vera 3')
      expect(count).toBe(1)
      const [token] = await waitForVerifyTokens(world(), email, 2)
      const about = await second.visitor.post('/api/account/verify_email/about/', { token })
      expect(about.body).toEqual({
        phone_number: second.done.phone_number,
        needs_password: false,
        needs_account_password: true,
      })
      expect((await verify(second.visitor, token)).body).toEqual({
        account_password: ['This email address already has an account. Please enter the password for that account.'],
      })
      expect(await verify(second.visitor, token, { account_password: own })).toMatchObject({
        status: 200,
        body: { email_verified: true, joined: true },
      })
      expect(await accountsOf(email)).toHaveLength(1)
      const owner = await logInAs(world(), { email, password: own })
      expect(await numbersOf(owner)).toEqual([first.sim.msisdn, second.sim.msisdn])
      const uuid = Object.values(
        (await owner.get('/api/services/')).body as Record<string, { uuid: string; msisdn: string }>,
      ).find(({ msisdn }) => msisdn === second.sim.msisdn)?.uuid
      expect((await owner.get(`/api/account/invoices/${uuid}/${second.orderCode}/`)).body).toMatchObject({
        order_code: second.orderCode,
      })
      await pollUntil(async () =>
        (await world().mailTo(email)).find(({ subject }) => subject === 'A phone number was added to your account'),
      )
      await expect(logInAs(world(), { email, password: 'another of vera 3' })).rejects.toThrow('login answered 400')
    },
  )

  test(
    "a signed-in customer can add a second sign-up's service with that sign-up's confirmation link and password",
    { tags: ['slow'] },
    async () => {
      const { email, first } = await verified()
      const second = await claim(email, 'another of vera 3')
      const [token] = await waitForVerifyTokens(world(), email, 2)
      const owner = await logInAs(world(), { email, password: own })
      expect((await verify(owner, token)).status).toBe(400)
      expect(await verify(owner, token, { password: 'another of vera 3' })).toMatchObject({
        status: 200,
        body: { joined: true },
      })
      expect(await numbersOf(owner)).toEqual([first.sim.msisdn, second.sim.msisdn])
    },
  )

  test(
    'once the address is verified, logging in joins two sign-ups with the same password',
    { tags: ['slow'] },
    async () => {
      const email = newEmail()
      const [first, second] = [await claim(email, own), await claim(email, own)]
      expect((await verify(first.visitor, (await waitForVerifyTokens(world(), email, 2))[1])).status).toBe(200)
      expect(await accountsOf(email)).toHaveLength(2)
      expect(await numbersOf(await logInAs(world(), { email, password: own }))).toEqual([
        first.sim.msisdn,
        second.sim.msisdn,
      ])
      expect(await accountsOf(email)).toHaveLength(1)
    },
  )

  test('a sign-up does not reveal whether its password matches an existing account', async () => {
    const { email } = await verified()
    const [right, wrong] = [await claim(email, own), await claim(email, 'not the one 4')]
    const anonymous = ({ order_code: _code, phone_number: _number, uuid: _uuid, ...rest }: typeof right.done) => rest
    expect(anonymous(right.done)).toEqual(anonymous(wrong.done))
  })

  test(
    "after ten failed logins, a sign-up's password is no longer compared with existing accounts",
    { tags: ['slow'] },
    async () => {
      const { email } = await verified()
      const guesser = world().visitor()
      for (let time = 0; time < 10; time++)
        await guesser.post('/api/account/login/', { username: email, password: `wrong ${time}` })
      await claim(email, own)
      expect(await accountsOf(email)).toHaveLength(2)
    },
  )
})

describe('confirming an email address in the browser that placed the order', () => {
  test('after a logout, even the browser that placed the order needs the password to confirm the address', async () => {
    const email = newEmail()
    const vera = await claim(email, own)
    const [token] = await waitForVerifyTokens(world(), email)
    await vera.visitor.post('/api/account/logout/')
    expect((await verify(vera.visitor, token)).body).toEqual({
      password: ['Please enter the password you chose when you activated this SIM.'],
    })
    expect((await verify(vera.visitor, token, { password: own })).status).toBe(200)
  })

  test(
    'after a day, even the browser that placed the order needs the password to confirm the address',
    { tags: ['slow'] },
    async () => {
      const email = newEmail()
      const vera = await claim(email, own)
      const [token] = await waitForVerifyTokens(world(), email)
      await world().advance('PT24H1M')
      expect((await verify(vera.visitor, token)).status).toBe(400)
      expect((await verify(vera.visitor, token, { password: own })).status).toBe(200)
    },
  )
})

describe('an email address that other people have signed up with', () => {
  test(
    "strangers' unverified accounts do not stop an email address's owner from changing to that address or logging in",
    { tags: ['slow'] },
    async () => {
      const email = newEmail()
      const other = await claim(newEmail(), own)
      const account = (await accountsOf(other.email))[0]
      expect((await verify(other.visitor, (await waitForVerifyTokens(world(), other.email))[0])).status).toBe(200)
      const mover = await logInAs(world(), { email: other.email, password: own })
      await claim(email, theirs)
      await claim(email, 'yet another claim 7')
      await mover.post('/api/account/update_email/', { new_email: email })
      await mover.post('/api/account/update_email/', { otp: await pinTo(other.sim.msisdn) })
      const link = await pollUntil(async () =>
        (await world().mailTo(email))
          .flatMap(({ links }) => links)
          .find((each) => each.includes('change-email/?token=')),
      )
      expect(
        (await mover.post('/api/account/update_email/confirm/', { token: new URL(link).searchParams.get('token') }))
          .status,
      ).toBe(200)
      /*
       * The existing account's password hash still has the salt of its old email address. A sign-up computes only one hash, with the new
       * address's salt, so it does not find that account and creates a second one. The next login merges the two accounts.
       */
      const beside = await claim(email, own)
      expect(await numbersOf(mover)).toEqual([other.sim.msisdn])
      // The first login matches the hash with the old address's salt and replaces it. The second login matches the new hash.
      const before = (await accountsOf(email)).find(({ id }) => id === account?.id)?.password_hash
      for (let time = 0; time < 2; time++)
        expect(await numbersOf(await logInAs(world(), { email, password: own }))).toEqual([
          other.sim.msisdn,
          beside.sim.msisdn,
        ])
      expect((await accountsOf(email)).find(({ id }) => id === account?.id)?.password_hash).not.toBe(before)
      for (const password of [theirs, 'yet another claim 7'])
        expect(await numbersOf(await logInAs(world(), { email, password }))).toBeNull()
    },
  )
})
