import { createTask } from '#features/operator-tasks/server/operator-tasks.store.ts'
import { verifyCaller } from '#quality/support/caller-verification.ts'
import { type Customer, makeCustomer, makeSubscriber, type Subscriber } from '#quality/support/customer.ts'
import { activate, portForm } from '#quality/support/activation-journey.ts'
import { setAutoRenewal } from '#quality/support/auto-renewal.ts'
import { buyAddOn, renew } from '#quality/support/purchases.ts'
import { failGateway, newPortableNumber, setPortState, sendDispute, addSimUsage } from '#quality/support/simulators.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import type { World } from '#quality/support/world.ts'
import { staffVisitors, post } from './desk-screen.ts'
import { createLongEmail, longFirstName, longLastName } from './people.ts'
import { once } from './screen.ts'

const open = async (world: World, { id }: Pick<Customer, 'id'>, by: 'support' | 'lead' = 'support'): Promise<void> =>
  post(await staffVisitors[by]({ world }), `customers/${id}/open/`, { reason: 'call' })

export const unopenedCustomer = once((world) => makeCustomer(world, { services: 1, last_name: 'Parata' }))

/** A customer with numbers, an add-on, a card, notes and an open task, whose record staff have already opened. */
export const known = once(async (world) => {
  const customer = await makeSubscriber(world, {
    card: true,
    services: 2,
    plan: 'plan-90-25gb',
    last_name: 'Tamihana',
  })
  await addSimUsage(world, { iccid: customer.service.sim.iccid, type: 'data', amount: 6_600 })
  await buyAddOn(world, customer.visitor, customer.service, { product: 'extra-2gb' })
  await open(world, customer)
  await open(world, customer, 'lead')
  const hine = await staffVisitors.support({ world })
  for (const text of ['Prefers text messages over calls. Works nights.', 'Second SIM is her son’s, she pays.'])
    await post(hine, `customers/${customer.id}/notes/`, { body: text })
  await aTask(world, customer.service.orderCode, 'call back about the card')
  return customer
})

export const verifiedCustomer = once(async (world) => {
  const customer = await makeSubscriber(world, { card: true, last_name: 'Aperahama' })
  await open(world, customer)
  await verifyCaller(world, await staffVisitors.support({ world }), customer)
  return customer
})

export const bare = once(async (world) => {
  const customer = await makeCustomer(world, { verified: false, last_name: 'Hohepa' })
  await open(world, customer)
  return customer
})

export const long = once(async (world) => {
  const customer = await makeSubscriber(world, {
    services: 3,
    plan: 'plan-365-60gb',
    first_name: longFirstName,
    last_name: longLastName,
  })
  await world.db.updateTable('users').set({ email: createLongEmail() }).where('id', '=', customer.id).execute()
  await open(world, customer)
  const hine = await staffVisitors.support({ world })
  await post(hine, `customers/${customer.id}/notes/`, { body: 'wh'.repeat(240) })
  return customer
})

export const failingRenewal = once(async (world) => {
  const customer = await makeSubscriber(world, { card: true, last_name: 'Ngata' })
  const { service, visitor } = customer
  await setAutoRenewal({ customer, service }, 'PUT')
  await failGateway(world, { operation: 'authorise', kind: 'refuse_balance' })
  await renew(world, visitor, service, { saved: true, product: 'plan-30-5gb', body: { starts: 'at_end' } })
  const tried = { auto_renewal: true, created_at: new Date(Date.now() - 7_200_000) }
  await world.db
    .updateTable('orders')
    .set(tried)
    .where('service_id', '=', service.id)
    .where('state', '=', 'refused')
    .execute()
  const failedRenewal = { failure: 'no-funds', failed_card: 'Visa ending 1111' } as const
  await world.db.updateTable('auto_renewals').set(failedRenewal).where('service_id', '=', service.id).execute()
  await open(world, customer)
  return customer
})

export const gone = once(async (world) => {
  const customer = await makeSubscriber(world, { last_name: 'Faleolo' })
  const released_at = new Date()
  await world.db.updateTable('services').set({ released_at }).where('id', '=', customer.service.id).execute()
  await open(world, customer)
  return customer
})

export const blockedCustomer = once(async (world) => {
  const customer = await makeCustomer(world, { services: 1, last_name: 'Taufa' })
  await open(world, customer)
  await post(await staffVisitors.support({ world }), `customers/${customer.id}/block/`, { reason: 'fraud', note: '' })
  return customer
})

export async function aTask(world: World, orderCode: string, reason: string): Promise<void> {
  const order = world.db.selectFrom('orders').select('id').where('order_code', '=', orderCode)
  await createTask(world.db, { kind: 'finding', reason, orderId: (await order.executeTakeFirstOrThrow()).id })
}

export const deliveredOrder = once(async (world) => (await activate(world)).orderCode)

export const refundedOrder = once(async (world) => {
  const { orderCode } = await activate(world)
  const why = { reason: 'outage', note: 'No data on 19 and 20 November.' }
  await post(await staffVisitors.support({ world }), `orders/${orderCode}/refund/`, {
    amount: '5.00',
    left: '22.00',
    ...why,
  })
  return orderCode
})

export const requestedRefund = once(async (world) => {
  const { orderCode } = await activate(world)
  const why = { reason: 'bought-twice', note: 'Two orders within four minutes.' }
  await post(await staffVisitors.support({ world }), `orders/${orderCode}/refund/ask/`, {
    amount: '22.00',
    left: '22.00',
    ...why,
  })
  return orderCode
})

export const held = once(async (world) => (await activate(world, { behaviour: 'fails_once' })).orderCode)

export const disputedCharge = once(async (world) => {
  const { orderCode } = await activate(world)
  const order = world.db.selectFrom('orders').select('id').where('order_code', '=', orderCode)
  const { id } = await order.executeTakeFirstOrThrow()
  const due = new Date(Date.now() + 14 * 86_400_000).toISOString()
  await sendDispute(world, { reference: `${orderCode}-1`, event: 'CHARGEBACK', due, reason: 'Goods not received' })
  return pollUntil(async () => {
    const dispute = world.db.selectFrom('disputes').select('psp_reference').where('order_id', '=', id)
    return (await dispute.executeTakeFirst())?.psp_reference
  })
})

type Port = { customer: Subscriber; number: string; reference: string }

async function createPort(world: World, last_name: string): Promise<Port> {
  const customer = await makeSubscriber(world, { last_name })
  const number = await newPortableNumber(world, 'played')
  const reference = `${customer.service.id}-port-1`
  const accountDetails = { billing_method: 2, account_number: '40118277', prepaid_sim_number: '' }
  await customer.visitor.post(`/api/services/port/${customer.service.id}/`, { ...portForm(number), ...accountDetails })
  await pollUntil(async () => (await world.ledgers()).network.some(({ external_id: id }) => id === reference))
  return { customer, number, reference }
}

async function advancePort(world: World, { number, reference }: Port, ...states: string[]): Promise<void> {
  for (const state of states) {
    await setPortState(world, { msisdn: number, state })
    await pollUntil(async () => {
      const { status, sub_state } = await world.db
        .selectFrom('porting_requests')
        .select(['status', 'sub_state'])
        .where('external_id', '=', reference)
        .executeTakeFirstOrThrow()
      return status === 'FAILED' || status === 'COMPLETED' || sub_state === state
    })
  }
}

const customerWithPort = (last_name: string, ...states: string[]) =>
  once(async (world) => {
    const port = await createPort(world, last_name)
    await advancePort(world, port, ...states)
    return port
  })

export const declinedPort = customerWithPort('Hohepa', 'declined')
export const waitingPort = customerWithPort('Simmons', 'awaitingCustomerReply')
export const incompletePort = customerWithPort('Nair', 'informationRequired')
export const moved = customerWithPort('Okoye', 'awaitingCustomerReply', 'confirmed', 'completed')

export const asked = once(async (world) => {
  const port = await createPort(world, 'Brandt')
  await advancePort(world, port, 'declined')
  await post(await staffVisitors.support({ world }), `ports/${port.reference}/ask/`, { reason: 'details', note: '' })
  return port
})
