import { beforeAll, describe, expect, test } from 'vitest'
import { makeCustomer } from '#quality/support/customer.ts'
import { demoStaff, newStaffVisitor } from '#quality/support/desk-visitor.ts'
import type { Visitor } from '#quality/support/visitor.ts'
import { newEmail, useWorld } from '#quality/support/world.ts'
import { invite } from '#desk/features/staff/server/invitations.ts'
import { type Role, staffMessages } from '#desk/features/staff/staff.contract.ts'
import type { AuditTrailRow } from './audit.contract.ts'
import type { TeamPerson } from './team.contract.ts'

const world = useWorld({ env: { DESK_PORT: '0' } })
const desk = (): string => world().deskUrl ?? ''
const at = (rest = '') => `/api/desk/team/${rest}`
const operator = { by: 'operator', name: 'Tom' } as const

async function newPerson(roles: Role[] = ['support']) {
  const email = newEmail()
  await invite(world().deps, { email, name: 'Tui Hall', roles, isLead: false }, operator)
  const { id } = await world().db.selectFrom('staff').select('id').where('email', '=', email).executeTakeFirstOrThrow()
  return { id, email, visitor: await newStaffVisitor(desk(), email) }
}
const people = async (who: Visitor): Promise<TeamPerson[]> => (await who.get(at())).body.people
const personIn = async (who: Visitor, email: string) => (await people(who)).find((person) => person.email === email)
const isIn = async (who: Visitor): Promise<boolean> => (await who.get('/api/desk/me/')).body.staff !== null

let jo: Visitor
let joId: string
beforeAll(async () => {
  jo = await newStaffVisitor(desk(), demoStaff.admin)
  joId = (await jo.get('/api/desk/me/')).body.staff.id
})

test('the team page shows each person’s passkeys, sign-in state and last activity', async () => {
  const { id, email, visitor } = await newPerson(['support', 'finance'])
  expect(await personIn(jo, email)).toEqual({
    id,
    name: 'Tui Hall',
    email,
    roles: ['support', 'finance'],
    is_lead: false,
    passkeys: 0,
    passkey_used: null,
    is_here: true,
    seen: expect.any(String),
    invited_until: expect.any(String),
    suspended: null,
  })
  expect((await jo.post(at(`${id}/end-sessions/`))).status).toBe(200)
  expect(await isIn(visitor)).toBe(false)
  expect((await personIn(jo, email))?.is_here).toBe(false)
})

test.each([
  [demoStaff.support, 403],
  [demoStaff.lead, 200],
])('%s gets status %i for the staff team and the audit log, and can change neither', async (email, status) => {
  const other = await newStaffVisitor(desk(), email)
  for (const path of [at(), '/api/desk/audit/']) expect((await other.get(path)).status).toBe(status)
  expect((await other.post(at('invite/'), {})).status).toBe(403)
  expect((await other.post(at(`${joId}/suspend/`), { reason: 'Away' })).status).toBe(403)
  expect((await other.post('/api/desk/audit/file/')).status).toBe(403)
})

describe('POST /api/desk/team/invite/', () => {
  test.each([
    [{ name: 'Kiri', support: true }, 'email'],
    [{ email: 'kiri@localhost', name: 'Kiri', support: true }, 'email'],
    [{ email: 'kiri..pai@fantail.example', name: 'Kiri', support: true }, 'email'],
    [{ email: `${'k'.repeat(65)}@fantail.example`, name: 'Kiri', support: true }, 'email'],
    [{ email: 'kiri@10.0.0.1', name: 'Kiri', support: true }, 'email'],
    [{ email: 'kiri@fantail.example', support: true }, 'name'],
    [{ email: 'kiri@fantail.example', name: 'x'.repeat(81), support: true }, 'name'],
    [{ email: 'kiri@fantail.example', name: 'Kiri' }, 'support'],
    [{ email: 'kiri@fantail.example', name: 'Kiri', admin: true, is_lead: true }, 'is_lead'],
  ])('a staff invitation with %j is rejected', async (body, field) => {
    const answer = await jo.post(at('invite/'), body)
    expect([answer.status, Object.keys(answer.body)]).toEqual([400, [field]])
  })

  test('somebody on the team can be invited again at an address that new people can’t have', async () => {
    const email = `tui.${crypto.randomUUID().slice(0, 8)}@localhost`
    await invite(world().deps, { email, name: 'Tui Hall', roles: ['support'], isLead: false }, operator)
    expect((await jo.post(at('invite/'), { email, name: 'Tui Hall', support: true })).status).toBe(200)
  })
})

test('removed roles stop working at the person’s next request, and changing roles does not lift a suspension', async () => {
  const { id, email, visitor } = await newPerson(['support', 'admin'])
  expect((await visitor.get(at())).status).toBe(200)
  expect((await jo.post(at(`${id}/roles/`), { support: true })).body).toEqual({ effective: null })
  expect((await visitor.get(at())).status).toBe(403)
  await jo.post(at(`${id}/suspend/`), { reason: 'Away' })
  await jo.post(at(`${id}/roles/`), { support: true })
  expect(await personIn(jo, email)).toMatchObject({ roles: ['support'], suspended: expect.any(String) })
})

test('admins cannot invite, suspend or sign out themselves, or change their own roles', async () => {
  const refused = { __all__: [staffMessages.oneself] }
  const own = { email: demoStaff.admin, name: 'Jo Tan', support: true }
  for (const [path, body] of [
    ['invite/', own],
    [`${joId}/roles/`, { support: true }],
    [`${joId}/suspend/`, { reason: 'Tired' }],
    [`${joId}/end-sessions/`, {}],
  ] as const)
    expect((await jo.post(at(path), body)).body).toEqual(refused)
  expect((await personIn(jo, demoStaff.admin))?.roles).toEqual(['admin'])
})

test('an unknown staff member’s id gets 404 from the team endpoints and the audit log', async () => {
  for (const id of ['x', crypto.randomUUID()]) {
    expect((await jo.post(at(`${id}/suspend/`), { reason: 'Away' })).status).toBe(404)
    expect((await jo.post(at(`${id}/roles/`), { support: true })).status).toBe(404)
    expect((await jo.post(at(`${id}/end-sessions/`))).status).toBe(404)
    expect((await jo.get(`/api/desk/audit/?person=${id}`)).status).toBe(404)
  }
})

test('inviting people, suspending them and changing their roles need a recently used passkey', async () => {
  const { visitor, id } = await newPerson(['admin'])
  const other = await newPerson()
  const then = new Date(Date.now() - 6 * 60_000)
  await world().db.updateTable('staff_sessions').set({ shown_at: then }).where('staff_id', '=', id).execute()
  for (const path of ['invite/', `${other.id}/roles/`, `${other.id}/suspend/`])
    expect(await visitor.post(at(path), {})).toMatchObject({
      status: 403,
      body: { code: staffMessages.stepUp, step_up: true },
    })
  expect((await visitor.get(at())).status).toBe(200)
})

describe('the staff audit log', () => {
  const rowsFor = async (who: Visitor, query = ''): Promise<AuditTrailRow[]> =>
    (await who.get(`/api/desk/audit/${query}`)).body.rows
  const said = (rows: AuditTrailRow[]) =>
    rows.map(({ what, why, subject, customer }) => [what, why, (subject ?? customer)?.text ?? null])

  test('the audit log lists a staff member’s actions and opened records, without telling an admin who the customers are', async () => {
    const { id: customer } = await makeCustomer(world(), { first_name: 'Ana', last_name: 'Tamihana' })
    const { id, email, visitor } = await newPerson()
    await visitor.post(`/api/desk/customers/${customer}/open/`, { reason: 'ticket', ticket: 'Ana 17' })
    await visitor.post(`/api/desk/customers/${customer}/block/`, { reason: 'customers-wish', note: 'Ana has called' })
    const answer = await jo.get(`/api/desk/audit/?person=${id}`)
    const own = `Customer …${customer.slice(-4)}`
    expect(said(answer.body.rows)).toEqual([
      ['Blocked', 'Customer’s request', own],
      ['Opened a customer record', 'A ticket', own],
      ['Signed in', '', null],
    ])
    for (const secret of ['Ana', 'Tamihana', customer]) expect(JSON.stringify(answer.body)).not.toContain(secret)

    await world().db.updateTable('staff').set({ roles: 'support,admin' }).where('id', '=', id).execute()
    const [act, look] = await rowsFor(visitor, `?person=${id}&of=acts`).then(async ([first]) => [
      first,
      (await rowsFor(visitor, `?person=${id}&of=looks`)).find(({ what }) => what === 'Opened a customer record'),
    ])
    const link = { text: 'Ana Ta•••••', path: `/customers/${customer}/` }
    expect(act).toMatchObject({ who: 'Tui Hall', why: 'Customer’s request: Ana has called', customer: link })
    expect(look).toMatchObject({ why: 'Ticket Ana 17', customer: link })

    await jo.post(at(`${id}/suspend/`), { reason: 'Looked up a friend' })
    expect(said(await rowsFor(jo, `?person=${joId}&of=acts`))[0]).toEqual([
      'Suspended',
      'Looked up a friend',
      'Tui Hall',
    ])
    expect(await personIn(jo, email)).toMatchObject({ suspended: expect.any(String) })
  })

  test('the audit log is paginated, and viewing it is recorded', async () => {
    const { id, visitor } = await newPerson(['admin'])
    for (let view = 0; view < 51; view += 1) await visitor.get(`/api/desk/audit/?of=looks&person=${id}`)
    const first = (await visitor.get(`/api/desk/audit/?of=looks&person=${id}`)).body
    expect(first.rows).toHaveLength(50)
    expect(said(first.rows)[0]).toEqual(['Viewed the audit log', '', 'Tui Hall'])
    const second = (await visitor.get(`/api/desk/audit/?of=looks&person=${id}&before=${first.next}`)).body
    expect([second.rows.length, second.next]).toEqual([2, null])
    const keys = [...first.rows, ...second.rows].map(({ key }: AuditTrailRow) => key)
    expect(new Set(keys).size).toBe(52)
    expect((await visitor.get('/api/desk/audit/?before=rubbish')).status).toBe(400)
    expect((await visitor.get('/api/desk/audit/?of=rubbish')).status).toBe(400)
  })
})
