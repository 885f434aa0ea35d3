/* @module-tag slow */
import { beforeAll, expect, test } from 'vitest'
import { makeCustomer, makeSubscriber } from '#quality/support/customer.ts'
import { demoStaff, newStaffVisitor } from '#quality/support/desk-visitor.ts'
import { exhaustNewestLimit } from '#quality/support/exhaust-newest-limit.ts'
import type { Visitor } from '#quality/support/visitor.ts'
import { newEmail, useWorld } from '#quality/support/world.ts'
import { invite } from '#desk/features/staff/server/invitations.ts'
import { type Role, staffMessages } from '#desk/features/staff/staff.contract.ts'
import type { AuditTrail, AuditTrailRow } from './audit.contract.ts'

const world = useWorld({ env: { DESK_PORT: '0' } })

async function newPerson(roles: Role[], name = 'Tui Hall') {
  const email = newEmail()
  await invite(world().deps, { email, name, roles, isLead: false }, { by: 'operator', name: 'Tom' })
  const { id } = await world().db.selectFrom('staff').select('id').where('email', '=', email).executeTakeFirstOrThrow()
  return { id, visitor: await newStaffVisitor(world().deskUrl ?? '', email) }
}
const said = async (who: Visitor, query: string) =>
  (await who.get(`/api/desk/audit/?${query}`)).body.rows.map(({ what }: AuditTrailRow) => what)
async function fileOf(who: Visitor, query: string): Promise<string[]> {
  const { status, body, headers } = await who.post(`/api/desk/audit/file/?${query}`)
  expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
  const [head, ...rows] = String(body).trimEnd().split('\r\n')
  expect(head).toBe('\uFEFF"when","kind","who","what","customer","about","why"')
  return rows
}

let jo: Visitor
beforeAll(async () => {
  jo = await newStaffVisitor(world().deskUrl ?? '', demoStaff.admin)
})

async function aDay() {
  const { id, visitor } = await newPerson(['support'])
  const [one, other] = [await makeCustomer(world()), await makeCustomer(world())]
  await visitor.post(`/api/desk/customers/${one.id}/open/`, { reason: 'ticket', ticket: '=HYPERLINK("A")' })
  await visitor.post(`/api/desk/customers/${other.id}/open/`, { reason: 'call' })
  await visitor.post(`/api/desk/customers/${one.id}/notes/`, { body: 'They will call back.' })
  return { id, one, other }
}

test('the audit log can be filtered by action, customer and day, and by all three together', async () => {
  const { id, one } = await aDay()
  const today = Temporal.Now.plainDateISO(world().deps.market.zone)
  const who = `person=${id}`
  expect(await said(jo, `${who}&act=note_written`)).toEqual(['Note added'])
  expect(await said(jo, `${who}&act=customer_opened`)).toEqual(['Opened a customer record', 'Opened a customer record'])
  expect(await said(jo, `${who}&customer=${one.id}`)).toEqual(['Note added', 'Opened a customer record'])
  expect(await said(jo, `${who}&day=${today.toString()}`)).toHaveLength(4)
  expect(await said(jo, `${who}&day=${today.subtract({ days: 1 }).toString()}`)).toEqual([])
  expect(await said(jo, `${who}&act=customer_opened&customer=${one.id}&day=${today.toString()}`)).toEqual([
    'Opened a customer record',
  ])
  for (const query of ['act=Drop', 'customer=x', 'day=yesterday', 'day=2026-02-30'])
    expect((await jo.get(`/api/desk/audit/?${query}`)).status).toBe(400)
  const { acts } = (await jo.get('/api/desk/audit/')).body
  expect(acts).toContainEqual({ code: 'customer_opened', text: 'Opened a customer record' })
  expect(acts.some(({ text }: { text: string }) => text === 'Other activity')).toBe(false)
})

test('a team lead can filter the audit log by a customer’s name, and an entry links to the customer with a masked name', async () => {
  const lead = await newStaffVisitor(world().deskUrl ?? '', demoStaff.lead)
  const { id, visitor } = await newPerson(['support'])
  const name = { first_name: 'Aroha', last_name: `Zz${crypto.randomUUID().replaceAll(/[^a-f]/g, '')}paki` }
  const [one, other] = [await makeSubscriber(world(), name), await makeCustomer(world())]
  for (const customer of [one, other])
    await visitor.post(`/api/desk/customers/${customer.id}/open/`, { reason: 'call' })
  const read = async (q: string) =>
    (await lead.get(`/api/desk/audit/?${new URLSearchParams({ person: id, q })}`)).body as AuditTrail
  const masked = 'Aroha Zz•••••'
  const byName = await read(name.last_name)
  expect(byName.customers).toEqual([{ id: one.id, name: masked }])
  expect(byName.rows.map(({ what, customer }) => [what, customer])).toEqual([
    ['Opened a customer record', { text: masked, path: `/customers/${one.id}/` }],
  ])
  for (const text of [one.email, one.service.orderCode, one.id]) {
    const { rows, customers } = await read(text)
    expect([text, rows.length, customers]).toEqual([text, 1, [{ id: one.id, name: masked }]])
  }
  expect(await read('Nobody of that name')).toMatchObject({ rows: [], customers: [], more_customers: false })
  const looks = await said(jo, 'of=looks&act=searched')
  expect(looks[0]).toMatch(/^Searched by /)
  expect((await jo.get('/api/desk/audit/?q=Aroha')).status).toBe(403)
})

test('an audit entry about a refund or its approval links to the order', async () => {
  const lead = await newStaffVisitor(world().deskUrl ?? '', demoStaff.lead)
  const { id, visitor } = await newPerson(['support'])
  const customer = await makeCustomer(world(), { card: true, plan: 'plan-30-5gb' })
  const code = customer.services[0]!.orderCode
  const post = (step: string, amount: string, left: string) =>
    visitor.post(`/api/desk/orders/${code}/${step}/`, { amount, left, reason: 'outage', note: '' })
  expect((await post('refund', '10.00', '22.00')).status).toBe(200)
  expect((await post('refund/ask', '12.00', '12.00')).status).toBe(200)
  const { rows } = (await lead.get(`/api/desk/audit/?person=${id}&of=acts`)).body as AuditTrail
  const link = { text: `Order ${code}`, path: `/orders/${code}/` }
  expect(rows.slice(0, 2).map(({ what, subject }) => [what, subject])).toEqual([
    ['Approval requested', link],
    ['Refund requested', link],
  ])
})

test('filtering the audit log by a customer’s name counts towards the limit of customer searches', async () => {
  const { db } = world()
  const { visitor } = await newPerson(['admin', 'support'])
  await visitor.get('/api/desk/search/?q=aroha')
  await exhaustNewestLimit(db, 240)
  const statuses = [
    (await visitor.get('/api/desk/audit/?q=aroha')).status,
    (await visitor.post('/api/desk/audit/file/?q=aroha')).status,
    (await visitor.get('/api/desk/audit/')).status,
  ]
  expect(statuses).toEqual([429, 429, 200])
})

test('the audit entry about an export names the customers by ID, not by the text that was searched for', async () => {
  const { id, visitor } = await newPerson(['admin', 'support'])
  const customer = await makeCustomer(world())
  await fileOf(visitor, new URLSearchParams({ q: customer.email }).toString())
  const { details } = await world()
    .db.selectFrom('audit_events')
    .select('details')
    .where('event', '=', 'trail_exported')
    .where('staff_id', '=', id)
    .executeTakeFirstOrThrow()
  expect(details).toEqual({ customer: customer.id })
})

test('audit log exports contain customer ids only for staff who may see customers, and contain no spreadsheet formulas', async () => {
  const { id, one, other } = await aDay()
  const { visitor: both } = await newPerson(['admin', 'support'])
  const rows = await fileOf(both, `person=${id}`)
  const row = (kind: string, what: string, customer: string, why: string) =>
    expect.stringMatching(new RegExp(`^"\\d{4}-[^"]+Z","${kind}","Tui Hall","${what}","${customer}","","${why}"$`))
  expect(rows).toEqual([
    row('acts', 'Note added', one.id, ''),
    row('looks', 'Opened a customer record', other.id, 'A call'),
    row('looks', 'Opened a customer record', one.id, 'Ticket =HYPERLINK\\(""A""\\)'),
    row('acts', 'Signed in', '', ''),
  ])
  const ofAdmin = (await fileOf(jo, `person=${id}`)).join()
  expect(ofAdmin).toContain(`"…${one.id.slice(-4)}"`)
  for (const secret of [one.id, other.id, 'HYPERLINK']) expect(ofAdmin).not.toContain(secret)
  expect(await fileOf(both, `person=${id}&of=looks&customer=${one.id}`)).toHaveLength(1)
})

test('exporting the audit log requires a recently used passkey, and is itself recorded in the audit log', async () => {
  const { id, visitor } = await newPerson(['admin'])
  await fileOf(visitor, `person=${id}&of=acts`)
  const exported = () =>
    world()
      .db.selectFrom('audit_events')
      .select('details')
      .where('event', '=', 'trail_exported')
      .where('staff_id', '=', id)
      .execute()
  expect(await exported()).toEqual([{ details: { person: id, of: 'acts' } }])
  expect(await said(visitor, `person=${id}&of=acts`)).toEqual(['Audit log downloaded', 'Signed in'])
  const then = new Date(Date.now() - 6 * 60_000)
  await world().db.updateTable('staff_sessions').set({ shown_at: then }).where('staff_id', '=', id).execute()
  expect(await visitor.post('/api/desk/audit/file/')).toMatchObject({
    status: 403,
    body: { code: staffMessages.stepUp, step_up: true },
  })
  expect(await exported()).toHaveLength(1)
  expect((await jo.post(`/api/desk/audit/file/?person=${crypto.randomUUID()}`)).status).toBe(404)
  const { visitor: support } = await newPerson(['support', 'finance'])
  expect((await support.post('/api/desk/audit/file/')).status).toBe(403)
})

test('an export of the audit log covers many pages, up to 10,000 rows', async () => {
  const { id } = await newPerson(['support'])
  const rows = Array.from({ length: 2_000 }, (_, at) => ({
    // Several rows have the same time, and one such group of rows continues onto the next page.
    at: new Date(Date.UTC(2026, 0, 1) + Math.floor(at / 40) * 1_000),
    staff_id: id,
    act: 'order_seen' as const,
    user_id: null,
    subject: `FTAA${String(at).padStart(4, '0')}`,
    reason: null,
    detail: null,
  }))
  for (let part = 0; part < 6; part += 1)
    await world()
      .db.insertInto('access_log')
      .values(rows.map((row) => ({ ...row, at: new Date(row.at.getTime() + part * 86_400_000) })))
      .execute()
  const day = await fileOf(jo, `person=${id}&of=looks&day=2026-01-02`)
  expect(new Set(day).size).toBe(2_000)
  expect(await fileOf(jo, `person=${id}&of=looks`)).toHaveLength(10_000)
})
