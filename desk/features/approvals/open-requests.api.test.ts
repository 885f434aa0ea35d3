import { expect, test } from 'vitest'
import { newStaffMember, type StaffMember } from '#quality/support/staff-member.ts'
import { newEmail, useWorld } from '#quality/support/world.ts'
import { approvalMessages, maxOpenRequests } from './approvals.contract.ts'

const world = useWorld({ env: { DESK_PORT: '0' } })

const invite = ({ visitor }: StaffMember, email: string) =>
  visitor.post('/api/desk/team/invite/', { email, name: 'Kiri Pai', support: true })
const subjectsFor = async ({ visitor }: StaffMember): Promise<string[]> =>
  (await visitor.get('/api/desk/approvals/')).body.to_decide.map(({ subject }: { subject: string }) => subject)

async function requestVouchers({ id }: StaffMember, count: number): Promise<void> {
  const hour = 3_600_000
  const payload = JSON.stringify({ count: 1, product_id: 'plan-30-5gb', expires: '2027-12-31' })
  const request = { kind: 'vouchers' as const, payload, asked_by: id, reason: 'retail', note: '' }
  const times = { asked_at: new Date(Date.now() - hour), lapses_at: new Date(Date.now() + 23 * hour) }
  const rows = Array.from({ length: count }, () => ({
    ...request,
    ...times,
    id: crypto.randomUUID(),
    subject: crypto.randomUUID(),
  }))
  await world().db.insertInto('approvals').values(rows).execute()
}

test('a hundred older approval requests do not hide an invitation from the people who can decline it', async () => {
  const flooder = await newStaffMember(world(), { roles: ['admin'] })
  const asker = await newStaffMember(world(), { roles: ['admin'] })
  const admin = await newStaffMember(world(), { roles: ['admin'] })
  const lead = await newStaffMember(world(), { roles: ['finance'], isLead: true })
  await requestVouchers(flooder, 100)
  const email = newEmail()
  expect((await invite(asker, email)).status).toBe(200)
  expect(await subjectsFor(admin)).toEqual([email])
  expect((await subjectsFor(lead))[0]).toBe(email)
})

test('a person with too many open approval requests cannot make another until one is decided', async () => {
  const asker = await newStaffMember(world(), { roles: ['admin'] })
  await requestVouchers(asker, maxOpenRequests - 1)
  expect((await invite(asker, newEmail())).status).toBe(200)
  const refused = { status: 409, body: { __all__: [approvalMessages.tooManyOpen] } }
  expect(await invite(asker, newEmail())).toMatchObject(refused)
  const open = world().db.updateTable('approvals').set({ decision: 'lapsed', decided_at: new Date() })
  await open.where('asked_by', '=', asker.id).where('kind', '=', 'staff').execute()
  expect((await invite(asker, newEmail())).status).toBe(200)
})
