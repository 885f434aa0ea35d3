/* @module-tag slow */
import { expect, test } from 'vitest'
import { makeCustomer, makeSubscriber } from '#quality/support/customer.ts'
import { buyAddOn, endOf } from '#quality/support/purchases.ts'
import { readSavedUsage } from '#quality/support/saved-usage.ts'
import { useWorld } from '#quality/support/world.ts'

const world = useWorld()
const summaryOf = (uuid: string): string => `/api/account/usage_summary/${uuid}/`
const kept = (userId: string, uuid?: string) => readSavedUsage(world(), userId, uuid)

test('stored usage for a server-rendered page includes add-ons, and needs no service ID if the customer has only one service', async () => {
  const customer = await makeSubscriber(world())
  const { id, visitor, service } = customer
  expect(await kept(id)).toBeNull()
  expect((await endOf(visitor, buyAddOn(world(), visitor, service))).status).toBe(200)
  const { body } = await visitor.get(summaryOf(service.id))
  expect(body.addons).toHaveLength(1)
  expect([await kept(id), await kept(id, service.id)]).toEqual(
    Array.from({ length: 2 }, () => ({ uuid: service.id, summary: body })),
  )
})

test('if a customer has several services, a server-rendered page gets stored usage only with a service ID', async () => {
  const { id, visitor, services } = await makeCustomer(world(), { services: 2 })
  for (const service of services) await visitor.get(summaryOf(service.id))
  expect(await kept(id)).toBeNull()
  for (const service of services) expect(await kept(id, service.id)).toMatchObject({ uuid: service.id })
})

test('a server-rendered page never gets the stored usage of another customer’s service or an unknown service', async () => {
  const [ana, ben] = [await makeSubscriber(world()), await makeSubscriber(world())]
  for (const { visitor, service } of [ana, ben]) await visitor.get(summaryOf(service.id))
  expect(await kept(ana.id, ana.service.id)).toMatchObject({ uuid: ana.service.id })
  for (const named of [ben.service.id, 'a0000000-0000-4000-8000-000000000000', 'nothing'])
    expect(await kept(ana.id, named)).toBeNull()
})

test('stored usage is shown for six hours, but never in the next cycle', async () => {
  const { id, visitor, service } = await makeSubscriber(world(), { plan: 'plan-90-25gb' })
  await visitor.get(summaryOf(service.id))
  await world().advance('PT5H50M')
  expect(await kept(id)).not.toBeNull()
  await world().advance('PT20M')
  expect(await kept(id)).toBeNull()
  const { body } = await visitor.get(summaryOf(service.id))
  const left = Date.parse(body.renewal_date) - world().deps.clock.now().epochMilliseconds
  await world().advance(`PT${Math.floor(left / 1_000) - 1_800}S`)
  await visitor.get(summaryOf(service.id))
  expect(await kept(id)).not.toBeNull()
  await world().advance('PT1H')
  expect(await kept(id)).toBeNull()
})

test('stored usage is not available over HTTP', async () => {
  const { visitor } = await makeSubscriber(world())
  expect((await visitor.get('/pages/kept-use/')).status).toBe(404)
  expect((await visitor.get('/api/pages/kept-use/')).status).toBe(404)
})
