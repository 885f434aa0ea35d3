/* @module-tag slow */
import { expect, test } from 'vitest'
import { makeSubscriber, type Subscriber } from '#quality/support/customer.ts'
import { portForm } from '#quality/support/activation-journey.ts'
import { readSavedUsage } from '#quality/support/saved-usage.ts'
import { buyAddOn, endOf } from '#quality/support/purchases.ts'
import { failNetwork, newPortableNumber, addSimUsage } from '#quality/support/simulators.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { useWorld } from '#quality/support/world.ts'

const world = useWorld()

async function forecastOf({ id, visitor, service }: Subscriber) {
  const { status, body } = await visitor.get(`/api/account/usage_summary/${service.id}/`)
  expect(status).toBe(200)
  const kept = await Promise.all([undefined, service.id].map((named) => readSavedUsage(world(), id, named)))
  expect(kept.map((each) => each?.summary.forecast ?? null)).toEqual([body.forecast, body.forecast])
  return body.forecast
}

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
  await addSimUsage(world(), { iccid: service.sim.iccid, type: 'data', amount })
  await world().db.deleteFrom('usage_readings').where('service_id', '=', service.id).execute()
}

test('a plan without usage has no forecast, and a forecast that data will run out early comes with an offer of more data', async () => {
  const unused = await makeSubscriber(world(), { plan: 'plan-90-25gb' })
  expect(await forecastOf(unused)).toBeNull()
  const customer = await onTheEleventhDay(15_000)
  const said = await forecastOf(customer)
  // Usage covers ten whole days and part of the eleventh, so the forecast depends on the time of day.
  expect(said).toEqual({
    text: expect.stringMatching(
      /^At about \*\*1\.[45] GB\*\* a day your data runs out around \*\*\d\d \w{3} \d{4}\*\*, about 1[2-4] days early\.$/,
    ),
    add_data: expect.stringMatching(/^Add data from \$\d+\.\d\d$/),
  })
  await use(customer, 9_999)
  await use(customer, 9_999)
  expect(await forecastOf(customer)).toBeNull()
})

test('the usage forecast uses the last reading for up to six hours while the network does not respond', async () => {
  const customer = await onTheEleventhDay(15_000)
  const said = await forecastOf(customer)
  await world().advance('PT3H')
  await failNetwork(world(), { operation: 'balance', kind: 'error_500' })
  expect(await forecastOf(customer)).toEqual(said)
  await world().advance('PT4H')
  await failNetwork(world(), { operation: 'balance', kind: 'error_500' })
  expect(await forecastOf(customer)).toBeNull()
})

test('there is no usage forecast for a cycle in which extra data was bought', async () => {
  const customer = await onTheEleventhDay(10_000)
  expect(await forecastOf(customer)).toMatchObject({ add_data: null })
  const bought = await endOf(customer.visitor, buyAddOn(world(), customer.visitor, customer.service))
  expect(bought.status).toBe(200)
  expect(await forecastOf(customer)).toBeNull()
  // The network keeps listing the add-on for 30 days, so from here on check only our own records.
  const { deps } = world()
  const since = (days: number) =>
    deps.hasChangedSince(customer.service.id, deps.clock.now().subtract({ hours: 24 * days }))
  expect([await since(1), await since(0)]).toEqual([true, false])
})

test('there is no usage forecast for a cycle in which the number was transferred', async () => {
  const customer = await onTheEleventhDay(10_000)
  expect(await forecastOf(customer)).not.toBeNull()
  const number = await newPortableNumber(world())
  await customer.visitor.post(`/api/services/port/${customer.service.id}/`, portForm(number))
  await world().advance('PT5H')
  await pollUntil(async () => {
    const { body } = await customer.visitor.get('/api/services/')
    return body[customer.service.id].msisdn === number
  })
  expect(await forecastOf(customer)).toBeNull()
})
