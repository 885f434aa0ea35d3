import { describe, expect, test } from 'vitest'
import { makeCustomer } from '#quality/support/customer.ts'
import { makeEmailChanger, extractEmailToken } from '#quality/support/email-changer.ts'
import { activate, password } from '#quality/support/activation-journey.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { useWorld } from '#quality/support/world.ts'

const world = useWorld()
const label = () => crypto.randomUUID().slice(0, 8)

function anInternational() {
  const local = `ana.${label()}`
  return { typed: `${local}@Kōwhai.nz`, stored: `${local}@xn--kwhai-g9a.nz` }
}

const logIn = async (username: string) =>
  (await world().visitor().post('/api/account/login/', { username, password })).status
const firstMailTo = (address: string, about: string) =>
  pollUntil(async () => (await world().mailTo(address)).find(({ text }) => text.includes(about)))

describe('unusual email addresses that browsers accept', () => {
  test.each([
    ['with an apostrophe', () => `o'brien.${label()}@example.nz`],
    ['with an ampersand and other symbols', () => `ana&b+${label()}!#$%*=?^_{|}~-@example.nz`],
    ['in an internationalised domain, in ASCII form', () => anInternational().stored],
  ])('a customer with an email address %s gets an account, receives its emails and can log in', async (_, make) => {
    const email = make()
    const { orderCode } = await activate(world(), { email, voucher: await world().newVoucher() })
    const { to, html } = await firstMailTo(email, orderCode)
    expect(to).toBe(email)
    expect(html).not.toContain("o'brien")
    expect(await logIn(email)).toBe(200)
    expect(await logIn(` ${email.toUpperCase()} `)).toBe(200)
    await world().visitor().post('/api/account/password_reset_request/', { email })
    await firstMailTo(email, '/password-reset/')
  })
})

describe('an email address that was stored before it stopped being accepted for new accounts', () => {
  test.each([
    ['without a full stop in its domain', () => `ana.${label()}@localhost`],
    ['with two full stops in a row', () => `ana..${label()}@example.nz`],
    ['with a numeric top-level domain', () => `ana.${label()}@127.1`],
    ['with more than 64 characters before the @ sign', () => `ana.${label()}${'a'.repeat(60)}@example.nz`],
  ])('a customer with an address %s can still log in, reset their password and change the address', async (_, make) => {
    const ana = await makeEmailChanger(world(), { email: make() })
    const { email } = ana
    expect(await logIn(email)).toBe(200)
    expect(await logIn(` ${email.toUpperCase()} `)).toBe(200)
    expect((await world().visitor().post('/api/account/password_reset_request/', { email })).status).toBe(200)
    const { text } = await firstMailTo(email, '/password-reset/')
    const [, uid, token] = /password-reset\/([^/\s]+)\/([^/\s]+)/.exec(text) ?? []
    const passwords = { password: 'tui-and-kea-1', password_confirm: 'tui-and-kea-1' }
    expect((await world().visitor().post(`/api/forgot_password_reset/${uid}/${token}/`, passwords)).status).toBe(200)

    const changer = await makeEmailChanger(world(), { email: make() })
    expect((await changer.ask()).body).toMatchObject({ state: 'REQUESTED' })
    expect((await changer.enter(await changer.pin())).body).toMatchObject({ state: 'VERIFIED' })
    expect((await changer.confirm(await changer.token())).body).toMatchObject({ state: 'FINISHED' })
  })

  test('a change to such an address that was requested earlier can be finished', async () => {
    const wanted = `ana.${label()}@localhost`
    const ana = await makeEmailChanger(world(), { wanted })
    await ana.ask(`ana.${label()}@example.nz`)
    await world().db.updateTable('email_changes').set({ new_email: wanted }).where('user_id', '=', ana.id).execute()
    expect((await ana.enter(await ana.pin(), { new_email: wanted })).body).toMatchObject({ state: 'VERIFIED' })
    expect((await ana.confirm(await ana.token())).body).toMatchObject({ state: 'FINISHED', new_email: wanted })
    expect(await logIn(wanted)).toBe(200)
  })
})

describe('email addresses with an internationalised domain', () => {
  test('every spelling of an internationalised email address belongs to one account', { tags: ['slow'] }, async () => {
    const { typed, stored } = anInternational()
    const { visitor, orderCode } = await activate(world(), { email: typed, voucher: await world().newVoucher() })
    expect((await visitor.get('/api/activate/')).body.email).toBe(stored)
    expect((await firstMailTo(stored, orderCode)).to).toBe(stored)
    const accounts = await world()
      .db.selectFrom('users')
      .select('email')
      .where('email', 'in', [typed, stored])
      .execute()
    expect(accounts).toEqual([{ email: stored }])
    for (const spelling of [typed, stored, typed.toUpperCase(), stored.toUpperCase(), typed.normalize('NFD')])
      expect(await logIn(spelling)).toBe(200)
    await world().visitor().post('/api/account/password_reset_request/', { email: typed })
    await firstMailTo(stored, '/password-reset/')
    expect(await world().mailTo(typed)).toEqual(await world().mailTo(stored))
  })

  test('the Unicode and ASCII spellings of an internationalised email address share one login limit', async () => {
    const { typed, stored } = anInternational()
    const visitor = world().visitor()
    const guess = async (username: string) =>
      (await visitor.post('/api/account/login/', { username, password: 'not it' })).status
    for (let time = 0; time < 5; time++) expect([await guess(typed), await guess(stored)]).toEqual([400, 400])
    expect([await guess(typed), await guess(stored)]).toEqual([429, 429])
  })

  test('a customer can change to an internationalised email address by typing it in Unicode', async () => {
    const { typed, stored } = anInternational()
    const ana = await makeEmailChanger(world(), { wanted: stored })
    expect(await ana.ask(typed)).toMatchObject({ status: 200, body: { state: 'REQUESTED', new_email: stored } })
    expect(await ana.enter(await ana.pin(), { new_email: typed })).toMatchObject({
      status: 200,
      body: { state: 'VERIFIED' },
    })
    const { text } = await firstMailTo(stored, 'change-email/?token=')
    expect(await ana.confirm(extractEmailToken(text) ?? '')).toMatchObject({ status: 200, body: { state: 'FINISHED' } })
    expect((await ana.visitor.get('/api/account/')).body.user.email).toBe(stored)
    expect((await ana.ask(typed)).body).toEqual({ new_email: ['This is already your email address.'] })
    expect(await logIn(typed)).toBe(200)
  })

  test('rejects an internationalised email address that is malformed or has a non-ASCII character before the @ sign', async () => {
    const { visitor } = await makeCustomer(world())
    for (const new_email of [
      'jörg@example.nz',
      'ana@kōwhai.nz/x',
      'ana@kōwhai.nz\r\nBcc: all@example.nz',
      'ana@kō whai.nz',
    ])
      expect((await visitor.post('/api/account/update_email/', { new_email })).body).toEqual({
        new_email: ['Please enter a valid email address.'],
      })
  })
})
