/* @module-tag slow */
import { afterEach, describe, expect, test } from 'vitest'
import {
  advanceClockTo,
  readCharges,
  getLastDayAtHour,
  createRenewingCustomer,
  readCustomerSchedule,
  stopAutoRenewals,
} from '#quality/support/auto-renewal.ts'
import { makeCustomer, makeSubscriber } from '#quality/support/customer.ts'
import { advanceWizardTo } from '#quality/support/activation-journey.ts'
import { buyAddOn } from '#quality/support/purchases.ts'
import { findFaultsWhenIdle } from '#quality/support/reconciliation.ts'
import { readProviderRecords, setGatewayAccount } from '#quality/support/simulators.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { useWorld } from '#quality/support/world.ts'

const world = useWorld({ env: { CARD_TYPES: 'visa,mc' } })
const usualAccount = { hidden: ['cardBin'], network: null, result: null }
afterEach(() => setGatewayAccount(world(), usualAccount))
afterEach(() => stopAutoRenewals(world()))

const orderOf = (email: string) =>
  world()
    .db.selectFrom('orders')
    .selectAll()
    .where('email', '=', email)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
const gatewayOf = async (email: string) =>
  (await readProviderRecords(world(), (await orderOf(email)).order_code)).gateway
const savedCardOf = (email: string) =>
  world()
    .db.selectFrom('saved_cards')
    .innerJoin('users', 'users.id', 'saved_cards.user_id')
    .select(['card_type', 'last_four'])
    .where('users.email', '=', email)
    .executeTakeFirst()
const gatewayTasks = async () =>
  (
    await world()
      .db.selectFrom('operator_tasks')
      .select('reason')
      .where('kind', '=', 'payment')
      .where('subject', '=', 'card gateway')
      .execute()
  ).map(({ reason }) => reason)

async function activateByCard(holder?: string): Promise<string> {
  const traveller = await advanceWizardTo(world(), 'PAYMENT')
  expect((await traveller.pay({ holder })).status).toBe(holder ? 202 : 200)
  await traveller.arriveAt('SUCCESSFUL')
  return traveller.email
}

describe('cards that the gateway routes over the eftpos network', () => {
  test('a card routed over eftpos is saved without a type if the gateway hides the card’s first digits', async () => {
    await setGatewayAccount(world(), { network: 'eftpos_australia' })
    const email = await activateByCard()
    expect(await gatewayOf(email)).toMatchObject([{ authorised: 2200, captured: 2200, cancelled: 0 }])
    expect(await savedCardOf(email)).toEqual({ card_type: null, last_four: '1111' })
    expect(await gatewayTasks()).toEqual([])
  })

  test('a card routed over eftpos is saved with the brand that its first digits indicate', async () => {
    await setGatewayAccount(world(), { network: 'eftpos_australia', hidden: [] })
    expect(await savedCardOf(await activateByCard())).toEqual({ card_type: 'visa', last_four: '1111' })
  })

  test('a saved Visa card that is routed over eftpos is still a Visa card after it pays for an automatic renewal', async () => {
    const renewing = await createRenewingCustomer(world())
    await setGatewayAccount(world(), { network: 'eftpos_australia' })
    await advanceClockTo(world(), getLastDayAtHour(renewing, 9).add({ minutes: 1 }))
    const [order] = await readCharges(world(), renewing)
    expect(order).toMatchObject({ state: 'completed' })
    expect((await readCustomerSchedule(renewing)).next_plan).not.toBeNull()
    expect(await savedCardOf(renewing.customer.email)).toEqual({ card_type: 'visa', last_four: '1111' })
    const { card } = await world()
      .db.selectFrom('payment_attempts')
      .select('card')
      .where('order_id', '=', order?.id ?? '')
      .executeTakeFirstOrThrow()
    expect(card).toMatchObject({ type: 'visa' })
  })
})

describe('cards on a card network that Fantail does not know', () => {
  const task = (name: string) => expect.stringContaining(`the gateway names the card network “${name}”`)
  const tasksAbout = async (name: string) => (await gatewayTasks()).filter((reason) => reason.includes(`“${name}”`))

  test("a card on an unknown network can pay, is displayed as “Card” and creates one task with the network's name", async () => {
    await setGatewayAccount(world(), { network: 'hyperion_debit' })
    const { visitor, email, service } = await makeSubscriber(world(), { card: true })
    expect((await buyAddOn(world(), visitor, service)).status).toBe(200)
    expect(await gatewayOf(email)).toMatchObject([{ cancelled: 0 }])
    expect(await savedCardOf(email)).toEqual({ card_type: null, last_four: '1111' })
    expect((await visitor.get('/api/account/')).body.user.credit_card_token).toMatchObject({ card_type: null })
    const mails = await world().mailTo(email)
    expect(mails.map(({ text }) => text).join('\n')).toContain('Card ending 1111')
    expect(await tasksAbout('hyperion_debit')).toEqual([task('hyperion_debit')])
  })

  test('a customer can save a card on an unknown network', async () => {
    const { visitor, email } = await makeCustomer(world())
    await setGatewayAccount(world(), { network: 'aether' })
    const sent = { payment_method: '1', adyen_encrypted: world().card() }
    const { status } = await visitor.post('/api/orders/update_payment/', sent, { 'idempotency-key': 'once' })
    expect(status).toBe(200)
    expect(await savedCardOf(email)).toEqual({ card_type: null, last_four: '1111' })
    expect(await tasksAbout('aether')).toEqual([task('aether')])
  })

  test('a card on an unknown network can pay for an activation, even if the authorisation is pending at first', async () => {
    await setGatewayAccount(world(), { network: 'slow_network' })
    const email = await activateByCard('PENDING')
    expect(await gatewayOf(email)).toMatchObject([{ captured: 2200, cancelled: 0 }])
    expect(await tasksAbout('slow_network')).toEqual([task('slow_network')])
  })
})

test('a payment with an unknown result code is eventually cancelled, and a task shows the code', async () => {
  await setGatewayAccount(world(), { result: 'PartlyBlessed' })
  const traveller = await advanceWizardTo(world(), 'PAYMENT')
  const { status, body } = await traveller.pay()
  expect(status).toBe(202)
  expect(await gatewayTasks()).toContainEqual(
    expect.stringContaining('the gateway answers a payment with the result “PartlyBlessed”'),
  )
  await world()
    .db.updateTable('payment_attempts')
    .set({ resolve_by: new Date(0) })
    .where('reference', '=', `${body.order_code}-1`)
    .execute()
  await traveller.visitor.post(`/api/orders/${body.order_code}/resume/`)
  await pollUntil(async () => (await orderOf(traveller.email)).state === 'refused')
  expect(await gatewayOf(traveller.email)).toMatchObject([{ captured: 0, cancelled: 2200 }])
})

test('our records match the gateway’s and the network’s after payments on unknown card networks', async () => {
  const faults = await findFaultsWhenIdle(world())
  expect(faults.filter((fault) => !fault.includes('which the portal does not recognise'))).toEqual([])
})
