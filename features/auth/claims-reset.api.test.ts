import { beforeEach, describe, expect, test } from 'vitest'
import { createClaimActions, claimantPasswords } from '#quality/support/address-claims.ts'
import { requestReset, submitReset, readResetLinks } from '#quality/support/reset-link.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { newEmail, useWorld } from '#quality/support/world.ts'

const world = useWorld()
// All tests share one IP address, so reset the rate limits before each test.
beforeEach(() => world().db.deleteFrom('rate_limits').execute())

const { own } = claimantPasswords
const { claim, verify, numbersOf, accountsOf, pinTo, claimedFirst } = createClaimActions(world)

describe('password resets when several accounts share an email address', () => {
  const linkFor = async (email: string, userId: string) => {
    await requestReset(world(), email)
    const uid = Buffer.from(userId).toString('base64url')
    return pollUntil(async () => (await readResetLinks(world(), email)).find((link) => link.uid === uid))
  }

  test('each account gets its own reset link, and resetting an unverified account also takes a PIN sent to its phone number', async () => {
    const { email, mallory, vera } = await claimedFirst()
    const [mallorys, veras] = await accountsOf(email)
    const visitor = world().visitor()
    const link = await linkFor(email, veras?.id ?? '')
    await pollUntil(
      async () => new Set((await readResetLinks(world(), email)).map(({ uid }) => uid)).size === 2 || null,
    )
    const first = await submitReset(link, visitor, 'kereru of vera 5')
    expect(first).toMatchObject({
      status: 400,
      body: {
        pin: [`We’ve sent a One-Time PIN to your number ending ${vera.sim.msisdn.slice(-3)}. Please enter it here.`],
      },
    })
    const pin = await pinTo(vera.sim.msisdn)
    const wrongPin = pin === '000000' ? '111111' : '000000'
    expect((await submitReset(link, visitor, 'kereru of vera 5', { pin: wrongPin })).body).toEqual({
      pin: ['That PIN is wrong or has expired. Please try again.'],
    })
    expect(await submitReset(link, visitor, 'kereru of vera 5', { pin })).toMatchObject({
      status: 200,
      body: { user: { email_verified: true } },
    })
    expect(await numbersOf(visitor)).toEqual([vera.sim.msisdn])

    // The victim cannot get into the attacker's account with its reset link alone, because the PIN is texted to the attacker's number.
    const another = world().visitor()
    const toClaim = await linkFor(email, mallorys?.id ?? '')
    expect(Object.keys((await submitReset(toClaim, another, 'kereru of vera 6')).body)).toEqual(['pin'])
    expect(await pinTo(mallory.sim.msisdn)).toMatch(/^\d{6}$/)
    expect((await accountsOf(email)).filter(({ email_verified_at }) => email_verified_at)).toHaveLength(1)
  })

  test("allows five wrong PINs a day when resetting an unverified account's password", async () => {
    const email = newEmail()
    await claim(email, own)
    const [account] = await accountsOf(email)
    const visitor = world().visitor()
    const link = await linkFor(email, account?.id ?? '')
    await submitReset(link, visitor, 'kereru of vera 5')
    const pin = await pollUntil(
      async () =>
        await pinTo(
          (
            await world()
              .db.selectFrom('services')
              .select('msisdn')
              .where('user_id', '=', account?.id ?? '')
              .executeTakeFirst()
          )?.msisdn ?? '',
        ),
    )
    const wrongPin = pin === '000000' ? '111111' : '000000'
    for (let time = 0; time < 5; time++)
      expect((await submitReset(link, visitor, 'kereru of vera 5', { pin: wrongPin })).status).toBe(400)
    expect((await submitReset(link, visitor, 'kereru of vera 5', { pin })).status).toBe(429)
  })

  test('a password reset does not require a PIN if the account is verified or its order was placed in the same browser', async () => {
    const email = newEmail()
    const vera = await claim(email, own)
    const [account] = await accountsOf(email)
    expect(await submitReset(await linkFor(email, account?.id ?? ''), vera.visitor, 'kereru of vera 5')).toMatchObject({
      status: 200,
      body: { user: { email_verified: true } },
    })
    await requestReset(world(), email)
    const [newest] = await pollUntil(async () => {
      const links = await readResetLinks(world(), email)
      return links.length === 2 && links
    })
    expect(
      (await submitReset(newest as NonNullable<typeof newest>, world().visitor(), 'kereru of vera 6')).status,
    ).toBe(200)
  })

  test(
    "resetting an unverified account's password does not verify an address that another account has verified",
    { tags: ['slow'] },
    async () => {
      const { email, mallory, vera, toVeras } = await claimedFirst()
      expect((await verify(vera.visitor, toVeras)).status).toBe(200)
      const [mallorys] = await accountsOf(email)
      const link = await linkFor(email, mallorys?.id ?? '')
      expect(await submitReset(link, mallory.visitor, 'korimako of mallory 9')).toMatchObject({
        status: 200,
        body: { user: { email_verified: false } },
      })
      expect((await accountsOf(email)).filter(({ email_verified_at }) => email_verified_at)).toHaveLength(1)
    },
  )
})
