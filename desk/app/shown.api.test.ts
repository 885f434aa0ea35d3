import * as v from 'valibot'
import { beforeAll, expect, test } from 'vitest'
import { type CustomerWithAll, makeCustomerWithAll } from '#quality/support/customer-with-all.ts'
import { demoStaff, newStaffVisitor } from '#quality/support/desk-visitor.ts'
import type { Visitor } from '#quality/support/visitor.ts'
import { useWorld } from '#quality/support/world.ts'
import { type DeskDeps, deskRoutes } from './calls.ts'

// A contract's output is the list of what may leave: nothing else does, and what is masked is whole nowhere.

const world = useWorld({ env: { DESK_PORT: '0' } })
let customer: CustomerWithAll
let [support, finance]: Visitor[] = []
let portReference = ''

beforeAll(async () => {
  customer = await makeCustomerWithAll(world())
  support = await newStaffVisitor(world().deskUrl ?? '', demoStaff.support)
  finance = await newStaffVisitor(world().deskUrl ?? '', demoStaff.lead)
  for (const visitor of [support, finance])
    await visitor.post(`/api/desk/customers/${customer.id}/open/`, { reason: 'call' })
  const port = await world()
    .db.selectFrom('porting_requests')
    .select('external_id')
    .where('service_id', '=', customer.service.id)
    .executeTakeFirstOrThrow()
  portReference = port.external_id
})

/** Where each call is tried; one that is about no customer has the places that the demo has. */
const placesOf = (path: string): string[] =>
  path === '/api/desk/search/'
    ? searches().map((text) => `${path}?${new URLSearchParams({ q: text })}`)
    : [
        path
          .replace('customers/:id', `customers/${customer.id}`)
          .replace(':service', customer.service.id)
          .replace(':code', customer.second.orderCode)
          .replace('ports/:reference', `ports/${portReference}`),
      ]

/** By everything that somebody is found by. */
const searches = (): string[] => [
  customer.email,
  customer.last_name,
  customer.service.orderCode,
  customer.second.msisdn,
  customer.ported.slice(-4),
  customer.second.sim.iccid,
  customer.second.sim.iccid.slice(-4),
]

/** Reads that want the id of something of the provider's own, or leave as a file. */
const isElsewhere = (path: string): boolean =>
  /\/:|\/file\/$|\/evidence\/$/.test(path.replace(/customers\/:id|:service|:code|ports\/:reference/g, ''))

// Only the table is read.
const reads = deskRoutes({ isDemo: true } as DeskDeps)
  .map(({ endpoint }) => endpoint)
  .filter(({ method, path }) => method === 'GET' && !isElsewhere(path))

test.each(reads.map((read) => [read.path, read] as const))(
  '%s shows what its contract names, and masks',
  async (path, { output }) => {
    let answered = 0
    for (const place of placesOf(path))
      for (const visitor of [support, finance]) {
        const { status, body } = (await visitor?.get(place)) ?? { status: 0, body: null }
        if (status === 403) continue
        answered++
        const text = JSON.stringify(body)
        const whole = [customer.email, ...customer.services.map(({ sim }) => sim.iccid)].filter((each) =>
          text.includes(each),
        )
        // What the contract does not name is gone from what it reads.
        expect({ place, status, body, whole }).toEqual({ place, status: 200, body: v.parse(output, body), whole: [] })
      }
    const isForOthers = adminsOnly.includes(path)
    expect(answered > 0).toBe(!isForOthers)
  },
)

const adminsOnly = ['/api/desk/team/', '/api/desk/audit/', '/api/desk/limits/']
