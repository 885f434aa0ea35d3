import { expect, test } from 'vitest'
import { newEmail, useWorld } from '#quality/support/world.ts'
import { pollUntil } from '#quality/support/poll-until.ts'

const world = useWorld()

test('a visitor pays by card, activates a SIM and gets an email about it', async () => {
  const visitor = world().visitor()
  const sim = await world().newSim()
  const email = newEmail()

  expect((await visitor.get('/api/activate/')).status).toBe(404)
  const started = await visitor.post('/api/activate/sim/', { ...sim, setup_porting: false })
  expect(started).toMatchObject({ status: 200, body: { state: 'CREATED', setup_porting: false } })
  const signed = await visitor.post('/api/activate/signup/', {
    full_name: 'Ana Rewi',
    email,
    password: 'korimako1',
    marketing_consent: true,
  })
  expect(signed).toMatchObject({ status: 200, body: { state: 'DETAILS_ENTERED', full_name: 'Ana Rewi', email } })
  expect(await visitor.post('/api/activate/method/', { method: 'payment' })).toMatchObject({
    status: 200,
    body: { state: 'METHOD_ENTERED' },
  })
  expect(await visitor.post('/api/activate/plan/', { plan: 'plan-30-5gb' })).toMatchObject({
    status: 200,
    body: { state: 'PAYMENT', balance_due: '22.00' },
  })
  const paid = await visitor.post(
    '/api/activate/pay/',
    { payment_method: '1', use_saved_card: false, adyen_encrypted: world().card() },
    { 'idempotency-key': 'k1' },
  )
  expect(paid).toMatchObject({ status: 200, body: { state: 'ACTIVATING' } })

  const done = await pollUntil(async () => {
    const { body } = await visitor.get('/api/activate/activate/')
    return body.state === 'SUCCESSFUL' && body
  })
  const { service_id: uuid } = await world()
    .db.selectFrom('orders')
    .select('service_id')
    .where('order_code', '=', done.order_code)
    .executeTakeFirstOrThrow()
  expect(done).toMatchObject({ plan_title: '5 GB Prepay Plan', using_voucher: false, uuid })
  expect(uuid).not.toBeNull()

  const { gateway, network } = await world().ledgers()
  const reference = `${done.order_code}-1`
  expect(gateway.filter((line) => line.reference === reference)).toMatchObject([
    { authorised: 2200, captured: 2200, refunded: 0 },
  ])
  expect(
    network.filter((line) => line.external_id.startsWith(done.order_code)).map(({ action, state }) => [action, state]),
  ).toEqual([
    ['activate', 'completed'],
    ['add_plan', 'completed'],
  ])
  const mails = await pollUntil(async () => {
    const messages = await world().mailTo(email)
    return messages.length > 0 && messages
  })
  expect(mails).toHaveLength(1)
  expect(mails[0]?.text).toContain(done.order_code)
})
