import { beforeAll, describe, expect, test } from 'vitest'
import { demoStaff, newStaffVisitor } from '#quality/support/desk-visitor.ts'
import { acceptInvitation, readInvitations, newStaffMember, type StaffMember } from '#quality/support/staff-member.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { newEmail, useWorld } from '#quality/support/world.ts'
import { createGrantHandlers } from '#desk/app/desk-routes.ts'
import { approvalMessages } from '#desk/features/approvals/approvals.contract.ts'
import { applyDueGrants } from '#desk/features/approvals/server/due-grants.ts'
import type { Role } from '#desk/features/staff/staff.contract.ts'
import { teamMessages } from './team.contract.ts'

const world = useWorld({ env: { DESK_PORT: '0' } })

let admin: StaffMember
let lead: StaffMember
let other: StaffMember
beforeAll(async () => {
  admin = await newStaffMember(world(), { roles: ['admin'], name: 'Ada Reid' })
  lead = await newStaffMember(world(), { roles: ['finance'], isLead: true, name: 'Lea Moss' })
  other = await newStaffMember(world(), { roles: ['admin'], name: 'Ola Fox' })
})

const invite = ({ visitor }: StaffMember, email: string, more: object = { support: true }) =>
  visitor.post('/api/desk/team/invite/', { email, name: 'Kiri Pai', ...more })
const give = ({ visitor }: StaffMember, { id }: StaffMember, roles: object) =>
  visitor.post(`/api/desk/team/${id}/roles/`, roles)
const suspend = ({ visitor }: StaffMember, { id }: StaffMember) =>
  visitor.post(`/api/desk/team/${id}/suspend/`, { reason: 'Away' })
const approvalsOf = async ({ visitor }: StaffMember) => (await visitor.get('/api/desk/approvals/')).body
const toDecide = async (who: StaffMember, subject: string) =>
  (await approvalsOf(who)).to_decide.find((approval: { subject: string }) => approval.subject === subject)
const decide = ({ visitor }: StaffMember, { id }: { id: string }, decision = 'approved') =>
  visitor.post(`/api/desk/approvals/${id}/decide/`, { decision, words: '' })
const withdraw = ({ visitor }: StaffMember, { id }: { id: string }) =>
  visitor.post(`/api/desk/approvals/${id}/withdraw/`)
const personOf = (email: string) =>
  world().db.selectFrom('staff').selectAll().where('email', '=', email).executeTakeFirst()
const rolesOf = async ({ email }: StaffMember) => (await personOf(email))?.roles
const noticesTo = async (email: string) =>
  (await world().mailTo(email)).filter(({ subject }) => /desk:/.test(subject)).map(({ text }) => text)
const newMember = (roles: Role[] = ['support']) => newStaffMember(world(), { roles, name: 'Tui Hall' })

async function wait(email: string): Promise<void> {
  const past = new Date(Date.now() - 1_000)
  await world().db.updateTable('approvals').set({ lapses_at: past }).where('subject', '=', email).execute()
  await applyDueGrants(world().deps, createGrantHandlers(world().deps))
}

describe('invitations to join the staff', () => {
  test('an invitation needs approval from another admin or a team lead, and its link goes only to the invited person', async () => {
    const email = newEmail()
    const answer = await invite(admin, email)
    expect(answer).toMatchObject({ status: 200, body: { effective: expect.any(String) } })
    expect(await personOf(email)).toBeUndefined()
    expect((await invite(other, email)).body).toEqual({ __all__: [approvalMessages.asked] })
    const asked = await toDecide(lead, email)
    expect(asked).toMatchObject({
      asked_by: 'Ada Reid',
      reason: 'New team member',
      before: null,
      after: { name: 'Kiri Pai', roles: ['support'], is_lead: false },
    })
    expect(await decide(admin, asked)).toMatchObject({ status: 403, body: { code: approvalMessages.own } })
    expect(await readInvitations(world(), email)).toEqual([])

    const decided = await decide(lead, asked)
    expect(decided.status).toBe(200)
    await pollUntil(async () => (await readInvitations(world(), email)).length === 1)
    const [token = ''] = await readInvitations(world(), email)
    for (const shown of [
      answer.body,
      decided.body,
      await approvalsOf(admin),
      (await admin.visitor.get('/api/desk/team/')).body,
    ])
      expect(JSON.stringify(shown)).not.toContain(token)
    const kept = await world().db.selectFrom('audit_events').selectAll().execute()
    expect(JSON.stringify(kept)).not.toContain(token)
    const kiri = await acceptInvitation(world(), token)
    expect((await kiri.get('/api/desk/me/')).body.staff).toMatchObject({ email, roles: ['support'] })
  })

  test('an invitation takes effect after 24 hours unless declined, and team leads and other admins are emailed beforehand', async () => {
    const email = newEmail()
    await invite(admin, email)
    for (const person of [lead, other])
      await pollUntil(async () => (await noticesTo(person.email)).some((text) => text.includes(email)))
    expect((await noticesTo(admin.email)).some((text) => text.includes(email))).toBe(false)
    await applyDueGrants(world().deps, createGrantHandlers(world().deps))
    expect(await personOf(email)).toBeUndefined()
    await wait(email)
    expect(await personOf(email)).toMatchObject({ roles: 'support' })
    expect((await approvalsOf(admin)).own).toContainEqual(
      expect.objectContaining({ subject: email, state: 'approved', decided_by: null }),
    )
  })

  const decline = (asked: { id: string }) => decide(lead, asked, 'refused')
  test.each([
    ['declined by a lead', decline],
    ['cancelled by its requester', (asked: { id: string }) => withdraw(admin, asked)],
  ])('an invitation has no effect once it has been %s', async (_, end) => {
    const email = newEmail()
    await invite(admin, email)
    const asked = await toDecide(lead, email)
    expect((await withdraw(other, asked)).status).toBe(409)
    expect((await end(asked)).status).toBe(200)
    await wait(email)
    expect(await personOf(email)).toBeUndefined()
    expect((await decide(other, asked)).status).toBe(409)
  })

  test('an invitation lifts a suspension and removes the person’s earlier passkeys', async () => {
    const tui = await newMember()
    await suspend(admin, tui)
    await invite(admin, tui.email, { support: true })
    expect(await personOf(tui.email)).toMatchObject({ suspended_at: expect.any(Date) })
    expect((await decide(lead, await toDecide(lead, tui.email))).status).toBe(200)
    expect(await personOf(tui.email)).toMatchObject({ suspended_at: null })
    const passkeys = world().db.selectFrom('passkeys').select('id').where('staff_id', '=', tui.id)
    expect(await passkeys.execute()).toEqual([])
  })
})

describe('requests for more staff roles', () => {
  test('adding roles to a staff member needs approval, while removing roles takes effect immediately', async () => {
    const tui = await newMember()
    expect((await give(admin, tui, { support: true, finance: true })).body).toEqual({ effective: expect.any(String) })
    expect(await rolesOf(tui)).toBe('support')
    const asked = await toDecide(other, tui.email)
    expect(await decide(tui, asked)).toMatchObject({ status: 403 })
    expect((await decide(other, asked)).status).toBe(200)
    expect(await rolesOf(tui)).toBe('support,finance')
    expect((await give(admin, tui, { finance: true })).body).toEqual({ effective: null })
    expect(await rolesOf(tui)).toBe('finance')
    await pollUntil(async () =>
      (await noticesTo(lead.email)).some((text) => text.includes('removed roles of Tui Hall')),
    )
  })

  test('a request for more roles does not restore roles that have been removed since the request was made', async () => {
    const tui = await newMember(['support', 'finance'])
    await give(admin, tui, { support: true, finance: true, is_lead: true })
    const asked = await toDecide(lead, tui.email)
    await give(other, tui, { support: true })
    expect((await toDecide(lead, tui.email)).is_stale).toBe(true)
    expect((await decide(lead, asked)).body).toEqual({ __all__: [teamMessages.changed] })
    await wait(tui.email)
    expect(await rolesOf(tui)).toBe('support')
  })

  test('once a person’s roles have changed, a new request for more roles can replace the open request, which then lapses', async () => {
    const tui = await newMember(['support', 'finance'])
    await give(admin, tui, { support: true, finance: true, is_lead: true })
    const { id } = await toDecide(lead, tui.email)
    expect((await give(admin, tui, { support: true, finance: true, admin: true })).status).toBe(409)
    await give(other, tui, { support: true })
    expect((await give(admin, tui, { support: true, admin: true })).status).toBe(200)
    expect(await toDecide(lead, tui.email)).toMatchObject({ is_stale: false, after: { roles: ['support', 'admin'] } })
    expect((await approvalsOf(admin)).own).toContainEqual(expect.objectContaining({ id, state: 'lapsed' }))
  })

  test('requested roles do not take effect if their requester has been suspended', async () => {
    const [rogue, tui] = [await newMember(['admin']), await newMember()]
    await give(rogue, tui, { support: true, admin: true })
    await suspend(other, rogue)
    await pollUntil(async () =>
      (await noticesTo(lead.email)).some((text) => text.includes('suspended Tui Hall. This took effect')),
    )
    await wait(tui.email)
    expect(await rolesOf(tui)).toBe('support')
  })
})

test('someone invited in the last week cannot approve requests from their inviter or the inviter’s other invitees', async () => {
  const names: StaffMember[] = []
  for (const roles of [['support'], ['finance']] as Role[][]) {
    const email = newEmail()
    await invite(admin, email, { [roles[0] ?? '']: true, is_lead: roles[0] === 'finance' })
    await decide(lead, await toDecide(lead, email))
    await pollUntil(async () => (await readInvitations(world(), email)).length === 1)
    const visitor = await acceptInvitation(world(), (await readInvitations(world(), email))[0] ?? '')
    const { id, name } = (await visitor.get('/api/desk/me/')).body.staff
    names.push({ id, email, name, visitor })
  }
  const [first, second] = names as [StaffMember, StaffMember]
  await world()
    .db.updateTable('passkeys')
    .set({ made_at: new Date(0) })
    .execute()
  const batch = { count: '2', plan: 'plan-30-5gb', expires: '2027-12-31', reason: 'retail', note: '' }
  const { id: subject } = (await admin.visitor.post('/api/desk/stock/batches/', batch)).body
  const influenced = { status: 403, body: { code: approvalMessages.sharedInfluence('Ada Reid') } }
  expect(await decide(second, await toDecide(second, subject))).toMatchObject(influenced)
  const tui = await newMember()
  await give(other, tui, { support: true, finance: true })
  expect((await decide(second, await toDecide(second, tui.email))).status).toBe(200)

  await world().db.updateTable('staff').set({ roles: 'admin' }).where('id', '=', first.id).execute()
  await give(first, await newMember(), { support: true, finance: true })
  const own = (await approvalsOf(second)).to_decide.find(({ asked_by: by }: { asked_by: string }) => by === 'Kiri Pai')
  expect(await decide(second, own)).toMatchObject(influenced)
})

test('a demo staff member without a passkey can request an invitation', async () => {
  const jo = await newStaffVisitor(world().deskUrl ?? '', demoStaff.admin)
  const wish = { email: newEmail(), name: 'Kiri Pai', support: true }
  expect((await jo.post('/api/desk/team/invite/', wish)).status).toBe(200)
})
