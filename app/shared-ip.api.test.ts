/* @module-tag slow */
import { beforeEach, expect, test } from 'vitest'
import { makeCustomer } from '#quality/support/customer.ts'
import type { Visitor } from '#quality/support/visitor.ts'
import { newEmail, useWorld } from '#quality/support/world.ts'

const world = useWorld()
beforeEach(async () => void (await world().db.deleteFrom('rate_limits').execute()))

const strangers = (count: number, call: (visitor: Visitor) => ReturnType<Visitor['post']>): Promise<number[]> =>
  Array.fromAsync({ length: count }, async () => (await call(world().visitor())).status)

// Each count is one more than a limit that used to apply per IP address. A mobile carrier's customers can all share one IP address.
test.each<[string, number, (visitor: Visitor) => ReturnType<Visitor['post']>]>([
  [
    'ask for a new password',
    21,
    (visitor) => visitor.post('/api/account/password_reset_request/', { email: newEmail() }),
  ],
  [
    'follow a link in an email',
    121,
    (visitor) =>
      visitor.post('/api/forgot_password_reset/x/y/', { password: 'korimako2', password_confirm: 'korimako2' }),
  ],
  ['confirm an email address', 61, (visitor) => visitor.post('/api/account/verify_email/', { token: 'x' })],
  ['sign up', 201, (visitor) => visitor.post('/api/activate/signup/', {})],
  ['look up a voucher', 101, (visitor) => visitor.get('/api/vouchers/NOSUCHCODE00/')],
])('many visitors who share an IP address may %s', async (_, count, call) => {
  const statuses = await strangers(count, call)
  expect(statuses.filter((status) => status === 429 || status >= 500)).toEqual([])
})

test('strangers who share a customer’s IP address do not use up the customer’s limits for email and phone confirmation', async () => {
  const [unconfirmed, customer] = [await makeCustomer(world(), { verified: false }), await makeCustomer(world())]
  await strangers(25, (visitor) => resend(visitor))
  await strangers(65, (visitor) => visitor.post('/api/account/confirm_phone/', { token: 'x' }))
  expect((await resend(unconfirmed.visitor)).status).toBe(200)
  expect((await customer.visitor.post('/api/account/confirm_phone/', { token: 'x' })).status).toBe(400)
})

async function resend(visitor: Visitor) {
  await visitor.get('/api/account/')
  return visitor.get('/api/account/resend_verification/', { 'x-csrftoken': visitor.cookie('csrftoken') ?? '' })
}
