import { beforeEach, describe, expect, test } from 'vitest'
import { realNow, toDate } from '#kit/server/clock.ts'
import { logInAs, makeCustomer, type Customer } from '#quality/support/customer.ts'
import type { Answer, Visitor } from '#quality/support/visitor.ts'
import { newEmail, useWorld } from '#quality/support/world.ts'
import { hashToken } from '#kit/server/secrets.ts'

const world = useWorld()
beforeEach(() => world().db.deleteFrom('rate_limits').execute())

const needed = { status: 400, body: { password: ['Please enter your current password.'] } }
const wrong = { status: 400, body: { password: ['That is not your current password.'] } }
const said = ({ status, body }: Answer) => ({ status, body })

/** Pretends that the password was entered this many hours ago in the visitor's session; `null` means never. */
const entered = (visitor: Visitor, hours: number | null) =>
  world()
    .db.updateTable('sessions')
    .set({ authenticated_at: hours === null ? null : toDate(realNow().subtract({ minutes: Math.round(hours * 60) })) })
    .where('token_hash', '=', hashToken(visitor.cookie('fantail')?.split('.')[0] ?? ''))
    .execute()

const eventsOf = async ({ id }: Customer): Promise<string[]> =>
  (await world().db.selectFrom('audit_events').select('event').where('user_id', '=', id).orderBy('id').execute()).map(
    ({ event }) => event,
  )

type Change = (visitor: Visitor, more?: object) => Promise<Answer>
type Case = { customer: Customer; change: Change; isChanged(): Promise<boolean> }

const changes: Record<string, () => Promise<Case>> = {
  async 'another address'() {
    const customer = await makeCustomer(world())
    const new_email = newEmail()
    return {
      customer,
      change: (visitor, more) => visitor.post('/api/account/update_email/', { new_email, ...more }),
      isChanged: async () => (await customer.visitor.get('/api/account/update_email/')).body.new_email === new_email,
    }
  },
  async 'another contact phone'() {
    const customer = await makeCustomer(world(), { services: 2 })
    const { first_name, email, services } = customer
    const phone = services[1]?.msisdn
    return {
      customer,
      change: (visitor, more) =>
        visitor.post('/api/account/update_details/', { first_name, last_name: 'Te Awa', email, phone, ...more }),
      async isChanged() {
        const { user } = (await customer.visitor.get('/api/account/')).body
        // The name and the phone are saved together or not at all.
        expect(user.last_name === 'Te Awa').toBe(user.email_verification !== null)
        return user.email_verification !== null
      },
    }
  },
}

test('the contact details and email address forms report a wrong password together with all other errors', async () => {
  const { visitor } = await makeCustomer(world(), { services: 1 })
  await entered(visitor, 25)
  const password = 'not this one'
  const ofForm = async (path: string, form: object) => (await visitor.post(path, form)).body
  expect(await ofForm('/api/account/update_details/', { password })).toEqual({
    first_name: ['This field is required.'],
    phone: ['This field is required.'],
    ...wrong.body,
  })
  expect(await ofForm('/api/account/update_details/', { first_name: 'Ana', phone: '021', password })).toEqual({
    phone: ['Please choose one of your phone numbers.'],
    ...wrong.body,
  })
  expect(await ofForm('/api/account/update_email/', { new_email: 'ana', password })).toEqual({
    new_email: ['Please enter a valid email address.'],
    ...wrong.body,
  })
})

describe.each(Object.entries(changes))('password required for %s', (_, make) => {
  test.each([24.1, 29 * 24, null])(
    'requires the password for a sensitive change when it was last entered %s hours ago, but not again for a day',
    { tags: ['slow'] },
    async (hours) => {
      const { customer, change, isChanged } = await make()
      const { visitor, password } = customer
      await entered(visitor, hours)
      for (const more of [{}, { password: '' }]) expect(said(await change(visitor, more))).toEqual(needed)
      expect(said(await change(visitor, { password: 'korimako 9' }))).toEqual(wrong)
      expect(said(await change(visitor, { password: 'x'.repeat(10_000) }))).toEqual(wrong)
      expect(await isChanged()).toBe(false)
      expect((await change(visitor, { password })).status).toBe(200)
      expect(await isChanged()).toBe(true)
      expect((await change(visitor)).status).toBe(200)
      expect((await eventsOf(customer)).filter((event) => event.startsWith('password_'))).toEqual([
        'password_wrong',
        'password_confirmed',
      ])
    },
  )

  test('a sensitive change does not require or check the password if it was entered less than a day ago', async () => {
    const { customer, change, isChanged } = await make()
    await entered(customer.visitor, 23.9)
    expect((await change(customer.visitor, { password: 'korimako 9' })).status).toBe(200)
    expect(await isChanged()).toBe(true)
  })

  test('entering the password in one session does not permit a sensitive change in another', async () => {
    const { customer, change, isChanged } = await make()
    const fresh = await logInAs(world(), customer)
    await entered(customer.visitor, 25)
    expect(said(await change(customer.visitor))).toEqual(needed)
    expect(await isChanged()).toBe(false)
    expect((await change(fresh)).status).toBe(200)
    expect(said(await change(customer.visitor))).toEqual(needed)
  })

  test('sensitive changes and password changes share one limit of ten wrong passwords', async () => {
    const { customer, change, isChanged } = await make()
    const { visitor, password } = customer
    await entered(visitor, 25)
    for (let time = 0; time < 5; time++)
      expect(said(await change(visitor, { password: `wrong ${time}` }))).toEqual(wrong)
    const guess = { old_password: 'wrong 5', new_password: 'kereru 22', password_confirm: 'kereru 22' }
    for (let time = 0; time < 5; time++)
      expect((await visitor.post('/api/account/change_password/', guess)).status).toBe(400)
    const { status, headers } = await change(visitor, { password })
    expect(status).toBe(429)
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await isChanged()).toBe(false)
    expect(said(await change(visitor))).toEqual(needed)
  })

  test.each([[['korimako1']], [7], [null], [{ $ne: '' }], ['4111 1111 1111 1111']])(
    'a sensitive change does not accept %j as the password',
    { tags: ['slow'] },
    async (password) => {
      const { customer, change, isChanged } = await make()
      await entered(customer.visitor, 25)
      expect(await change(customer.visitor, { password })).toMatchObject({
        status: 400,
        body: { password: [expect.any(String)] },
      })
      expect(await isChanged()).toBe(false)
    },
  )
})

test('changing only the name requires no password', async () => {
  const { visitor, email } = await makeCustomer(world())
  await entered(visitor, 25)
  expect(
    await visitor.post('/api/account/update_details/', { first_name: 'Mere', last_name: '', phone: '', email }),
  ).toMatchObject({ status: 200, body: { user: { first_name: 'Mere' } } })
})

test('neither saving an unchanged phone nor entering the PIN for an email change requires the password', async () => {
  const customer = await makeCustomer(world(), { services: 1 })
  const { visitor, first_name, last_name, email, services } = customer
  await visitor.post('/api/account/update_email/', { new_email: newEmail() })
  await entered(visitor, 25)
  expect(
    (await visitor.post('/api/account/update_details/', { first_name, last_name, email, phone: services[0]?.msisdn }))
      .status,
  ).toBe(200)
  expect((await visitor.post('/api/account/update_email/', { otp: 'abc' })).body).toEqual({
    otp: ['Please enter your One-Time PIN.'],
  })
})

test("a sensitive change requires the password even if the customer's email address is unconfirmed", async () => {
  const { visitor, password } = await makeCustomer(world(), { verified: false })
  await entered(visitor, 25)
  const new_email = newEmail()
  expect(said(await visitor.post('/api/account/update_email/', { new_email }))).toEqual(needed)
  expect((await visitor.post('/api/account/update_email/', { new_email, password })).status).toBe(200)
})

test('changing the password counts as entering the current password for other sensitive changes', async () => {
  const { visitor, password } = await makeCustomer(world())
  await entered(visitor, 25)
  expect(
    (
      await visitor.post('/api/account/change_password/', {
        old_password: password,
        new_password: 'kereru 22',
        password_confirm: 'kereru 22',
      })
    ).status,
  ).toBe(200)
  expect((await visitor.post('/api/account/update_email/', { new_email: newEmail() })).status).toBe(200)
})
