import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type DeskDeps, deskRoutes } from '#desk/app/calls.ts'
import { open } from '#desk/features/customers/server/customers.ts'
import type { DeskVisit } from '#desk/features/staff/server/visit.ts'
import { makeCustomer, type Customer } from '#testing/customer.ts'
import { isQuiet } from '#testing/reconciliation.ts'
import { newStaffMember } from '#testing/staff-member.ts'
import { until } from '#testing/until.ts'
import { useWorld } from '#testing/world.ts'
import { watchRows } from './changes.ts'
import { withReasonsInTheAddress } from './kinds/desk-reads.ts'
import { type Plant, stage } from './plant.ts'
import { nameOf } from './scene.ts'
import { newTries } from './tries.ts'

// What one person at the desk can do alone, made from the table of its calls: nothing by a GET, and no right within a day.

const world = useWorld({ env: { DESK_PORT: '0' } })
// Only the table is read here.
const routes = deskRoutes({ isDemo: true } as DeskDeps)
const reads = routes.filter(({ endpoint }) => endpoint.method === 'GET')
const tries = newTries()

let customer: Customer
beforeAll(async () => {
  customer = await makeCustomer(world(), { card: true, first_name: 'Marama', last_name: 'Hohepa' })
  await until(() => isQuiet(world()))
  await watchRows(world())
})
beforeEach(() => until(() => isQuiet(world())))
afterAll(() => console.log(tries.table()))

let told = 0
const found = () => tries.findings.slice(told, (told = tries.findings.length))

const named = (path: string): Record<string, string> => ({
  id: path.includes('/stock/') ? '00000000-0000-4000-8000-000000000000' : customer.id,
  code: customer.services[0]?.orderCode ?? '',
  service: customer.services[0]?.id ?? '',
  reference: `${customer.services[0]?.id}-port-1`,
  number: '1',
})

/** Sends every GET with reasons in its address, as somebody who has all roles and has opened nobody. */
async function read() {
  const { visitor: person } = await newStaffMember(world(), { roles: ['support', 'finance', 'admin'], isLead: true })
  const secrets = [customer.email, 'Marama Hohepa', customer.services[0]?.sim.msisdn ?? '']
  await withReasonsInTheAddress({ world: world(), reads, person, named, secrets, tries })
}

test('no GET of the desk grants anything or takes a reason from its address', async () => {
  expect(reads.length).toBeGreaterThan(40)
  await read()
  expect(found()).toEqual([])
})

/** What a GET did or could do: each has to be found. */
const weakReads: { name: string; plant: Plant; fault: RegExp }[] = [
  {
    name: 'a reason in the address opens a customer',
    fault: /shows more/,
    plant: {
      async answer({ route, raw, deps, real }) {
        const { staff } = raw.visit as DeskVisit
        const isAsked = nameOf(route.endpoint) === 'GET /api/desk/customers/:id/' && 'why' in (raw.query as object)
        if (isAsked && staff) await open(deps, staff, customer.id, { reason: 'task' })
        return real()
      },
    },
  },
  {
    name: 'a look at the team renames somebody',
    fault: /changed staff/,
    plant: {
      async answer({ route, db, real }) {
        if (nameOf(route.endpoint) === 'GET /api/desk/team/')
          await db.updateTable('staff').set({ name: crypto.randomUUID() }).execute()
        return real()
      },
    },
  },
]

test.each(weakReads)('the attack on reads finds this planted weakness: $name', async ({ plant, fault }) => {
  stage.plant = plant
  await read().finally(() => (stage.plant = null))
  expect(found()).toContainEqual(expect.objectContaining({ fault: expect.stringMatching(fault) }))
})
