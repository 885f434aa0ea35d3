/* @module-tag slow */
import { expect, test } from 'vitest'
import { formatNational } from '#kit/contract/phone.ts'
import { makeCustomer } from '#quality/support/customer.ts'
import {
  activate,
  password,
  portForm,
  advanceWizardTo,
  type WizardVisitor,
} from '#quality/support/activation-journey.ts'
import { newPortableNumber } from '#quality/support/simulators.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import type { RequestContext } from '#kit/server/request-context.ts'
import { useWorld } from '#quality/support/world.ts'
import { hasVisibleActivation as hasFinishedActivation } from './server/activation.ts'

const world = useWorld()

const read = ({ visitor }: Pick<WizardVisitor, 'visitor'>) => visitor.get('/api/activate/')
async function hasFinished({ sim }: Pick<WizardVisitor, 'sim'>, user: RequestContext['user'] = null): Promise<boolean> {
  const row = await world()
    .db.selectFrom('activations')
    .select('session_id')
    .where('iccid', '=', sim.iccid)
    .executeTakeFirstOrThrow()
  return hasFinishedActivation(world().deps, { user, session: { id: row.session_id } })
}

test('shows the phone number and email address for ten minutes after a successful activation, and then masks them', async () => {
  const traveller = await activate(world())
  const number = formatNational(traveller.sim.msisdn)
  expect((await read(traveller)).body).toMatchObject({ phone_number: number, email: traveller.email })
  await world().advance('PT9M')
  expect((await read(traveller)).body).toMatchObject({ phone_number: number, email: traveller.email })
  await world().advance('PT2M')
  for (const path of ['/api/activate/', '/api/activate/activate/']) {
    const { body } = await traveller.visitor.get(path)
    expect(body).toMatchObject({
      state: 'SUCCESSFUL',
      plan_title: '5 GB Prepay Plan',
      phone_number: `•••• ${traveller.sim.msisdn.slice(-3)}`,
      email: `${traveller.email.slice(0, 2)}•••••${traveller.email.slice(traveller.email.indexOf('@'))}`,
      full_name: '',
    })
  }
})

test("after ten minutes, masks the phone number being transferred and omits the old SIM card's number", async () => {
  const number = await newPortableNumber(world())
  const traveller = await activate(world(), { port: portForm(number) })
  await world().advance('PT11M')
  const { body } = await read(traveller)
  expect(body.porting_request).toMatchObject({
    msisdn: `•••• ${number.slice(-3)}`,
    prepaid_sim_number: '',
    account_number: '',
  })
})

test('stops showing a successful activation after 24 hours, and a job then marks it as ended', async () => {
  const traveller = await activate(world())
  await world().advance('PT23H')
  expect((await read(traveller)).body).toMatchObject({ state: 'SUCCESSFUL' })
  expect(await hasFinished(traveller)).toBe(true)
  await world().advance('PT2H')
  expect((await read(traveller)).status).toBe(404)
  expect((await traveller.visitor.get('/api/activate/activate/')).status).toBe(404)
  expect((await traveller.visitor.post('/api/activate/activate/')).status).toBe(404)
  expect(await hasFinished(traveller)).toBe(false)
  await pollUntil(async () => (await openRowsOf(traveller)).length === 0)
})

test('stops showing a failed activation after a day', async () => {
  const traveller = await activate(world(), { behaviour: 'fails_always' })
  expect(traveller.done.state).toBe('PERMANENTLY_FAILED')
  await world().advance('PT25H')
  expect((await read(traveller)).status).toBe(404)
})

test("after ten minutes, masks the customer's details if the activation can be retried, even in the response to Try Again", async () => {
  const traveller = await activate(world(), { behaviour: 'fails_once' })
  await world().advance('PT11M')
  const masked = { email: expect.stringContaining('•••••'), phone_number: expect.stringContaining('••••') }
  expect((await read(traveller)).body).toMatchObject({ state: 'ERROR_CAN_RETRY', ...masked })
  expect((await traveller.visitor.post('/api/activate/activate/')).body).toMatchObject(masked)
})

test("does not mask the details of a customer's own activation while they are logged in", async () => {
  const traveller = await activate(world())
  await traveller.visitor.post('/api/account/login/', { username: traveller.email, password })
  await world().advance('PT11M')
  expect((await read(traveller)).body).toMatchObject({ email: traveller.email })
})

test("masks the details of a visitor's activation when a different customer logs in with the same browser", async () => {
  const { email } = await makeCustomer(world())
  const traveller = await activate(world())
  await traveller.visitor.post('/api/account/login/', { username: email, password })
  await world().advance('PT11M')
  const { body } = await read(traveller)
  expect(body.state).toBe('SUCCESSFUL')
  expect(JSON.stringify(body)).not.toContain(traveller.email)
})

test('after one SIM has been activated, the same browser can activate another and no longer shows the first activation', async () => {
  const first = await activate(world(), { voucher: await world().newVoucher() })
  const place = { ...world(), visitor: () => first.visitor }
  const second = await activate(place)
  expect(second.done).toMatchObject({ state: 'SUCCESSFUL', phone_number: formatNational(second.sim.msisdn) })
  const third = await advanceWizardTo(place, 'CREATED')
  expect(await hasFinished(third)).toBe(false)
  expect((await third.look()).email).toBe('')
})

test('stops showing a successful activation after a logout', async () => {
  const traveller = await activate(world())
  await traveller.visitor.post('/api/account/logout/')
  expect((await read(traveller)).status).toBe(404)
})

test('reports no finished activation to a new session, a visitor who has not paid yet or a logged-in customer', async () => {
  expect(await hasFinishedActivation(world().deps, { user: null, session: { id: null } })).toBe(false)
  expect(await hasFinished(await advanceWizardTo(world(), 'PAYMENT'))).toBe(false)
  const traveller = await activate(world())
  expect(await hasFinished(traveller)).toBe(true)
  expect(await hasFinished(traveller, { id: 'anyone', emailVerified: true, passwordEpoch: 0 })).toBe(false)
  expect((await traveller.visitor.get('/pages/finished-activation/')).status).toBe(404)
})

const openRowsOf = ({ sim }: WizardVisitor) =>
  world()
    .db.selectFrom('activations')
    .select('id')
    .where('iccid', '=', sim.iccid)
    .where('ended_at', 'is', null)
    .execute()
