/* @module-tag slow */
import { beforeEach, describe, expect, test } from 'vitest'
import { transact } from '#kit/server/db.ts'
import { countLimitUse } from '#kit/server/limits.ts'
import { recreateMessage } from '#app/recreate-message.ts'
import { claimAddress, createOwnerAndClaim } from '#quality/support/claimed-address.ts'
import { createCustomerSession, makeCustomer } from '#quality/support/customer.ts'
import { sendRawRequest } from '#quality/support/raw-http.ts'
import { submitReset, readResetLinks } from '#quality/support/reset-link.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import type { Visitor } from '#quality/support/visitor.ts'
import { useWorld } from '#quality/support/world.ts'

const world = useWorld()
beforeEach(async () => void (await world().db.deleteFrom('rate_limits').execute()))

const allWork = () => pollUntil(async () => (await world().deps.jobs.unfinished()) === 0)
const mailsTo = async (email: string) => {
  await allWork()
  return (await world().mailTo(email)).filter(({ subject }) => subject.startsWith('Set a new password'))
}
const uidOf = (id: string) => Buffer.from(id).toString('base64url')

async function ask(email: string, from: string, browser: Visitor = world().visitor()): Promise<number> {
  // Use a new session, as if the browser had deleted every cookie except the one that makes it a known browser.
  const fresh = world().visitor()
  await fresh.get('/api/account/')
  const device = browser.cookie('fantail_device')
  const cookies = [`fantail=${fresh.cookie('fantail')}`, ...(device ? [`fantail_device=${device}`] : [])]
  const { status } = await sendRawRequest(world().url.replace('localhost', '127.0.0.1'), {
    method: 'POST',
    path: '/api/account/password_reset_request/',
    headers: {
      'content-type': 'application/json',
      'x-csrftoken': fresh.cookie('csrftoken') ?? '',
      cookie: cookies.join('; '),
    },
    body: JSON.stringify({ email }),
    from,
  })
  return status
}

async function askFromEverywhere(email: string, browser?: Visitor): Promise<number> {
  const statuses: number[] = []
  for (const host of [11, 12, 13, 14])
    for (let time = 0; time < 5; time++) statuses.push(await ask(email, `127.0.0.${host}`, browser))
  return statuses.filter((status) => status === 200).length
}

describe('limits on reset emails per email address', () => {
  test('sends up to ten reset emails an hour to an address, and two more requested from a known browser', async () => {
    const owner = await makeCustomer(world())
    expect(await askFromEverywhere(owner.email)).toBe(10)
    const own = [1, 2, 3].map(() => ask(owner.email, '127.0.0.11', owner.visitor))
    expect((await Promise.all(own)).toSorted()).toEqual([200, 200, 429])
    expect(await mailsTo(owner.email)).toHaveLength(12)
  })

  test('sends at most twelve reset emails an hour, even if a stranger also has an account and known browsers for the address', async () => {
    const { owner, claim } = await createOwnerAndClaim(world())
    const browsers = await Array.fromAsync({ length: 3 }, () => createCustomerSession(world(), claim.id))
    let accepted = 0
    for (const browser of browsers) accepted += await askFromEverywhere(owner.email, browser)
    expect(accepted).toBe(12)
    const mails = await mailsTo(owner.email)
    expect(mails).toHaveLength(12)
    const link = (await readResetLinks(world(), owner.email)).find(({ uid }) => uid === uidOf(owner.id))
    expect((await submitReset(link!, world().visitor(), 'kereru 22')).status).toBe(200)
  })

  test('an email address without an account has the same limit on reset requests', async () => {
    expect(await askFromEverywhere(`${crypto.randomUUID()}@example.nz`)).toBe(10)
  })

  test('changing the password resets the limit on reset emails', async () => {
    const owner = await makeCustomer(world())
    expect(await askFromEverywhere(owner.email)).toBe(10)
    const body = { old_password: owner.password, new_password: 'korimako 22', password_confirm: 'korimako 22' }
    expect((await owner.visitor.post('/api/account/change_password/', body)).status).toBe(200)
    expect(await ask(owner.email, '127.0.0.11')).toBe(200)
    await allWork()
    const [link] = await readResetLinks(world(), owner.email)
    expect((await submitReset(link!, world().visitor(), 'kereru 22')).status).toBe(200)
  })

  test('creating another account with the same address does not reset the limit on reset emails', async () => {
    const { owner } = await createOwnerAndClaim(world())
    expect(await askFromEverywhere(owner.email)).toBe(10)
    await claimAddress(world(), owner.email, 'takahe of mallory 2')
    expect(await ask(owner.email, '127.0.0.15')).toBe(429)
  })

  test('creating the first account with an address resets the limit on reset emails', async () => {
    const email = `${crypto.randomUUID()}@example.nz`
    expect(await askFromEverywhere(email)).toBe(10)
    await claimAddress(world(), email)
    expect(await ask(email, '127.0.0.11')).toBe(200)
    expect(await mailsTo(email)).toHaveLength(1)
  })

  test('staff can resend a reset email even when the address has reached its limit', async () => {
    const owner = await makeCustomer(world())
    expect(await askFromEverywhere(owner.email)).toBe(10)
    const user = await world().db.selectFrom('users').selectAll().where('id', '=', owner.id).executeTakeFirstOrThrow()
    const wish = { kind: 'password-reset', ref: '', user, again: crypto.randomUUID(), stated: null }
    expect(await transact(world().db, (trx) => recreateMessage(trx, world().deps, wish))).toBeNull()
    expect(await mailsTo(owner.email)).toHaveLength(11)
  })

  test('a known browser can request a reset email even when its IP address has reached the limit', async () => {
    const owner = await makeCustomer(world())
    await countLimitUse(world().db, [{ key: 'reset-request:address:127.0.0.21', times: 1, seconds: 3_600 }])
    await world().db.updateTable('rate_limits').set({ count: 300 }).execute()
    expect(await ask(owner.email, '127.0.0.21')).toBe(429)
    expect(await ask(owner.email, '127.0.0.21', owner.visitor)).toBe(200)
  })
})

describe('the reset email when several accounts share an email address', () => {
  test("a reset email for several accounts shows each account's link and phone number, but no names", async () => {
    const owner = await makeCustomer(world(), { services: 1, first_name: 'Hinewai' })
    const claim = await claimAddress(world(), owner.email)
    expect(await ask(owner.email, '127.0.0.31')).toBe(200)
    const [mail, ...others] = await mailsTo(owner.email)
    expect(others).toEqual([])
    expect(mail?.text).toContain('2 Fantail Mobile accounts have this email address')
    const phone = (await owner.visitor.get('/api/account/')).body.user.phone_display
    expect(mail?.text).toContain(`Account with ${phone}: ${world().url}/password-reset/${uidOf(owner.id)}/`)
    expect(mail?.text).toContain(`Account without a number: ${world().url}/password-reset/${uidOf(claim.id)}/`)
    expect(mail?.html).toContain(`<a href="${world().url}/password-reset/${uidOf(owner.id)}/`)
    expect(mail?.text).not.toMatch(/Hinewai|Mallory/)
  })

  test("the reset email omits an account that the address's owner has disowned", async () => {
    const { owner, claim } = await createOwnerAndClaim(world())
    await world().db.insertInto('mail_stops').values({ user_id: claim.id, stopped_at: new Date() }).execute()
    expect(await ask(owner.email, '127.0.0.32')).toBe(200)
    const [mail] = await mailsTo(owner.email)
    expect(mail?.text).toContain('someone asked for a new password for your Fantail Mobile account')
    expect((await readResetLinks(world(), owner.email)).map(({ uid }) => uid)).toEqual([uidOf(owner.id)])
  })
})
