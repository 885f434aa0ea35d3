/* @module-tag slow */
import { expect, test } from 'vitest'
import type { Actor } from '#kit/server/actor.ts'
import { newStaffMember, operatorActor, type StaffMember } from '#quality/support/staff-member.ts'
import { useWorld } from '#quality/support/world.ts'
import { staffMessages } from './staff.contract.ts'

const world = useWorld({ env: { DESK_PORT: '0' } })

const wish = { count: '2', plan: 'plan-30-5gb', expires: '2027-12-31', reason: 'retail', note: '' }
const ask = ({ visitor }: StaffMember) => visitor.post('/api/desk/stock/batches/', wish)
const tooNew = { status: 403, body: { code: staffMessages.newPasskey } }
const actorOf = ({ id, name }: StaffMember): Actor => ({ by: 'staff', id, name, reason: null })

async function decide({ visitor }: StaffMember, subject: string, decision: 'approved' | 'refused') {
  const { to_decide: open } = (await visitor.get('/api/desk/approvals/')).body
  const { id } = open.find((approval: { subject: string }) => approval.subject === subject)
  return visitor.post(`/api/desk/approvals/${id}/decide/`, { decision, words: '' })
}

const ageBy = ({ id }: StaffMember, hours: number) =>
  world()
    .db.updateTable('passkeys')
    .set({ made_at: new Date(Date.now() - hours * 3_600_000) })
    .where('staff_id', '=', id)
    .execute()

test('a passkey that is less than 24 hours old cannot be used to request or approve anything that needs two people', async () => {
  const admin = await newStaffMember(world(), { roles: ['admin'] })
  const newAdmin = await newStaffMember(world(), { roles: ['admin'] }, actorOf(admin))
  const newLead = await newStaffMember(world(), { roles: ['finance'], isLead: true }, actorOf(admin))
  expect(await ask(newAdmin)).toMatchObject(tooNew)
  const { id } = (await ask(admin)).body
  expect(await decide(newLead, id, 'approved')).toMatchObject(tooNew)

  for (const person of [newAdmin, newLead]) await ageBy(person, 23.9)
  expect(await ask(newAdmin)).toMatchObject(tooNew)
  expect(await decide(newLead, id, 'approved')).toMatchObject(tooNew)

  for (const person of [newAdmin, newLead]) await ageBy(person, 24.1)
  expect((await ask(newAdmin)).status).toBe(200)
  expect((await decide(newLead, id, 'approved')).status).toBe(200)
})

test('an approval request can be declined with a passkey that is less than 24 hours old', async () => {
  const admin = await newStaffMember(world(), { roles: ['admin'] })
  const newLead = await newStaffMember(world(), { roles: ['finance'], isLead: true }, actorOf(admin))
  const { id } = (await ask(admin)).body
  expect((await decide(newLead, id, 'refused')).status).toBe(200)
})

test('a passkey created through a command-line invitation can be used for requests and approvals immediately', async () => {
  const admin = await newStaffMember(world(), { roles: ['admin'] }, operatorActor)
  const lead = await newStaffMember(world(), { roles: ['finance'], isLead: true }, operatorActor)
  const { status, body } = await ask(admin)
  expect(status).toBe(200)
  expect((await decide(lead, body.id, 'approved')).status).toBe(200)
})
