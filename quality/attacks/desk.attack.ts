import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { buildPath } from '#kit/contract/endpoint.ts'
import { type DeskDeps, deskRoutes } from '#desk/app/desk-routes.ts'
import { suspendByEmail } from '#desk/features/staff/server/invitations.ts'
import type { Role, StaffGroup } from '#desk/features/staff/staff.contract.ts'
import { demoStaff, newStaffVisitor } from '#quality/support/desk-visitor.ts'
import { makeCustomer, type Customer } from '#quality/support/customer.ts'
import { portForm } from '#quality/support/activation-journey.ts'
import { isIdle } from '#quality/support/reconciliation.ts'
import { newPortableNumber, setPortState, sendNotification } from '#quality/support/simulators.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import type { Visitor } from '#quality/support/visitor.ts'
import { useWorld } from '#quality/support/world.ts'
import { takeRowChanges, recordRowChanges } from './row-changes.ts'
import { sendOversizedBodies } from './kinds/oversized.ts'
import { stage } from './planted-weakness.ts'
import { fieldsOf, nameOf, paramsOf } from './attack-context.ts'
import { type Answer, endConnections, headersOf, type Request, send } from './send.ts'
import {
  cardNumber,
  createLongTexts,
  mark,
  markup,
  shortTexts,
  takeRotatingSlice,
  wrongTypeValues,
} from './malicious-texts.ts'
import { createAttackLog } from './attack-log.ts'

const world = useWorld({ pages: 'built', env: { DESK_PORT: '0', LOG_LEVEL: 'info' } })
const desk = (): string => world().deskUrl ?? ''
const routes = deskRoutes({ isDemo: true } as DeskDeps)
const tries = createAttackLog()

let customer: Customer
/**
 * A desk visitor who is not signed in. Endpoints that are open to anyone are attacked as this visitor, because some of them end the
 * sender's session.
 */
let nobody: Visitor
let people: Record<'support' | 'finance' | 'admin', Visitor>
let outsiders: [string, Visitor][]
let draft: number
let stock: { loads: string; batches: string }
const dispute = 'D8836149911223344'
beforeAll(async () => {
  customer = await makeCustomer(world(), { card: true })
  await haveDeclinedPort()
  nobody = await newStaffVisitor(desk(), null)
  await nobody.get('/api/desk/me/')
  const signedIn = (email: string) => newStaffVisitor(desk(), email)
  const [leaver, ended] = [await signedIn(demoStaff.support), await signedIn(demoStaff.support)]
  await ended.post('/api/desk/sign-out/')
  outsiders = [
    ['signed out', await newStaffVisitor(desk(), null)],
    ['ended session', ended],
    ['a customer', customer.visitor],
    ['suspended', leaver],
  ]
  await suspendByEmail(world().deps, demoStaff.support, { by: 'operator', name: 'Tom' })
  await world().db.updateTable('staff').set({ suspended_at: null }).where('email', '=', demoStaff.support).execute()
  people = {
    support: await signedIn(demoStaff.support),
    finance: await signedIn(demoStaff.lead),
    admin: await signedIn(demoStaff.admin),
  }
  draft = (await people.admin.post('/api/desk/catalogue/drafts/folder/')).body.number
  const file = { body: 'iccid,msisdn\n8964031123456789017,021 555 0142\n', headers: { 'content-type': 'text/csv' } }
  const token = new Map(people.admin.cookies()).get('desk_csrf') ?? ''
  const sent = await people.admin.send('POST', '/api/desk/stock/loads/', {
    ...file,
    headers: { ...file.headers, 'x-csrftoken': token },
  })
  const wish = { count: '2', plan: 'plan-30-5gb', expires: '2027-12-31', reason: 'retail', note: '' }
  const asked = await people.admin.post('/api/desk/stock/batches/', wish)
  stock = { loads: sent.body.id, batches: asked.body.id }
  await pollUntil(async () => {
    const { body } = await people.admin.get(`/api/desk/stock/loads/${stock.loads}/`)
    return body.load?.state === 'waiting'
  })
  await sendNotification(world(), {
    eventCode: 'CHARGEBACK',
    merchantReference: `${customer.services[0]?.orderCode}-1`,
    pspReference: dispute,
    amount: { value: 2200, currency: 'NZD' },
  })
  await recordRowChanges(world())
})
// Wait for the effects of earlier attacks to finish (mostly emails), so that they are not blamed on the next attack.
beforeEach(() => pollUntil(async () => (await isIdle(world())) && !(await isRemovingLoad())))

/** Returns whether the database still contains rows of a rejected upload. Fantail removes a rejected file shortly after responding. */
async function isRemovingLoad(): Promise<boolean> {
  const loads = world().db.selectFrom('sim_loads').select('id').where('state', 'in', ['receiving', 'broken_off'])
  return (await loads.executeTakeFirst()) !== undefined
}

/** Creates a number transfer that has ended. The rows of an open transfer would keep changing even without any requests. */
async function haveDeclinedPort(): Promise<void> {
  const msisdn = await newPortableNumber(world(), 'played')
  await customer.visitor.post(`/api/services/port/${customer.services[0]?.id}/`, portForm(msisdn))
  await pollUntil(() =>
    setPortState(world(), { msisdn, state: 'declined' }).then(
      () => true,
      () => false,
    ),
  )
  await pollUntil(async () => {
    const port = world().db.selectFrom('porting_requests').select('status').where('msisdn', '=', msisdn)
    return (await port.executeTakeFirst())?.status === 'FAILED'
  })
}
afterAll(() => {
  endConnections()
  console.log(tries.table())
})

type Route = (typeof routes)[number]

const named = (path = ''): Record<string, string> => ({
  id: idIn(path),
  code: customer.services[0]?.orderCode ?? '',
  service: customer.services[0]?.id ?? '',
  reference: path.includes('/disputes/') ? dispute : `${customer.services[0]?.id}-port-1`,
  number: String(draft),
  role: 'support',
})

const idIn = (path: string): string => {
  if (path.includes('/stock/loads/')) return stock.loads
  return path.includes('/stock/batches/') ? stock.batches : customer.id
}

const headers = (who: Visitor, token = true): Record<string, string> => ({
  ...headersOf(who, { token: false }),
  ...(token && { 'x-csrftoken': new Map(who.cookies()).get('desk_csrf') ?? '' }),
})

function requestTo(
  { endpoint }: Route,
  who: Visitor,
  {
    params = named(endpoint.path),
    query = {},
    body = {},
    token = true,
    more = {},
  }: Partial<{
    params: Record<string, string>
    query: Record<string, string>
    body: unknown
    token: boolean
    more: Record<string, string>
  }> = {},
): Request {
  const known = Object.fromEntries(paramsOf(endpoint).map((name) => [name, params[name] ?? customer.id]))
  const search = new URLSearchParams(query).toString()
  return {
    method: endpoint.method,
    path: buildPath(endpoint, known) + (search && `?${search}`),
    headers: {
      ...headers(who, token),
      ...more,
      ...(endpoint.method !== 'GET' && { 'content-type': 'application/json' }),
    },
    ...(endpoint.method !== 'GET' && { body: JSON.stringify(body) }),
  }
}

/** Tables that a rejected request may still change, because Fantail records the rejection and updates the session's last use. */
// `provider_minutes` is listed because Fantail records provider responses once a minute, whatever requests it receives.
const mayWrite = ['audit_events', 'staff_sessions', 'passkey_challenges', 'provider_minutes']
/** The maximum time, in milliseconds, that a request may block the event loop. */
const maxMs = 80

async function attack(
  kind: string,
  route: Route,
  what: string,
  request: Request,
  allowed: (answer: Answer) => boolean,
) {
  await takeRowChanges(world())
  tries.count(kind)
  let answer = await send(desk(), request)
  const changes = (await takeRowChanges(world())).filter(({ table }) => !mayWrite.includes(table))
  const faults = [
    ...(answer.status >= 500 || !allowed(answer) ? [`was answered ${answer.status} ${answer.body.slice(0, 120)}`] : []),
    ...(answer.status >= 400 && changes.length > 0 ? [`changed ${changes[0]?.table}`] : []),
    ...(answer.status >= 400 && answer.body.includes(mark) ? ['comes back in the refusal'] : []),
    ...(changes.some(({ row }) => row.includes(cardNumber)) ? ['a card number is kept'] : []),
  ]
  // Repeat a slow request, because the delay may only be due to a busy machine.
  for (let again = 0; again < 2 && answer.ms > maxMs; again++) answer = await send(desk(), request)
  if (answer.ms > maxMs) faults.push(`held all for ${Math.round(answer.ms)} ms`)
  for (const fault of faults) tries.find({ kind, call: nameOf(route.endpoint), what, fault })
}

const refusedWith =
  (...codes: number[]) =>
  ({ status }: Answer): boolean =>
    codes.includes(status)
const anything = (): boolean => true

let told = 0
const found = () => tries.findings.slice(told, (told = tries.findings.length))

/** Returns a visitor who is allowed to use the endpoint, so that a rejection can only be due to what the request contains. */
const insider = ({ who }: Route): Visitor => (who === 'anyone' ? nobody : memberFor(who))
const memberFor = (who: Exclude<Route['who'], 'anyone'>): Visitor =>
  typeof who === 'string' || who.includes('finance')
    ? people.finance
    : who.includes('support')
      ? people.support
      : people.admin

/** The groups of the person with this role. The person from finance is also a team lead. */
const groupsOf = (role: Role): StaffGroup[] => (role === 'finance' ? [role, 'lead'] : [role])

describe.each(routes.map((route, turn) => [nameOf(route.endpoint), route, turn] as const))(
  'the desk endpoint %s',
  (_name, route, turn) => {
    const { endpoint, who } = route
    const changes = endpoint.method !== 'GET'

    test.runIf(who !== 'anyone')('desk endpoints reject outsiders and staff without the right role', async () => {
      for (const [what, outsider] of outsiders) {
        // A visitor without a desk session has no CSRF token either, and the desk checks the token first.
        await attack('wrong one', route, what, requestTo(route, outsider), refusedWith(401, 403))
      }
      for (const [role, person] of Object.entries(people))
        if (typeof who !== 'string' && !groupsOf(role as Role).some((group) => who.includes(group)))
          await attack('wrong role', route, role, requestTo(route, person), refusedWith(403))
      expect(found()).toEqual([])
    })

    test('desk endpoints reject a missing CSRF token, a foreign origin and the wrong HTTP method', async () => {
      const me = insider(route)
      if (changes) {
        await attack('another site', route, 'no token', requestTo(route, me, { token: false }), refusedWith(403))
        const elsewhere = { origin: 'https://evil.example' }
        await attack('another site', route, 'origin', requestTo(route, me, { more: elsewhere }), refusedWith(403))
      }
      const verb = { ...requestTo(route, me), method: 'PATCH', body: '{}' }
      await attack('wrong verb', route, 'PATCH', verb, refusedWith(404, 405, 415))
      expect(found()).toEqual([])
    })

    test('desk endpoints withstand malformed paths, queries, fields and bodies', async () => {
      const me = insider(route)
      const texts = takeRotatingSlice(shortTexts, turn, 6)
      // Open the customer's record first, because the desk returns a customer's data only after staff have given a reason.
      if (endpoint.path.includes('/:service/'))
        await me.post(`/api/desk/customers/${customer.id}/open/`, { reason: 'call' })
      for (const name of paramsOf(endpoint))
        for (const [what, text] of texts)
          // Skip empty and malformed text, which cannot be part of a URL.
          if (text !== '' && text.isWellFormed())
            await attack(
              'path',
              route,
              `${what} in ${name}`,
              requestTo(route, me, { params: { ...named(endpoint.path), [name]: text } }),
              refusedWith(400, 404),
            )
      const inQuery = fieldsOf(endpoint.query)
      for (const field of inQuery)
        for (const [what, text] of [...texts, ...takeRotatingSlice(createLongTexts(1_500), turn, 2)])
          await attack(
            'query',
            route,
            `${what} in ${field}`,
            requestTo(route, me, { query: { [field]: text } }),
            anything,
          )
      const fields = fieldsOf(endpoint.body)
      for (const field of changes ? (fields.length > 0 ? fields : ['anything']) : []) {
        const values = [
          ...takeRotatingSlice(wrongTypeValues, turn, 5),
          ...texts,
          ...takeRotatingSlice(createLongTexts(15_000), turn, 3),
        ]
        for (const [what, value] of values)
          await attack(
            'field',
            route,
            `${what} in ${field}`,
            requestTo(route, me, { body: { [field]: value } }),
            anything,
          )
      }
      const bodies = [
        ['a list', []],
        ['a text', markup],
        ['null', null],
        ['rubbish', undefined],
      ] as const
      for (const [what, body] of changes ? bodies : [])
        await attack('body', route, what, requestTo(route, me, { body }), (answer) => answer.status < 500)
      expect(found()).toEqual([])
    })

    test.runIf(changes)('desk endpoints reject an oversized body before all of it has arrived', async () => {
      await sendOversizedTo(route)
      expect(found()).toEqual([])
    })
  },
)

/**
 * Sends oversized bodies as a visitor who is allowed to use the endpoint. If the endpoint has a size limit but no body schema, it accepts
 * files.
 */
async function sendOversizedTo(route: Route): Promise<void> {
  const { endpoint } = route
  const isFile = endpoint.maxBytes !== undefined && !endpoint.body
  const { method, path, headers: own } = requestTo(route, insider(route))
  await sendOversizedBodies(tries, {
    origin: desk(),
    call: nameOf(endpoint),
    method,
    path,
    headers: { ...own, ...(isFile && { 'content-type': 'text/csv' }) },
    ...(isFile && { start: 'iccid,msisdn\n' }),
    ...(endpoint.maxBytes && { bound: endpoint.maxBytes }),
  })
}

test('the attack on the desk exposes a planted weakness: an oversized body is read to the end', async () => {
  stage.plant = { readsAll: true }
  const route = routes.find(({ endpoint }) => endpoint.path === '/api/desk/customers/:id/notes/')!
  await sendOversizedTo(route).finally(() => (stage.plant = null))
  expect(found()).toContainEqual(
    expect.objectContaining({ kind: 'endless', fault: expect.stringMatching(/^was read for/) }),
  )
})

test('the attack on the desk exposes a planted weakness: CSRF tokens are not checked', async () => {
  stage.plant = { csrfFault: () => null }
  const route = routes.find(({ endpoint }) => endpoint.path === '/api/desk/customers/:id/notes/')!
  const request = requestTo(route, people.support, { token: false })
  await attack('planted', route, 'no token', request, refusedWith(403)).finally(() => (stage.plant = null))
  expect(found()).toEqual([expect.objectContaining({ kind: 'planted', fault: expect.stringMatching(/^was answered/) })])
})

test('desk pages redirect visitors who are not signed in, without showing them any customer data', async () => {
  const stranger = await newStaffVisitor(desk(), null)
  for (const path of [
    '/',
    '/find/?q=rewi',
    `/customers/${customer.id}/`,
    '/orders/',
    `/orders/${named()['code']}/`,
    '/catalogue/',
    '/health/',
    '/stock/',
    '/money/',
    '/money/days/',
    `/money/disputes/${dispute}/`,
    `/stock/batches/${stock.batches}/`,
  ]) {
    const answer = await send(desk(), { method: 'GET', path, headers: headers(stranger) })
    expect([path, answer.status]).toEqual([path, 302])
    expect(answer.headers['location']).toMatch(/^\/sign-in\//)
    expect(answer.body).not.toContain(customer.email)
  }
})

test('a desk page opened from a link on a different site reloads itself before it shows anything or sets a cookie', async () => {
  const elsewhere = { ...headers(people.support), 'sec-fetch-site': 'cross-site' }
  const answer = await send(desk(), { method: 'GET', path: '/orders/', headers: elsewhere })
  expect(answer.body).toMatch(/^<!doctype html><meta http-equiv="refresh" content="0">/)
  expect([answer.status, answer.headers['set-cookie']]).toEqual([200, undefined])
})

test('the customer portal’s server rejects every desk API request', async () => {
  for (const { endpoint } of routes) {
    const { path, method } = requestTo({ endpoint } as Route, people.admin)
    const answer = await send(world().url, {
      method,
      path,
      headers: headers(people.admin),
      ...(method !== 'GET' && { body: '{}' }),
    })
    expect([path, answer.status]).toEqual([path, method === 'GET' || method === 'POST' ? 404 : answer.status])
    expect(answer.status).toBeGreaterThanOrEqual(400)
  }
})
