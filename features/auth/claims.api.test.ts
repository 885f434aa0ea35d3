import { beforeEach, describe, expect, test } from 'vitest'
import { claimsIn, passwords } from '#quality/support/claims.ts'
import { loginAs } from '#quality/support/customer.ts'
import { askForReset } from '#quality/support/reset-link.ts'
import { until } from '#quality/support/until.ts'
import { verifyTokens } from '#quality/support/verify-link.ts'
import { newEmail, useWorld } from '#quality/support/world.ts'

// Two people and one address: the victim's, who reads its mail. Until it is verified it is a claim (decision 0023).

const world = useWorld()
// Every test comes from the same socket address.
beforeEach(() => world().db.deleteFrom('rate_limits').execute())

const { theirs, own } = passwords
const { claim, verify, numbersOf, accountsOf, pinTo, claimedFirst } = claimsIn(world)

describe('an address claimed before its owner came', () => {
  test('attack: the claimer changes the address, and gets at nothing but their own', async () => {
    const { email, mallory, vera, toVeras } = await claimedFirst()
    expect((await verify(vera.visitor, toVeras)).status).toBe(200)
    const intruder = await loginAs(world(), { email, password: theirs })
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
    const link = await until(async () =>
      (await world().mailTo(elsewhere))
        .flatMap(({ links }) => links)
        .find((each) => each.includes('change-email/?token=')),
    )
    expect(
      (await intruder.post('/api/account/update_email/confirm/', { token: new URL(link).searchParams.get('token') }))
        .status,
    ).toBe(200)

    expect(await numbersOf(intruder)).toEqual([mallory.sim.msisdn])
    const owner = await loginAs(world(), { email, password: own })
    expect(await numbersOf(owner)).toEqual([vera.sim.msisdn])
    await expect(loginAs(world(), { email, password: theirs })).rejects.toThrow('login answered 400')
  })

  test('attack: the owner presses the link in the claimer’s welcome mail, and confirms nothing', async () => {
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
    // Their own link, in the browser that ordered, asks for nothing.
    expect(await verify(vera.visitor, toVeras)).toMatchObject({
      status: 200,
      body: { email_verified: true, joined: false },
    })
    // Signed in, it takes more than the link to add what another person has activated.
    const owner = await loginAs(world(), { email, password: own })
    expect((await verify(owner, toMallorys)).body).toEqual({
      password: ['Please enter the password you chose when you activated this SIM.'],
    })
    expect(await numbersOf(owner)).toEqual([vera.sim.msisdn])
    const intruder = await loginAs(world(), { email, password: theirs })
    expect((await intruder.get('/api/account/')).body.user).toMatchObject({ email_verified: false, first_name: 'Ana' })
    expect(await numbersOf(intruder)).toBeNull()
  })

  test('is disowned by its owner, who gets no more mail of it and still signs up', async () => {
    const email = newEmail()
    const mallory = await claim(email, theirs)
    const [token] = await verifyTokens(world(), email)
    expect((await world().visitor().post('/api/account/verify_email/not_me/', { token })).status).toBe(200)
    const before = (await world().mailTo(email)).length
    const intruder = await loginAs(world(), { email, password: theirs })
    const resend = () =>
      intruder.get('/api/account/resend_verification/', { 'x-csrftoken': intruder.cookie('csrftoken') ?? '' })
    expect(await resend()).toMatchObject({
      status: 409,
      body: {
        __all__: ['The owner of this address has told us that it isn’t yours. Please change your email address.'],
      },
    })
    await askForReset(world(), email)
    await until(async () => (await world().deps.jobs.unfinished()) === 0)
    expect((await world().mailTo(email)).length).toBe(before)
    // The maker of the activation keeps the service, and may prove another address.
    expect(
      await world().db.selectFrom('services').select('id').where('msisdn', '=', mallory.sim.msisdn).execute(),
    ).toHaveLength(1)
    const vera = await claim(email, own)
    expect((await verify(vera.visitor, (await verifyTokens(world(), email, 2))[0])).status).toBe(200)
    expect(await numbersOf(await loginAs(world(), { email, password: own }))).toEqual([vera.sim.msisdn])
  })
})

describe('a customer who forgot to log in', () => {
  /** Vera has verified her address, and has one service. */
  async function verified() {
    const email = newEmail()
    const first = await claim(email, own)
    expect((await verify(first.visitor, (await verifyTokens(world(), email))[0])).status).toBe(200)
    return { email, first, count: (await world().mailTo(email)).length }
  }

  test('and signs up with their own password keeps one account', async () => {
    const { email, first } = await verified()
    const second = await claim(email, own)
    expect(second.done).toMatchObject({ state: 'SUCCESSFUL', email })
    expect(await accountsOf(email)).toHaveLength(1)
    expect(await numbersOf(await loginAs(world(), { email, password: own }))).toEqual([
      first.sim.msisdn,
      second.sim.msisdn,
    ])
    const mail = await until(async () =>
      (await world().mailTo(email)).find(({ subject }) => subject === 'Your new SIM is active'),
    )
    expect(mail.text).toContain(
      'As you signed up with the password of the account you already have with us, we added this service to it.',
    )
    expect(mail.text).not.toContain('token=')
  })

  test('and chose another password adds it by the link, in the same browser with the account’s password', async () => {
    const { email, first, count } = await verified()
    const second = await claim(email, 'another of vera 3')
    expect(count).toBe(1)
    const [token] = await verifyTokens(world(), email, 2)
    const about = await second.visitor.post('/api/account/verify_email/about/', { token })
    expect(about.body).toEqual({
      phone_number: second.done.phone_number,
      needs_password: false,
      needs_account_password: true,
    })
    expect((await verify(second.visitor, token)).body).toEqual({
      account_password: ['This email address already has an account. Please enter the password of that account.'],
    })
    expect(await verify(second.visitor, token, { account_password: own })).toMatchObject({
      status: 200,
      body: { email_verified: true, joined: true },
    })
    expect(await accountsOf(email)).toHaveLength(1)
    const owner = await loginAs(world(), { email, password: own })
    expect(await numbersOf(owner)).toEqual([first.sim.msisdn, second.sim.msisdn])
    const uuid = Object.values(
      (await owner.get('/api/services/')).body as Record<string, { uuid: string; msisdn: string }>,
    ).find(({ msisdn }) => msisdn === second.sim.msisdn)?.uuid
    expect((await owner.get(`/api/account/invoices/${uuid}/${second.orderCode}/`)).body).toMatchObject({
      order_code: second.orderCode,
    })
    await until(async () =>
      (await world().mailTo(email)).find(({ subject }) => subject === 'A phone number was added to your account'),
    )
    await expect(loginAs(world(), { email, password: 'another of vera 3' })).rejects.toThrow('login answered 400')
  })

  test('or adds it signed in, with the password that was chosen for it', async () => {
    const { email, first } = await verified()
    const second = await claim(email, 'another of vera 3')
    const [token] = await verifyTokens(world(), email, 2)
    const owner = await loginAs(world(), { email, password: own })
    expect((await verify(owner, token)).status).toBe(400)
    expect(await verify(owner, token, { password: 'another of vera 3' })).toMatchObject({
      status: 200,
      body: { joined: true },
    })
    expect(await numbersOf(owner)).toEqual([first.sim.msisdn, second.sim.msisdn])
  })

  test('after two sign-ups with one password gets both by logging in, once the address is verified', async () => {
    const email = newEmail()
    const [first, second] = [await claim(email, own), await claim(email, own)]
    expect((await verify(first.visitor, (await verifyTokens(world(), email, 2))[1])).status).toBe(200)
    expect(await accountsOf(email)).toHaveLength(2)
    expect(await numbersOf(await loginAs(world(), { email, password: own }))).toEqual([
      first.sim.msisdn,
      second.sim.msisdn,
    ])
    expect(await accountsOf(email)).toHaveLength(1)
  })

  test('learns nothing at sign-up about whose password it was', async () => {
    const { email } = await verified()
    const [right, wrong] = [await claim(email, own), await claim(email, 'not the one 4')]
    const anonymous = ({ order_code: _code, phone_number: _number, ...rest }: typeof right.done) => rest
    expect(anonymous(right.done)).toEqual(anonymous(wrong.done))
  })

  test('cannot be found out by sign-ups: past ten tries the password is compared with nothing', async () => {
    const { email } = await verified()
    const guesser = world().visitor()
    for (let time = 0; time < 10; time++)
      await guesser.post('/api/account/login/', { username: email, password: `wrong ${time}` })
    await claim(email, own)
    expect(await accountsOf(email)).toHaveLength(2)
  })
})

describe('the browser that ordered', () => {
  test('confirms without a password for a day, and not after a logout', async () => {
    const email = newEmail()
    const vera = await claim(email, own)
    const [token] = await verifyTokens(world(), email)
    await vera.visitor.post('/api/account/logout/')
    expect((await verify(vera.visitor, token)).body).toEqual({
      password: ['Please enter the password you chose when you activated this SIM.'],
    })
    expect((await verify(vera.visitor, token, { password: own })).status).toBe(200)
  })

  test('of yesterday has to enter the password, too', { tags: ['slow'] }, async () => {
    const email = newEmail()
    const vera = await claim(email, own)
    const [token] = await verifyTokens(world(), email)
    await world().advance('PT24H1M')
    expect((await verify(vera.visitor, token)).status).toBe(400)
    expect((await verify(vera.visitor, token, { password: own })).status).toBe(200)
  })
})

describe('an address that others claim', () => {
  test('opens to its owner alike: logging in costs no more, and a claim stands in no change’s way', async () => {
    const email = newEmail()
    const other = await claim(newEmail(), own)
    const account = (await accountsOf(other.email))[0]
    expect((await verify(other.visitor, (await verifyTokens(world(), other.email))[0])).status).toBe(200)
    const mover = await loginAs(world(), { email: other.email, password: own })
    await claim(email, theirs)
    await claim(email, 'yet another claim 7')
    await mover.post('/api/account/update_email/', { new_email: email })
    await mover.post('/api/account/update_email/', { otp: await pinTo(other.sim.msisdn) })
    const link = await until(async () =>
      (await world().mailTo(email)).flatMap(({ links }) => links).find((each) => each.includes('change-email/?token=')),
    )
    expect(
      (await mover.post('/api/account/update_email/confirm/', { token: new URL(link).searchParams.get('token') }))
        .status,
    ).toBe(200)
    // A sign-up with its password is an account beside it, as it costs one hash; the next login makes them one.
    const beside = await claim(email, own)
    expect(await numbersOf(mover)).toEqual([other.sim.msisdn])
    // With the salt of the address it had, then with that of this one.
    const before = (await accountsOf(email)).find(({ id }) => id === account?.id)?.password_hash
    for (let time = 0; time < 2; time++)
      expect(await numbersOf(await loginAs(world(), { email, password: own }))).toEqual([
        other.sim.msisdn,
        beside.sim.msisdn,
      ])
    expect((await accountsOf(email)).find(({ id }) => id === account?.id)?.password_hash).not.toBe(before)
    for (const password of [theirs, 'yet another claim 7'])
      expect(await numbersOf(await loginAs(world(), { email, password }))).toBeNull()
  })
})
