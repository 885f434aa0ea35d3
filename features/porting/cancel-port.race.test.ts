import { expect, test } from 'vitest'
import { type Customer, makeCustomer } from '#quality/support/customer.ts'
import { portForm } from '#quality/support/activation-journey.ts'
import { findFaultsWhenIdle } from '#quality/support/reconciliation.ts'
import { newPortableNumber } from '#quality/support/simulators.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { useWorld } from '#quality/support/world.ts'
import { cancelPort } from './server/cancel-port.ts'
import { isTransferOver } from './porting.states.ts'
import { resubmitPort } from './server/resubmit-port.ts'

const world = useWorld()
const by = (name: string) => ({ by: 'operator', name }) as const
const cancel = (id: string, name = 'Mere') => cancelPort(world().deps, id, by(name))

const transfersOf = (serviceId: string) =>
  world()
    .db.selectFrom('porting_requests')
    .selectAll()
    .where('service_id', '=', serviceId)
    .orderBy('created_at')
    .execute()
const ask = ({ visitor, services: [service] }: Customer, number: string) =>
  visitor.post(`/api/services/port/${service!.id}/`, portForm(number))
const actsOf = ({ id }: Customer) =>
  world()
    .db.selectFrom('audit_events')
    .select(['actor'])
    .where('user_id', '=', id)
    .where('event', '=', 'number_transfer_cancel_requested')
    .execute()

async function aTransfer(behaviour: 'waits_for_reply' | 'completes') {
  const customer = await makeCustomer(world(), { services: 1 })
  const { id: serviceId } = customer.services[0]!
  const number = await newPortableNumber(world(), behaviour)
  expect((await ask(customer, number)).status).toBe(200)
  return { customer, number, serviceId, id: `${serviceId}-port-1` }
}

const isOverNow = (serviceId: string) =>
  pollUntil(async () => {
    const transfers = await transfersOf(serviceId)
    return transfers.every(({ status }) => isTransferOver(status)) && transfers
  })

test('ten concurrent requests to cancel a number transfer are recorded as a single cancellation', async () => {
  const { customer, serviceId, id } = await aTransfer('waits_for_reply')
  await pollUntil(async () => (await transfersOf(serviceId))[0]?.sub_state === 'awaitingCustomerReply')
  const answers = await Promise.all(Array.from({ length: 10 }, (_, at) => cancel(id, `Mere ${at}`)))
  // A request that arrives late may find that the transfer has already been cancelled.
  const told = answers.filter(({ outcome }) => outcome !== 'impossible')
  expect(told).toEqual(told.map(() => ({ outcome: 'cancelled' })))
  expect(told.length).toBeGreaterThan(0)
  expect(await actsOf(customer)).toHaveLength(1)
  expect(await transfersOf(serviceId)).toMatchObject([{ status: 'CANCELLED' }])
  expect(await findFaultsWhenIdle(world())).toEqual([])
})

test('a number transfer that is cancelled while it is being submitted does not go ahead', async () => {
  for (let round = 0; round < 6; round++) {
    const { serviceId, id } = await aTransfer('waits_for_reply')
    await cancel(id)
    // A submission may still be in flight, so this transfer would wait for its next retry. Make that retry due now.
    await world()
      .db.updateTable('porting_requests')
      .set({ retry_at: new Date() })
      .where('external_id', '=', id)
      .execute()
    expect(await isOverNow(serviceId)).toMatchObject([{ status: 'CANCELLED' }])
  }
  expect(await findFaultsWhenIdle(world())).toEqual([])
})

test('if a transfer is cancelled while it is being confirmed, our records and the network agree on whether the number moved', async () => {
  for (let round = 0; round < 6; round++) {
    const { customer, number, serviceId, id } = await aTransfer('waits_for_reply')
    await pollUntil(async () => (await transfersOf(serviceId))[0]?.sub_state === 'awaitingCustomerReply')
    const confirm = () => world().advance('PT5H')
    const pair = round % 2 === 0 ? [confirm(), cancel(id)] : [cancel(id), confirm()]
    await Promise.all(pair)
    const [transfer] = await isOverNow(serviceId)
    const seen = (await customer.visitor.get('/api/services/')).body[serviceId]
    expect(seen.msisdn).toBe(transfer?.status === 'COMPLETED' ? number : customer.services[0]?.msisdn)
    expect(['COMPLETED', 'CANCELLED']).toContain(transfer?.status)
  }
  expect(await findFaultsWhenIdle(world())).toEqual([])
})

test('when staff retry a failed transfer twice while the customer retries it too, only one of the three requests succeeds', async () => {
  const customer = await makeCustomer(world(), { services: 1 })
  const { id: serviceId } = customer.services[0]!
  const [failing, good] = [await newPortableNumber(world(), 'fails'), await newPortableNumber(world())]
  await ask(customer, failing)
  await world().advance('PT5H')
  await pollUntil(async () => (await transfersOf(serviceId))[0]?.status === 'FAILED')
  const again = () =>
    resubmitPort(
      world().deps,
      { externalId: `${serviceId}-port-1`, correction: { msisdn: good.replace('+64', '0') } },
      by('Mere'),
    )
  const [one, other, { status }] = await Promise.all([again(), again(), ask(customer, good)])
  const won = [one.outcome === 'requested', other.outcome === 'requested', status === 200]
  expect(won.filter(Boolean)).toHaveLength(1)
  await world().advance('PT5H')
  expect(await isOverNow(serviceId)).toMatchObject([{ status: 'FAILED' }, { status: 'COMPLETED' }])
  expect(await findFaultsWhenIdle(world())).toEqual([])
})

test('repeating the cancellation of a number transfer does not cancel a transfer that the customer requests afterwards', async () => {
  const { customer, serviceId, id, number } = await aTransfer('waits_for_reply')
  await pollUntil(async () => (await transfersOf(serviceId))[0]?.sub_state === 'awaitingCustomerReply')
  await cancel(id)
  await isOverNow(serviceId)
  const [asked, cancelled] = await Promise.all([ask(customer, number), cancel(id)])
  expect([asked.status, cancelled.outcome]).toEqual([200, 'impossible'])
  expect((await transfersOf(serviceId)).map(({ status }) => isTransferOver(status))).toEqual([true, false])
})
