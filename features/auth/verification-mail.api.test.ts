import { beforeEach, describe, expect, test } from 'vitest'
import { claimAddress } from '#quality/support/claimed-address.ts'
import { createCustomerSession, makeCustomer } from '#quality/support/customer.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import type { Visitor } from '#quality/support/visitor.ts'
import { useWorld } from '#quality/support/world.ts'

const world = useWorld()
beforeEach(async () => void (await world().db.deleteFrom('rate_limits').execute()))

const path = '/api/account/resend_verification/'
const resend = (visitor: Visitor) => visitor.get(path, { 'x-csrftoken': visitor.cookie('csrftoken') ?? '' })
const resent = { message: 'Email resent. Please check your inbox.' }
const verify = (visitor: Visitor, link: string | undefined) =>
  visitor.post('/api/account/verify_email/', { token: new URL(link ?? 'x:').searchParams.get('token') })
const mailsTo = (email: string, count: number) =>
  pollUntil(async () => (await world().mailTo(email)).length >= count && world().mailTo(email))

describe('resending the confirmation email', () => {
  test('the resent confirmation email contains a working link in both its text and HTML versions', async () => {
    const { visitor, email } = await makeCustomer(world(), { verified: false, first_name: 'Mere' })
    const { status, body } = await resend(visitor)
    expect({ status, body }).toEqual({ status: 200, body: resent })
    const [mail] = await mailsTo(email, 1)
    const link = mail?.links.find((each) => each.includes('/verify/')) ?? ''
    expect(link).toMatch(new RegExp(`^${world().url}/verify/\\?token=[\\w-]{43}$`))
    expect(mail?.subject).toBe('Please confirm your email address')
    expect(mail?.text).toContain('Kia ora Mere,')
    expect(mail?.text).toContain(link)
    expect(mail?.html).toContain(`href="${link}"`)
    expect((await verify(visitor, link)).status).toBe(200)
    expect((await visitor.get('/api/account/')).body.user.email_verified).toBe(true)
  })

  test('sending a new confirmation email invalidates earlier links', async () => {
    const { visitor, email } = await makeCustomer(world(), { verified: false, services: 1 })
    await mailsTo(email, 1)
    await resend(visitor)
    await mailsTo(email, 2)
    await resend(visitor)
    const mails = await mailsTo(email, 3)
    const links = mails.map(({ links: all }) => all.find((each) => each.includes('/verify/')))
    expect(new Set(links).size).toBe(3)
    const statuses = []
    for (const link of links) statuses.push((await verify(visitor, link)).status)
    // The newest link comes first.
    expect(statuses).toEqual([200, 400, 400])
  })

  test('concurrent requests for a confirmation email leave only one valid link', async () => {
    const { visitor, id } = await makeCustomer(world(), { verified: false })
    const answers = await Promise.all(Array.from({ length: 5 }, () => resend(visitor)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    const live = await world()
      .db.selectFrom('email_tokens')
      .select('token_hash')
      .where('user_id', '=', id)
      .where('used_at', 'is', null)
      .execute()
    expect(live).toHaveLength(1)
  })

  test('gives the usual response when the address is already confirmed, but does not send a confirmation email', async () => {
    const { visitor, email, id } = await makeCustomer(world())
    const { status, body } = await resend(visitor)
    expect({ status, body }).toEqual({ status: 200, body: resent })
    expect(await world().db.selectFrom('messages').select('id').where('recipient', '=', email).execute()).toEqual([])
    expect(
      await world().db.selectFrom('email_tokens').select('token_hash').where('user_id', '=', id).execute(),
    ).toEqual([])
  })

  test('resending the confirmation email requires a signed-in customer and the CSRF token', async () => {
    const { visitor, email } = await makeCustomer(world(), { verified: false })
    const stranger = world().visitor()
    await stranger.get('/api/account/')
    expect((await resend(stranger)).status).toBe(401)
    expect((await visitor.get(path)).status).toBe(403)
    expect((await visitor.get(path, { 'x-csrftoken': stranger.cookie('csrftoken') ?? '' })).status).toBe(403)
    expect(
      (await visitor.get(path, { 'x-csrftoken': visitor.cookie('csrftoken') ?? '', origin: 'https://evil.example' }))
        .status,
    ).toBe(403)
    expect(await world().db.selectFrom('messages').select('id').where('recipient', '=', email).execute()).toEqual([])
  })

  test('resends the confirmation email at most five times an hour', async () => {
    const { visitor, email } = await makeCustomer(world(), { verified: false })
    const statuses = await Array.fromAsync({ length: 6 }, async () => (await resend(visitor)).status)
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
    expect(await world().db.selectFrom('messages').select('id').where('recipient', '=', email).execute()).toHaveLength(
      5,
    )
    const neighbour = await makeCustomer(world(), { verified: false })
    expect((await resend(neighbour.visitor)).status).toBe(200)
  })

  async function useUpMailsOf(email: string): Promise<void> {
    const statuses: number[] = []
    for (let account = 0; account < 3; account++) {
      const { id } = await claimAddress(world(), email)
      const visitor = await createCustomerSession(world(), id)
      for (let time = 0; time < 4; time++) statuses.push((await resend(visitor)).status)
    }
    expect(statuses).toEqual(Array(12).fill(200))
  }

  test("an email address's owner can get one confirmation email an hour even if strangers have used up the address's limit", async () => {
    const owner = await makeCustomer(world(), { verified: false })
    await useUpMailsOf(owner.email)
    expect([(await resend(owner.visitor)).status, (await resend(owner.visitor)).status]).toEqual([200, 429])
  })

  test("rejected requests for a confirmation email do not count towards the address's limit", async () => {
    const owner = await makeCustomer(world(), { verified: false })
    const claim = await claimAddress(world(), owner.email)
    await world().db.insertInto('mail_stops').values({ user_id: claim.id, stopped_at: new Date() }).execute()
    const stranger = await createCustomerSession(world(), claim.id)
    for (let time = 0; time < 13; time++) expect((await resend(stranger)).status).toBe(409)
    await useUpMailsOf(owner.email)
  })

  test("a confirmation link is invalid once the account's email address has changed", async () => {
    const { visitor, email, id } = await makeCustomer(world(), { verified: false })
    await resend(visitor)
    const [mail] = await mailsTo(email, 1)
    await world()
      .db.updateTable('users')
      .set({ email: `new.${email}` })
      .where('id', '=', id)
      .execute()
    expect(
      await verify(
        visitor,
        mail?.links.find((each) => each.includes('/verify/')),
      ),
    ).toMatchObject({
      status: 400,
      body: { token: ['This link is no longer valid. It may have been used already, or have expired.'] },
    })
    expect((await visitor.get('/api/account/')).body.user.email_verified).toBe(false)
  })
})
