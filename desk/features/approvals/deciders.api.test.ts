import { beforeAll, expect, test } from 'vitest'
import type { Actor } from '#kit/server/actor.ts'
import { inviteStaff, newStaffMember, type StaffMember } from '#quality/support/staff-member.ts'
import { buildChangedCatalogue } from '#quality/support/catalogue-file.ts'
import { useWorld } from '#quality/support/world.ts'
import { suspendByEmail } from '#desk/features/staff/server/invitations.ts'
import { staffMessages } from '#desk/features/staff/staff.contract.ts'
import { approvalMessages } from './approvals.contract.ts'
import { listApprovers } from './server/approvers.ts'

const world = useWorld({ env: { DESK_PORT: '0' } })

const hour = 3_600_000
const actorOf = ({ id, name }: StaffMember): Actor => ({ by: 'staff', id, name, reason: null })

let asker: StaffMember
let inviter: StaffMember
let newLead: StaffMember
beforeAll(async () => {
  // The demo's staff have no passkeys. They are suspended here, so that only the people created below remain.
  await world()
    .db.updateTable('staff')
    .set({ suspended_at: new Date(0) })
    .execute()
  asker = await newStaffMember(world(), { roles: ['admin', 'finance'], isLead: true, name: 'Ada Reid' })
  inviter = await newStaffMember(world(), { roles: ['admin'], name: 'Ola Fox' })
  await newStaffMember(world(), { roles: ['finance'], isLead: true, name: 'Lea Moss' })
  await newStaffMember(world(), { roles: ['support'], isLead: true, name: 'Sol Hart' })
  newLead = await newStaffMember(
    world(),
    { roles: ['support', 'finance'], isLead: true, name: 'Nia Bell' },
    actorOf(inviter),
  )
  await inviteStaff(world(), { roles: ['finance'], isLead: true, name: 'Ivy Park' })
  const away = await newStaffMember(world(), { roles: ['finance'], isLead: true, name: 'Wes Dunn' })
  await suspendByEmail(world().deps, away.email, { by: 'operator', name: 'Tom' })
})

const read = async ({ visitor }: StaffMember, path: string) => (await visitor.get(`/api/desk/${path}`)).body
const requestVouchers = async ({ visitor }: StaffMember): Promise<string> =>
  (
    await visitor.post('/api/desk/stock/batches/', {
      count: '2',
      plan: 'plan-30-5gb',
      expires: '2027-12-31',
      reason: 'retail',
      note: '',
    })
  ).body.id

test('any team lead but the requester can approve a catalogue request, unless they are suspended or their passkey is too new', async () => {
  const { db } = world()
  const request = { kind: 'catalogue' as const, subject: '1', asked_by: asker.id }
  expect(await listApprovers({ db, isDemo: false }, request)).toEqual(['Lea Moss', 'Sol Hart'])
})

test('the refund limits page does not name people as approvers if they have the affected role or their passkey is too new', async () => {
  const invited = ['Ivy Park']
  const { roles } = await read(inviter, 'limits/')
  expect(roles).toMatchObject([
    { role: 'support', deciders: expect.not.arrayContaining(['Ola Fox', 'Sol Hart', 'Nia Bell', 'Wes Dunn']) },
    {
      role: 'finance',
      deciders: expect.not.arrayContaining(['Ola Fox', 'Lea Moss', 'Nia Bell', 'Wes Dunn', ...invited]),
    },
  ])
  expect(roles).toMatchObject([
    { deciders: expect.arrayContaining(['Ada Reid', 'Lea Moss']) },
    { deciders: ['Sol Hart'] },
  ])
})

test('a voucher batch’s page names the people who can approve the batch, but not a team lead with a new passkey', async () => {
  const id = await requestVouchers(inviter)
  const { deciders } = await read(asker, `stock/batches/${id}/`)
  expect(deciders).toEqual(expect.arrayContaining(['Ada Reid', 'Lea Moss', 'Sol Hart']))
  expect(deciders).not.toContain('Nia Bell')
})

test('a catalogue draft’s page names the people who can approve it, but not its requester or suspended team leads', async () => {
  const text = await buildChangedCatalogue(asker.visitor, { price_cents: 100 })
  const { number } = (await asker.visitor.post('/api/desk/catalogue/drafts/', { name: 'a.json', text })).body
  const page = await read(asker, `catalogue/drafts/${number}/`)
  expect(page.deciders).toEqual(expect.arrayContaining(['Lea Moss', 'Sol Hart']))
  for (const name of ['Ada Reid', 'Nia Bell', 'Wes Dunn']) expect(page.deciders).not.toContain(name)

  const request = { draft: number, hash: page.draft.hash, at: null }
  await world()
    .db.insertInto('approvals')
    .values({
      id: crypto.randomUUID(),
      kind: 'catalogue',
      subject: String(number),
      payload: JSON.stringify(request),
      asked_by: asker.id,
      reason: 'prices',
      note: '',
      asked_at: new Date(),
      lapses_at: new Date(Date.now() + 24 * hour),
    })
    .execute()
  expect((await read(inviter, `catalogue/drafts/${number}/`)).deciders).not.toContain('Ada Reid')
})

test('someone with a new passkey is told when they can approve a request, and gets an error if they try earlier', async () => {
  const subject = await requestVouchers(asker)
  const approvalFor = async (who: StaffMember) =>
    (await read(who, 'approvals/')).to_decide.find((approval: { subject: string }) => approval.subject === subject)
  const { id, cannot_approve: obstacle } = await approvalFor(newLead)
  expect(obstacle).toEqual({ why: staffMessages.newPasskey, until: expect.any(String) })
  const left = new Date(obstacle.until).getTime() - Date.now()
  expect(left).toBeGreaterThan(23 * hour)
  expect(left).toBeLessThanOrEqual(24 * hour)
  const approve = () => newLead.visitor.post(`/api/desk/approvals/${id}/decide/`, { decision: 'approved', words: '' })
  expect(await approve()).toMatchObject({ status: 403, body: { code: staffMessages.newPasskey } })

  const passkeys = world().db.updateTable('passkeys').where('staff_id', '=', newLead.id)
  await passkeys.set({ made_at: new Date(Date.now() - 25 * hour) }).execute()
  expect((await approvalFor(newLead)).cannot_approve).toBeNull()
  expect((await approve()).status).toBe(200)
})

test('staff cannot approve an invitation for themselves, and are told why', async () => {
  const { email } = asker
  await inviter.visitor.post('/api/desk/team/invite/', { email, name: 'Ada Reid', admin: true, finance: true })
  const { to_decide: open } = await read(asker, 'approvals/')
  const request = open.find(({ subject }: { subject: string }) => subject === email)
  expect(request.cannot_approve).toEqual({ why: approvalMessages.aboutYou, until: null })
})
