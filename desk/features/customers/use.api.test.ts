import { beforeAll, expect, test } from 'vitest'
import { type Customer, makeCustomer } from '#quality/support/customer.ts'
import { demoStaff, newStaffVisitor } from '#quality/support/desk-visitor.ts'
import { clearFailures, failNetwork } from '#quality/support/simulators.ts'
import type { Visitor } from '#quality/support/visitor.ts'
import { useWorld } from '#quality/support/world.ts'

const world = useWorld({ env: { DESK_PORT: '0' } })

let support: Visitor
let customer: Customer
beforeAll(async () => {
  support = await newStaffVisitor(world().deskUrl ?? '', demoStaff.support)
  customer = await makeCustomer(world(), { services: 1 })
})

const pathOf = (service: string): string => `/api/desk/customers/${customer.id}/numbers/${service}/use/`

test('what is left of a plan is read from the network, and only for a customer whose record has been opened', async () => {
  const [service] = customer.services
  expect((await support.get(pathOf(service!.id))).status).toBe(403)
  await support.post(`/api/desk/customers/${customer.id}/open/`, { reason: 'call' })
  const { status, body } = await support.get(pathOf(service!.id))
  expect(status).toBe(200)
  expect(body).toEqual({
    left: { name: 'Data', amount: 5, total: 5, unit: 'GB', read: expect.any(String) },
    others: [],
    add_ons: [],
    is_silent: false,
  })
})

test('requesting the usage of a different customer’s phone number gets 404', async () => {
  const other = await makeCustomer(world(), { services: 1 })
  expect((await support.get(pathOf(other.services[0]!.id))).status).toBe(404)
  expect((await support.get(pathOf('none'))).status).toBe(404)
})

test('while the network is not responding, the desk shows the last known usage and marks it as such', async () => {
  const [service] = customer.services
  await world().advance('PT1H')
  await failNetwork(world(), { operation: 'balance', kind: 'error_500' })
  const { body } = await support.get(pathOf(service!.id))
  await clearFailures(world())
  expect(body).toMatchObject({ left: { amount: 5 }, is_silent: true })
})
