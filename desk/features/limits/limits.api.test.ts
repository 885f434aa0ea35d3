import { beforeEach, describe, expect, test } from 'vitest'
import { newStaffVisitor } from '#quality/support/desk-visitor.ts'
import { activate } from '#quality/support/activation-journey.ts'
import type { Visitor } from '#quality/support/visitor.ts'
import { newEmail, useWorld } from '#quality/support/world.ts'
import { createGrantHandlers } from '#desk/app/desk-routes.ts'
import { approvalMessages } from '#desk/features/approvals/approvals.contract.ts'
import { applyDueGrants } from '#desk/features/approvals/server/due-grants.ts'
import { defaultLimits } from '#desk/features/orders/server/refund-limits.ts'
import { invite } from '#desk/features/staff/server/invitations.ts'
import { type Role, staffMessages } from '#desk/features/staff/staff.contract.ts'
import { limitsMessages } from './limits.contract.ts'
import { readLimits } from './server/limits.store.ts'

const world = useWorld({ env: { DESK_PORT: '0' } })

async function newPerson(roles: Role[], { name = 'Tui Hall', isLead = false } = {}) {
  const email = newEmail()
  await invite(world().deps, { email, name, roles, isLead }, { by: 'operator', name: 'Tom' })
  const { id } = await world().db.selectFrom('staff').select('id').where('email', '=', email).executeTakeFirstOrThrow()
  return { id, visitor: await newStaffVisitor(world().deskUrl ?? '', email) }
}
const wish = (more: object = {}) => ({
  order: '20',
  day: '150.00',
  was_order: '10.00',
  was_day: '100.00',
  reason: 'asked-often',
  note: '',
  ...more,
})
const change = ({ visitor }: { visitor: Visitor }, body: object = wish(), role = 'support') =>
  visitor.post(`/api/desk/limits/${role}/`, body)
const limits = async ({ visitor }: { visitor: Visitor }) => (await visitor.get('/api/desk/limits/')).body
const decide = ({ visitor }: { visitor: Visitor }, id: string, decision = 'approved') =>
  visitor.post(`/api/desk/approvals/${id}/decide/`, { decision, words: '' })
const approvals = async ({ visitor }: { visitor: Visitor }) => (await visitor.get('/api/desk/approvals/')).body
const waiting = async (who: { visitor: Visitor }) =>
  (await approvals(who)).to_decide.filter(({ kind }: { kind: string }) => kind === 'limits')
const eventsOf = (id: string) =>
  world()
    .db.selectFrom('audit_events')
    .select(['event', 'reason', 'details'])
    .where('staff_id', '=', id)
    .where('event', 'in', ['approval_asked', 'refund_limits_changed'])
    .orderBy('id')
    .execute()

beforeEach(async () => {
  const { db } = world()
  for (const [role, { orderCents, dayCents }] of [
    ['support', defaultLimits.support],
    ['finance', defaultLimits.finance],
  ] as const)
    await db
      .updateTable('refund_limits')
      .set({ order_cents: orderCents, day_cents: dayCents, changed_at: null, changed_by: null, approved_by: null })
      .where('role', '=', role)
      .execute()
  await db
    .updateTable('approvals')
    .set({ decision: 'lapsed', decided_at: new Date() })
    .where('decision', 'is', null)
    .execute()
  await db
    .updateTable('staff')
    .set({ suspended_at: new Date(0) })
    .where('roles', 'like', '%admin%')
    .execute()
  await db
    .updateTable('staff')
    .set({ suspended_at: new Date(0) })
    .where('is_lead', '=', true)
    .execute()
})

test('a new installation has the default refund limits', async () => {
  await world().db.deleteFrom('refund_limits').where('role', '=', 'finance').execute()
  expect(await readLimits(world().db)).toEqual(defaultLimits)
  await world()
    .db.insertInto('refund_limits')
    .values({
      role: 'finance',
      order_cents: 10_000,
      day_cents: 100_000,
      changed_at: null,
      changed_by: null,
      approved_by: null,
    } as never)
    .execute()
  const only = await newPerson(['admin'])
  const { roles } = await limits(only)
  expect(roles).toEqual([
    { role: 'support', order: '10.00', day: '100.00', changed: null, why_not: null, asked: null, deciders: [] },
    { role: 'finance', order: '100.00', day: '1000.00', changed: null, why_not: null, asked: null, deciders: [] },
  ])
})

test(
  'the limits page shows how much each person refunded without approval in the last 24 hours',
  { tags: ['slow'] },
  async () => {
    const admin = await newPerson(['admin'])
    const support = await newPerson(['support'], { name: 'Rata Moss' })
    const { orderCode } = await activate(world())
    const body = { amount: '7.50', left: '22.00', reason: 'outage', note: '' }
    expect((await support.visitor.post(`/api/desk/orders/${orderCode}/refund/`, body)).status).toBe(200)
    const { people } = await limits(admin)
    expect(people).toContainEqual({
      id: support.id,
      name: 'Rata Moss',
      roles: ['support'],
      given: '7.50',
      day: '100.00',
    })
    expect(people.some(({ id }: { id: string }) => id === admin.id)).toBe(false)
  },
)

describe('higher refund limits', () => {
  test('higher refund limits take effect once another admin approves them', async () => {
    const [one, other] = [
      await newPerson(['admin'], { name: 'Jo Tan' }),
      await newPerson(['admin'], { name: 'Al Fox' }),
    ]
    const support = await newPerson(['support'])
    expect((await change(one)).body).toEqual({ outcome: 'asked', lapses: expect.any(String) })
    expect((await limits(one)).roles[0]).toMatchObject({
      order: '10.00',
      asked: { by: 'Jo Tan', order: '20.00', day: '150.00', is_own: true },
    })
    expect(await waiting(one)).toEqual([])
    const [asked] = await waiting(other)
    expect(asked).toMatchObject({
      subject: 'support',
      reason: 'Too many refunds need approval',
      from_order: '10.00',
      to_order: '20.00',
      from_day: '100.00',
      to_day: '150.00',
      is_stale: false,
    })
    expect((await change(other)).body).toEqual({ __all__: [approvalMessages.asked] })
    expect(await decide(one, asked.id)).toMatchObject({ status: 403, body: { code: approvalMessages.own } })
    expect((await decide(other, asked.id)).body).toEqual({ outcome: null, why: null })
    expect((await limits(other)).roles[0]).toMatchObject({
      order: '20.00',
      day: '150.00',
      changed: { by: 'Jo Tan', approved_by: 'Al Fox' },
      asked: null,
    })
    expect(await eventsOf(one.id)).toMatchObject([
      { event: 'approval_asked', reason: 'asked-often', details: { subject: 'support', order_cents: 2_000 } },
      { event: 'refund_limits_changed', details: { role: 'support', order_cents: 2_000, approved_by: 'Al Fox' } },
    ])
    const trail = (await other.visitor.get(`/api/desk/audit/?person=${one.id}&of=acts`)).body.rows
    expect(trail[0]).toMatchObject({
      what: 'Refund limits changed for a role',
      subject: { text: 'Support', path: null },
    })
    const { orderCode } = await activate(world())
    const body = { amount: '18.00', left: '22.00', reason: 'outage', note: '' }
    expect((await support.visitor.get(`/api/desk/orders/${orderCode}/`)).body.money.alone).toBe('20.00')
    expect((await support.visitor.post(`/api/desk/orders/${orderCode}/refund/`, body)).status).toBe(200)
  })

  test(
    'a team lead can decline a request for higher limits, but finance and support staff cannot',
    { tags: ['slow'] },
    async () => {
      const [one, other] = [await newPerson(['admin']), await newPerson(['admin'])]
      const lead = await newPerson(['finance'], { isLead: true })
      const finance = await newPerson(['finance'])
      await change(one)
      const [asked] = await waiting(lead)
      expect(await waiting(finance)).toEqual([])
      expect(await decide(finance, asked.id)).toMatchObject({ status: 403, body: { code: approvalMessages.admins } })
      const support = await newPerson(['support'])
      expect((await decide(support, asked.id)).body).toEqual({ code: approvalMessages.notYours })
      const { orderCode } = await activate(world())
      const wished = { amount: '22.00', left: '22.00', reason: 'outage', note: '' }
      const { body } = await support.visitor.post(`/api/desk/orders/${orderCode}/refund/ask/`, wished)
      expect(await decide(other, body.id)).toMatchObject({ status: 403, body: { code: approvalMessages.notYours } })
      expect((await approvals(other)).to_decide.map(({ kind }: { kind: string }) => kind)).toEqual(['limits'])
      expect((await decide(lead, asked.id, 'refused')).status).toBe(200)
      expect((await limits(one)).roles[0]).toMatchObject({ order: '10.00', asked: null })
    },
  )

  test('a request for higher refund limits takes effect after 24 hours unless an earlier application version created it', async () => {
    const [one, other] = [await newPerson(['admin']), await newPerson(['admin'])]
    const past = { lapses_at: new Date(Date.now() - 1_000) }
    const open = () => world().db.updateTable('approvals').where('decision', 'is', null)
    await change(one)
    // The previous version of the application stores no `takes_effect` and emails nobody.
    await open()
      .set({ ...past, takes_effect: false })
      .execute()
    await applyDueGrants(world().deps, createGrantHandlers(world().deps))
    expect((await limits(one)).roles[0]).toMatchObject({ order: '10.00', asked: null })
    expect((await approvals(one)).own).toMatchObject([{ state: 'lapsed' }])

    expect((await change(other)).body).toMatchObject({ outcome: 'asked' })
    await open().set(past).execute()
    await applyDueGrants(world().deps, createGrantHandlers(world().deps))
    expect((await limits(one)).roles[0]).toMatchObject({ order: '20.00', asked: null })
  })

  test('a team lead cannot approve higher refund limits for a role that they have themselves', async () => {
    const admin = await newPerson(['admin'])
    const lead = await newPerson(['finance'], { isLead: true, name: 'Lea Moss' })
    const otherLead = await newPerson(['support'], { isLead: true, name: 'Rua Tait' })
    const body = wish({ order: '200', day: '2000', was_order: '100.00', was_day: '1000.00' })
    await change(admin, body, 'finance')
    const [asked] = await waiting(lead)
    expect(await decide(lead, asked.id)).toMatchObject({ status: 403, body: { code: approvalMessages.ownLimits } })
    expect((await decide(otherLead, asked.id)).status).toBe(200)
    expect((await limits(admin)).roles[1]).toMatchObject({ order: '200.00', changed: { approved_by: 'Rua Tait' } })
  })

  test('a request for higher refund limits cannot be approved once the limits have changed, but a new request can replace it', async () => {
    const [one, other] = [await newPerson(['admin']), await newPerson(['admin'])]
    await change(one)
    await world().db.updateTable('refund_limits').set({ order_cents: 500 }).where('role', '=', 'support').execute()
    const [asked] = await waiting(other)
    expect(asked.is_stale).toBe(true)
    expect((await decide(other, asked.id)).body).toEqual({ __all__: [limitsMessages.changed] })
    expect((await limits(one)).roles[0]).toMatchObject({ order: '5.00', asked: { order: '20.00', is_stale: true } })

    expect((await change(one)).body).toEqual({ __all__: [limitsMessages.changed] })
    expect((await change(one, wish({ order: '9', was_order: '5.00' }))).body).toMatchObject({ outcome: 'asked' })
    expect((await limits(one)).roles[0]).toMatchObject({ asked: { order: '9.00', is_stale: false } })
    const { own } = (await one.visitor.get('/api/desk/approvals/')).body
    expect(own).toContainEqual(expect.objectContaining({ id: asked.id, state: 'lapsed' }))
  })
})

test('an admin can lower refund limits immediately, except those of a role that they have themselves', async () => {
  const only = await newPerson(['admin', 'support'])
  expect(await change(only)).toMatchObject({ status: 403, body: { code: limitsMessages.oneself } })
  expect((await limits(only)).roles.map(({ why_not: why }: { why_not: string | null }) => why)).toEqual([
    limitsMessages.oneself,
    null,
  ])
  const body = wish({ order: '50', day: '500', was_order: '100.00', was_day: '1000.00' })
  expect((await change(only, body, 'finance')).body).toEqual({ outcome: 'changed', lapses: null })
  expect((await change(only, body, 'finance')).body).toEqual({ __all__: [limitsMessages.changed] })
  expect((await limits(only)).roles[1]).toMatchObject({ order: '50.00', changed: { approved_by: null } })
  expect(await eventsOf(only.id)).toMatchObject([{ event: 'refund_limits_changed', details: { role: 'finance' } }])
})

test.each([
  [{ order: 'ten' }, 'order'],
  [{ order: '200' }, 'day'],
  [{ day: '100000.01' }, 'day'],
  [{ reason: 'outage' }, 'reason'],
  [{ reason: 'other', note: 'short' }, 'note'],
])('a change to the refund limits with %j is rejected', async (more, field) => {
  const answer = await change(await newPerson(['admin']), wish(more))
  expect([answer.status, Object.keys(answer.body)]).toEqual([400, [field]])
})

test('a team lead can see the refund limits, and why they cannot change them', async () => {
  const lead = await newPerson(['finance'], { isLead: true })
  const { roles } = await limits(lead)
  expect(roles).toMatchObject([
    { role: 'support', order: '10.00', why_not: limitsMessages.adminsOnly },
    { role: 'finance', order: '100.00', why_not: limitsMessages.adminsOnly },
  ])
  expect((await change(lead)).status).toBe(403)
})

test('only an admin with a recently used passkey can change refund limits, and only to different amounts', async () => {
  const admin = await newPerson(['admin'])
  expect((await change(admin, wish({ order: '10', day: '100' }))).body).toEqual({ __all__: [limitsMessages.same] })
  expect((await change(admin, wish({ order: '0', day: '0' }))).body).toMatchObject({ outcome: 'changed' })
  expect((await change(admin, wish(), 'admin')).status).toBe(404)
  const finance = await newPerson(['support', 'finance'])
  expect((await finance.visitor.get('/api/desk/limits/')).status).toBe(403)
  expect((await change(finance)).status).toBe(403)
  const then = new Date(Date.now() - 6 * 60_000)
  await world().db.updateTable('staff_sessions').set({ shown_at: then }).where('staff_id', '=', admin.id).execute()
  expect((await change(admin)).body).toMatchObject({ code: staffMessages.stepUp, step_up: true })
})
