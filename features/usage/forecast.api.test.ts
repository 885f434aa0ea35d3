// @module-tag slow
import { expect, test } from 'vitest'
import { makeSubscriber, type Subscriber } from '#quality/support/customer.ts'
import { portAnswers } from '#quality/support/journey.ts'
import { keptUseOf } from '#quality/support/kept-use.ts'
import { buyAddOn, endOf } from '#quality/support/purchases.ts'
import { failNetwork, newPortableNumber, useSim } from '#quality/support/simulators.ts'
import { until } from '#quality/support/until.ts'
import { useWorld } from '#quality/support/world.ts'

const world = useWorld()

async function forecastOf({ id, visitor, service }: Subscriber) {
  const { status, body } = await visitor.get(`/api/account/usage_summary/${service.id}/`)
  expect(status).toBe(200)
  // A page that comes from the server says the same.
  const kept = await Promise.all([undefined, service.id].map((named) => keptUseOf(world(), id, named)))
  expect(kept.map((each) => each?.summary.forecast ?? null)).toEqual([body.forecast, body.forecast])
  return body.forecast
}

/** Of 25 GB for 90 days, on the eleventh day of which so many MB have been used. */
async function onTheEleventhDay(usedMb: number): Promise<Subscriber> {
  const customer = await makeSubscriber(world(), { plan: 'plan-90-25gb' })
  await world().advance('P10D')
  const { body } = await customer.visitor.get(`/api/account/usage_summary/${customer.service.id}/`)
  const { totalAllowance, remainingAllowance } = body.plan.entitlements[0]
  const already = 1_000 * (totalAllowance.amount - remainingAllowance.amount)
  await use(customer, usedMb - already)
  return customer
}

async function use({ service }: Subscriber, amount: number): Promise<void> {
  await useSim(world(), { iccid: service.sim.iccid, type: 'data', amount })
  await world().db.deleteFrom('usage_readings').where('service_id', '=', service.id).execute()
}

test('is said of a plan in use, with the way to more data where it runs out early; not of one that was not used', async () => {
  const unused = await makeSubscriber(world(), { plan: 'plan-90-25gb' })
  expect(await forecastOf(unused)).toBeNull()
  const customer = await onTheEleventhDay(15_000)
  const said = await forecastOf(customer)
  // Ten whole days and as much of the eleventh as it is late today.
  expect(said).toEqual({
    text: expect.stringMatching(
      /^At about \*\*1\.[45] GB\*\* a day your data runs out around \*\*\w{3} \d+ \w{3}\*\*, about 1[2-4] days early\.$/,
    ),
    add_data: expect.stringMatching(/^Add data from \$\d+\.\d\d$/),
  })
  await use(customer, 9_999)
  await use(customer, 9_999)
  expect(await forecastOf(customer)).toBeNull()
})

test('is said by what the network said last while it says nothing, for six hours', async () => {
  const customer = await onTheEleventhDay(15_000)
  const said = await forecastOf(customer)
  await world().advance('PT3H')
  await failNetwork(world(), { operation: 'balance', kind: 'error_500' })
  expect(await forecastOf(customer)).toEqual(said)
  await world().advance('PT4H')
  await failNetwork(world(), { operation: 'balance', kind: 'error_500' })
  expect(await forecastOf(customer)).toBeNull()
})

test('is not said once extra data was bought in this cycle, also when it is gone', async () => {
  const customer = await onTheEleventhDay(10_000)
  expect(await forecastOf(customer)).toMatchObject({ add_data: null })
  const bought = await endOf(customer.visitor, buyAddOn(world(), customer.visitor, customer.service))
  expect(bought.status).toBe(200)
  expect(await forecastOf(customer)).toBeNull()
  // It lasts 30 days; the network would go on listing it. By the books alone:
  const { deps } = world()
  const since = (days: number) =>
    deps.hasChangedSince(customer.service.id, deps.clock.now().subtract({ hours: 24 * days }))
  expect([await since(1), await since(0)]).toEqual([true, false])
})

test('is not said in the cycle in which the number came', async () => {
  const customer = await onTheEleventhDay(10_000)
  expect(await forecastOf(customer)).not.toBeNull()
  const number = await newPortableNumber(world())
  await customer.visitor.post(`/api/services/port/${customer.service.id}/`, portAnswers(number))
  await world().advance('PT5H')
  await until(async () => {
    const { body } = await customer.visitor.get('/api/services/')
    return body[customer.service.id].msisdn === number
  })
  expect(await forecastOf(customer)).toBeNull()
})
