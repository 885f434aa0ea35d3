import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { buildPath } from '#kit/contract/endpoint.ts'
import { apiRoutes } from '#app/api.ts'
import type { Deps } from '#app/deps.ts'
import { pages } from '#app/pages.ts'
import { type DeskDeps, deskRoutes } from '#desk/app/desk-routes.ts'
import { type DocumentRow, listPurchases, purchasesPerPage } from '#features/invoices/invoices.contract.ts'
import { presentPurchases } from '#features/invoices/server/invoices.present.ts'
import { presentServicesPart } from '#features/services/server/services.present.ts'
import { listServices } from '#features/services/services.contract.ts'
import { type Customer, makeCustomer } from '#quality/support/customer.ts'
import { demoStaff, newStaffVisitor } from '#quality/support/desk-visitor.ts'
import { measureCpuMs } from '#quality/support/processor-time.ts'
import type { Visitor } from '#quality/support/visitor.ts'
import { useWorld } from '#quality/support/world.ts'
import { createLargestAccount, serviceCount, purchaseCount } from './largest-account.ts'
import { stage } from './planted-weakness.ts'
import { nameOf, paramsOf } from './attack-context.ts'
import { endConnections, headersOf, send } from './send.ts'

// These tests take a customer with as many rows as the limits allow and compare each GET with the same GET for an ordinary customer.

const world = useWorld({ pages: 'built', env: { DESK_PORT: '0' } })
/**
 * How much longer, in milliseconds, a GET for the largest account may block the event loop than the same GET for an ordinary account. The
 * value applies to the reference machine and is scaled up on slower ones.
 */
let maxAbove = 50
/** How long `sampleWork` takes on the reference machine, in milliseconds. */
const sampleMs = 8
const sampleRows = Array.from({ length: 2_000 }, (_, n) => ({
  n,
  name: `row ${n}`,
  at: new Date(n * 1e9).toISOString(),
}))

function sampleWork(): void {
  for (let times = 0; times < 10; times++) JSON.parse(JSON.stringify(sampleRows))
}

let [fullestCustomer, ordinary]: [Customer?, Customer?] = []
let staff: Visitor
beforeAll(async () => {
  maxAbove *= Math.max(1, (await measureCpuMs(sampleWork, { tries: 20, enough: sampleMs })) / sampleMs)
  ordinary = await makeCustomer(world(), { card: true, services: 1 })
  fullestCustomer = await createLargestAccount(world())
  staff = await newStaffVisitor(world().deskUrl ?? '', demoStaff.lead)
}, 240_000)
afterEach(() => void (stage.plant = null))
afterAll(endConnections)

type Get = { status: number; body: string; held: number }

/**
 * Sends a GET and returns how long the event loop's longest task takes before the response arrives, in milliseconds of processor time.
 * Unlike elapsed time, processor time is not affected by other processes.
 */
async function get(origin: string, path: string, headers: Record<string, string>): Promise<Get> {
  await world().db.deleteFrom('rate_limits').execute()
  const call = { isDone: false }
  let held = 0
  const answer = send(origin, { method: 'GET', path, headers }).finally(() => (call.isDone = true))
  while (!call.isDone) {
    const before = process.threadCpuUsage()
    await nextTurn()
    const { user, system } = process.threadCpuUsage(before)
    held = Math.max(held, (user + system) / 1_000)
  }
  const { status, body } = await answer
  return { status, body, held }
}

type Target = { origin: string; headers: Record<string, string> }
const targetOf = ({ visitor }: Customer): Target => ({ origin: world().url, headers: headersOf(visitor) })

async function faultOf(pathFor: (customer: Customer) => string, target = targetOf): Promise<string | null> {
  if (!fullestCustomer || !ordinary) throw new Error('there is nobody to compare')
  const usual = await quickest(pathFor(ordinary), target(ordinary))
  const full = await quickest(pathFor(fullestCustomer), target(fullestCustomer), usual.held + maxAbove)
  if (full.status >= 500 || full.status !== usual.status) return `answered ${full.status}, the ordinary ${usual.status}`
  const above = full.held - usual.held
  return above > maxAbove ? `held all visitors ${Math.round(above)} ms longer than the ordinary customer’s` : null
}

async function quickest(path: string, { origin, headers }: Target, enough = 10): Promise<Get> {
  let best = await get(origin, path, headers)
  for (let again = 0; again < 4 && best.held > enough; again++) {
    const next = await get(origin, path, headers)
    if (next.held < best.held) best = next
  }
  return best
}

const valuesOf = ({ id, services: [service] }: Customer): Record<string, string> => ({
  id,
  uuid: service?.id ?? '',
  service: service?.id ?? '',
  schedule: service?.shortId ?? '',
  scheduleId: service?.shortId ?? '',
  shortId: service?.shortId ?? '',
  orderId: service?.orderCode ?? '',
  orderCode: service?.orderCode ?? '',
  code: service?.orderCode ?? '',
})
const filled = (path: string) => (customer: Customer) =>
  path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(valuesOf(customer)[name] ?? 'FT0000000000'))

const gets = apiRoutes({} as Deps)
  .map(({ endpoint }) => endpoint)
  .filter(({ method, csrf }) => method === 'GET' && !csrf)
const files = ['/documents/:uuid/history.csv', '/documents/:uuid/history.json', '/documents/:uuid/:orderCode.pdf']
const paths = [
  ...pages.flatMap(({ path }) => (typeof path === 'string' ? [path] : [])),
  '/services/renew/:schedule/',
  '/services/:uuid/invoices/?before=:orderCode',
  ...['/', '/services/renew/', '/account/purchases/'].map((path) => `${path}?from=:uuid`),
  ...files,
]

describe('API requests and pages for the largest possible account', () => {
  test.each(gets.map((endpoint) => [nameOf(endpoint), endpoint] as const))(
    '%s blocks the event loop for at most 50 ms longer with the largest account than with an ordinary one',
    async (_name, endpoint) => {
      expect(await faultOf((customer) => buildPath(endpoint, valuesOf(customer)))).toBeNull()
    },
  )

  test.each(paths)(
    'the page or file %s blocks the event loop for at most 50 ms longer with the largest account',
    async (path) => expect(await faultOf(filled(path))).toBeNull(),
  )

  test.each(['html', 'json'])(
    'downloading all data as %s blocks the event loop for at most 50 ms longer with the largest account',
    async (format) => {
      const urls = new Map<string, string>()
      for (const { visitor, id, password } of [fullestCustomer, ordinary] as Customer[])
        urls.set(id, (await visitor.post('/api/account/privacy/data/', { password, format })).body.url)
      expect(await faultOf(({ id }) => urls.get(id) ?? '')).toBeNull()
    },
  )
})

const deskGets = deskRoutes({ isDemo: true } as DeskDeps)
  .map(({ endpoint }) => endpoint)
  .filter((endpoint) => endpoint.method === 'GET' && isAboutCustomers(endpoint.path, paramsOf(endpoint)))

function isAboutCustomers(path: string, params: string[]): boolean {
  if (params.length === 0) return !path.includes('/file/')
  return path.includes('/customers/') || (path.includes('/orders/') && params.join() === 'code')
}

describe('desk API requests about the largest possible account', () => {
  test.each(deskGets.map((endpoint) => [nameOf(endpoint), endpoint] as const))(
    'the desk’s %s blocks the event loop for at most 50 ms longer with the largest account',
    async (_name, endpoint) => {
      for (const { id } of [fullestCustomer, ordinary] as Customer[])
        await staff.post(`/api/desk/customers/${id}/open/`, { reason: 'call' })
      const query = endpoint.path.endsWith('/search/') ? (customer: Customer) => `?q=${customer.email}` : () => ''
      const fault = await faultOf(
        (customer) => buildPath(endpoint, valuesOf(customer)) + query(customer),
        () => ({ origin: world().deskUrl ?? '', headers: headersOf(staff, { token: false }) }),
      )
      expect(fault).toBeNull()
    },
  )
})

test('the check of the largest account reports an endpoint that returns a list without a limit', async () => {
  stage.plant = {
    async answer({ route, db, raw, real }) {
      if (route.endpoint.path !== listPurchases.path) return real()
      const all = await db
        .selectFrom('invoices')
        .selectAll()
        .where('user_id', '=', raw.visit.user?.id ?? '')
        .execute()
      return { status: 200, body: presentPurchases(all, all.length) }
    },
  }
  const { body } = await get(
    world().url,
    buildPath(listPurchases, valuesOf(fullestCustomer!)),
    targetOf(fullestCustomer!).headers,
  )
  expect((JSON.parse(body) as DocumentRow[]).length).toBeGreaterThan(Math.max(purchaseCount, purchasesPerPage))
  expect(await faultOf((customer) => buildPath(listPurchases, valuesOf(customer)))).toMatch(/^held all visitors/)
})

test('the check of the largest account reports code that blocks other requests while it reads 10,000 phone numbers', async () => {
  stage.plant = {
    async answer({ route, raw, deps, real }) {
      if (route.endpoint.path !== listServices.path) return real()
      const body = {}
      // Repeat the read ten times: optimised code can read a thousand numbers without exceeding the limit.
      for (let time = 0; time < 10; time++)
        for (let from: string | undefined = ''; from !== undefined;) {
          const wanted = { userId: raw.visit.user?.id ?? '', from, limit: '101', named: '' }
          const part = await presentServicesPart(deps, wanted)
          Object.assign(body, part)
          from = Object.keys(part)[100]
        }
      expect(Object.keys(body)).toHaveLength(raw.visit.user?.id === fullestCustomer?.id ? serviceCount : 1)
      return { status: 200, body }
    },
  }
  expect(await faultOf(() => listServices.path)).toMatch(/^held all visitors/)
})
