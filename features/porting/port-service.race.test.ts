import { expect, test } from 'vitest'
import { findFaultsWhenIdle } from '#quality/support/reconciliation.ts'
import { logInAs, makeCustomer } from '#quality/support/customer.ts'
import { portForm } from '#quality/support/activation-journey.ts'
import { newPortableNumber } from '#quality/support/simulators.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { useWorld } from '#quality/support/world.ts'
import { portServiceMessages } from './port-service.contract.ts'

const world = useWorld()

const transfersOf = (serviceId: string) =>
  world().db.selectFrom('porting_requests').selectAll().where('service_id', '=', serviceId).execute()
const ordersOf = async (serviceId: string) =>
  (await world().ledgers()).network.filter(({ external_id: id }) => id.startsWith(`${serviceId}-port-`))

test('of twenty concurrent transfer requests from two tabs, one succeeds and 19 are rejected because a transfer is under way', async () => {
  const customer = await makeCustomer(world(), { services: 1 })
  const [service] = customer.services
  const tabs = [customer.visitor, await logInAs(world(), customer)]
  const numbers = await Promise.all([newPortableNumber(world()), newPortableNumber(world())])
  const press = (at: number) => tabs[at % 2]!.post(`/api/services/port/${service!.id}/`, portForm(numbers[at % 2]!))
  const answers = await Promise.all(Array.from({ length: 20 }, (_, at) => press(at)))
  const [taken, ...more] = answers.filter(({ status }) => status === 200)
  expect([taken?.body, more]).toEqual([{ status: 1 }, []])
  expect(answers.filter(({ status }) => status !== 200).map(({ status, body }) => ({ status, body }))).toEqual(
    Array.from({ length: 19 }, () => ({ status: 400, body: { __all__: [portServiceMessages.underWay] } })),
  )
  await world().advance('PT5H')
  await pollUntil(async () => (await transfersOf(service!.id)).every(({ status }) => status === 'COMPLETED'))
  expect(await transfersOf(service!.id)).toHaveLength(1)
  expect(await ordersOf(service!.id)).toMatchObject([{ action: 'port_in', state: 'completed' }])
  expect(await findFaultsWhenIdle(world())).toEqual([])
})

test('acknowledging a failed transfer does not acknowledge a new one requested at the same time', async () => {
  const customer = await makeCustomer(world(), { services: 1 })
  const { id } = customer.services[0]!
  const ask = async (behaviour: 'completes' | 'fails') =>
    customer.visitor.post(`/api/services/port/${id}/`, portForm(await newPortableNumber(world(), behaviour)))
  await ask('fails')
  await world().advance('PT5H')
  await pollUntil(async () => (await transfersOf(id))[0]?.status === 'FAILED')
  const acknowledge = () => customer.visitor.post(`/api/services/acknowledge_port_failure/${id}/`, {})
  const answers = await Promise.all([acknowledge(), ask('completes'), acknowledge(), acknowledge()])
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  const transfers = await transfersOf(id)
  expect(transfers.filter(({ failure_acknowledged_at: at }) => at !== null).map(({ status }) => status)).toEqual([
    'FAILED',
  ])
  await world().advance('PT5H')
  await pollUntil(async () => (await transfersOf(id)).some(({ status }) => status === 'COMPLETED'))
  expect((await transfersOf(id)).map(({ external_id: externalId }) => externalId).toSorted()).toEqual([
    `${id}-port-1`,
    `${id}-port-2`,
  ])
  expect(await findFaultsWhenIdle(world())).toEqual([])
})
