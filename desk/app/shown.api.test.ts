import * as v from 'valibot'
import { beforeAll, expect, test } from 'vitest'
import { type CustomerWithAllData, createCustomerWithAllData } from '#quality/support/customer-with-all-data.ts'
import { demoStaff, newStaffVisitor } from '#quality/support/desk-visitor.ts'
import type { Visitor } from '#quality/support/visitor.ts'
import { useWorld } from '#quality/support/world.ts'
import { type DeskDeps, deskRoutes } from './desk-routes.ts'

// An endpoint's output schema lists every field that may be sent. Masked values must not appear in full anywhere.

const world = useWorld({ env: { DESK_PORT: '0' } })
let customer: CustomerWithAllData
let [support, finance]: Visitor[] = []
let portReference = ''

beforeAll(async () => {
  customer = await createCustomerWithAllData(world())
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

const searches = (): string[] => [
  customer.email,
  customer.last_name,
  customer.service.orderCode,
  customer.second.msisdn,
  customer.ported.slice(-4),
  customer.second.sim.iccid,
  customer.second.sim.iccid.slice(-4),
]

const isElsewhere = (path: string): boolean =>
  /\/:|\/file\/$|\/evidence\/$/.test(path.replace(/customers\/:id|:service|:code|ports\/:reference/g, ''))

const reads = deskRoutes({ isDemo: true } as DeskDeps)
  .map(({ endpoint }) => endpoint)
  .filter(({ method, path }) => method === 'GET' && !isElsewhere(path))

test.each(reads.map((read) => [read.path, read] as const))(
  '%s returns only fields of its contract, and no full email address or SIM number',
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
        // Parsing with the endpoint's output schema drops every field that the schema does not list.
        expect({ place, status, body, whole }).toEqual({ place, status: 200, body: v.parse(output, body), whole: [] })
      }
    expect(answered).toBeGreaterThan(0)
  },
)
