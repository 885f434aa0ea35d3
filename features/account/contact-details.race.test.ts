import { expect, test } from 'vitest'
import { type Customer, makeCustomer } from '#quality/support/customer.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { useWorld } from '#quality/support/world.ts'

const world = useWorld()

async function aCustomer(services: number): Promise<Customer> {
  const customer = await makeCustomer(world(), { services })
  expect(customer.services).toHaveLength(services)
  return customer
}

const choose = ({ visitor, first_name, last_name }: Customer, phone: string | undefined) =>
  visitor.post('/api/account/update_details/', { first_name, last_name, phone })
const confirm = ({ visitor }: Customer, token: string) => visitor.post('/api/account/confirm_phone/', { token })
const pendingOf = ({ id }: Customer) =>
  world().db.selectFrom('phone_changes').selectAll().where('user_id', '=', id).execute()
const userOf = async ({ visitor }: Customer) => (await visitor.get('/api/account/')).body.user
const liveTokensOf = ({ id }: Customer) =>
  world()
    .db.selectFrom('email_tokens')
    .selectAll()
    .where('user_id', '=', id)
    .where('purpose', '=', 'phone')
    .where('used_at', 'is', null)
    .execute()

async function tokensOf({ email }: Customer, count: number): Promise<string[]> {
  const mails = await pollUntil(async () => {
    const found = (await world().mailTo(email)).filter(
      ({ subject }) => subject === 'Please confirm your contact phone number',
    )
    return found.length >= count && found
  })
  return mails.map(
    ({ links }) => new URL(links.find((link) => link.includes('token=')) ?? '').searchParams.get('token') ?? '',
  )
}

test('when concurrent requests choose different contact phones, only one becomes pending and only its link works', async () => {
  const customer = await aCustomer(3)
  const [, second, third] = customer.services
  const phones = [second?.msisdn, third?.msisdn, second?.msisdn, third?.msisdn]
  const answers = await Promise.all(phones.map((phone) => choose(customer, phone)))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  const [pending, ...more] = await pendingOf(customer)
  expect(more).toEqual([])
  expect(await liveTokensOf(customer)).toMatchObject([{ subject_id: pending?.service_id }])

  const waiting = (await userOf(customer)).email_verification.phone
  const confirmed = await Promise.all((await tokensOf(customer, 4)).map((token) => confirm(customer, token)))
  expect(confirmed.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400])
  expect(await userOf(customer)).toMatchObject({ phone: waiting, email_verification: null })
})

test('using a confirmation link several times at once changes the contact phone once and notifies each recipient once', async () => {
  const customer = await aCustomer(2)
  const [first, second] = customer.services
  await choose(customer, second?.msisdn)
  const [token = ''] = await tokensOf(customer, 1)
  const answers = await Promise.all(Array.from({ length: 6 }, () => confirm(customer, token)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(answers.filter(({ status }) => status === 400)).toHaveLength(5)
  await pollUntil(async () => (await world().smsTo(first?.msisdn ?? '')).length > 0)
  const notices = await world()
    .db.selectFrom('messages')
    .select('event_key')
    .where('recipient', 'in', [customer.email, first?.msisdn ?? ''])
    .where('event_key', 'like', 'phone-%ed:%')
    .execute()
  expect(notices.map(({ event_key }) => event_key.split(':')[0]).sort()).toEqual(['phone-changed', 'phone-replaced'])
})

test('when a confirmation link is used while a different contact phone is being chosen, the new choice stays pending', async () => {
  const customer = await aCustomer(3)
  const [, second, third] = customer.services
  await choose(customer, second?.msisdn)
  const [token = ''] = await tokensOf(customer, 1)
  const [confirmed, chosen] = await Promise.all([confirm(customer, token), choose(customer, third?.msisdn)])
  expect(chosen.status).toBe(200)
  expect([200, 400]).toContain(confirmed.status)
  const user = await userOf(customer)
  expect(user.email_verification?.phone).toBe(third?.msisdn)
  expect(user.phone).toBe(confirmed.status === 200 ? second?.msisdn : customer.services[0]?.msisdn)
  expect(await liveTokensOf(customer)).toHaveLength(1)
})

test('when a contact phone is confirmed and cancelled at the same time, exactly one of the two requests succeeds', async () => {
  const customer = await aCustomer(2)
  const [first, second] = customer.services
  await choose(customer, second?.msisdn)
  const [token = ''] = await tokensOf(customer, 1)
  const [confirmed, canceled] = await Promise.all([
    confirm(customer, token),
    customer.visitor.post('/api/account/confirm_phone/cancel/'),
  ])
  const isChanged = confirmed.status === 200
  expect([confirmed.status, canceled.status]).toEqual(isChanged ? [200, 409] : [400, 200])
  expect(await userOf(customer)).toMatchObject({
    phone: isChanged ? second?.msisdn : first?.msisdn,
    email_verification: null,
  })
  expect(await liveTokensOf(customer)).toEqual([])
})
