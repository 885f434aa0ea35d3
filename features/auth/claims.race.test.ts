import { beforeEach, describe, expect, test } from 'vitest'
import { createClaimActions, claimantPasswords } from '#quality/support/address-claims.ts'
import { logInAs } from '#quality/support/customer.ts'
import { advanceWizardTo } from '#quality/support/activation-journey.ts'
import { readProviderRecords } from '#quality/support/simulators.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { waitForVerifyTokens } from '#quality/support/verify-link.ts'
import { newEmail, useWorld } from '#quality/support/world.ts'

const world = useWorld({ hashing: 'real' })
beforeEach(() => world().db.deleteFrom('rate_limits').execute())

const { theirs, own } = claimantPasswords
const { claim, verify, numbersOf, accountsOf, claimedFirst } = createClaimActions(world)

describe('two accounts with the same email address', () => {
  test('when two accounts verify the same email address at once, only one succeeds', async () => {
    const { email, mallory, vera, toMallorys, toVeras } = await claimedFirst()
    const answers = await Promise.all([verify(mallory.visitor, toMallorys), verify(vera.visitor, toVeras)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400])
    expect(answers.find(({ status }) => status === 400)?.body).toEqual({
      account_password: ['This email address already has an account. Please enter the password for that account.'],
    })
    expect((await accountsOf(email)).filter(({ email_verified_at }) => email_verified_at)).toHaveLength(1)
  })

  test('concurrent requests to merge two accounts merge them only once', async () => {
    const email = newEmail()
    const [first, second] = [await claim(email, own), await claim(email, theirs)]
    const [ofSecond, ofFirst] = await waitForVerifyTokens(world(), email, 2)
    expect((await verify(first.visitor, ofFirst)).status).toBe(200)
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => verify(second.visitor, ofSecond, { account_password: own })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array<number>(7).fill(400)])
    expect(await accountsOf(email)).toHaveLength(1)
    expect(await numbersOf(await logInAs(world(), { email, password: own }))).toEqual([
      first.sim.msisdn,
      second.sim.msisdn,
    ])
  })
})

describe('merging one account into another', () => {
  test('when an account is merged during an activation, its service, invoice and card move to the remaining account', async () => {
    const email = newEmail()
    const first = await claim(email, own)
    const [token] = await waitForVerifyTokens(world(), email)
    const late = await advanceWizardTo(world(), 'PAYMENT', { email, password: own, behaviour: 'slow' })
    expect((await late.pay()).status).toBe(200)
    expect(await accountsOf(email)).toHaveLength(2)
    expect((await verify(first.visitor, token)).status).toBe(200)
    const logins = await Promise.all(Array.from({ length: 4 }, () => logInAs(world(), { email, password: own })))
    expect(await accountsOf(email)).toHaveLength(1)
    const { order_code } = await late.arriveAt('SUCCESSFUL')
    for (const visitor of logins) expect(await numbersOf(visitor)).toEqual([first.sim.msisdn, late.sim.msisdn])
    const [account] = await accountsOf(email)
    expect(
      await world()
        .db.selectFrom('invoices')
        .select('user_id')
        .where('order_code', '=', order_code ?? '')
        .execute(),
    ).toEqual([{ user_id: account?.id }])
    expect((await logins[0]?.get('/api/account/'))?.body.user.credit_card_token).toMatchObject({
      masked_card_number: '**** **** **** 1111',
    })
  })

  test('merging accounts while a payment is pending charges once and gives the service to the remaining account', async () => {
    const email = newEmail()
    const [first, second] = [await claim(email, own), await claim(email, own)]
    // Neither account has been verified yet, so the login opens the newer one.
    const signedIn = await logInAs(world(), { email, password: own })
    expect((await verify(first.visitor, (await waitForVerifyTokens(world(), email, 2))[1])).status).toBe(200)
    const third = await advanceWizardTo({ ...world(), visitor: () => signedIn }, 'PAYMENT')
    expect((await third.pay({ holder: 'PENDING' })).status).toBe(202)
    const owner = await logInAs(world(), { email, password: own })
    const order = await pollUntil(() =>
      world()
        .db.selectFrom('orders')
        .selectAll()
        .where('iccid', '=', third.sim.iccid)
        .where('state', '=', 'completed')
        .executeTakeFirst(),
    )
    expect(await numbersOf(owner)).toEqual([first.sim.msisdn, second.sim.msisdn, third.sim.msisdn])
    const { gateway } = await readProviderRecords(world(), order.order_code)
    expect(gateway).toMatchObject([{ captured: order.amount_cents, refunded: 0 }])
  })
})
