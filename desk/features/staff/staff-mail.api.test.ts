import { beforeEach, describe, expect, test } from 'vitest'
import {
  inviteStaff,
  newStaffMember,
  operatorActor as commandLine,
  type StaffMember,
} from '#quality/support/staff-member.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { newEmail, useWorld } from '#quality/support/world.ts'

const operator = newEmail()
const world = useWorld({ env: { DESK_PORT: '0', OPERATOR_MAIL: operator } })

const noticesTo = async (email: string) =>
  (await world().mailTo(email)).filter(({ subject }) => /desk:/.test(subject)).map(({ text }) => text)

const removedFrom = (name: string) => `removed roles of ${name}`
const removeLead = (admin: StaffMember, { id }: StaffMember) =>
  admin.visitor.post(`/api/desk/team/${id}/roles/`, { support: true })
const newLead = (name: string) => newStaffMember(world(), { roles: ['support'], isLead: true, name })

beforeEach(() =>
  world()
    .db.updateTable('staff')
    .set({ suspended_at: new Date(0) })
    .execute(),
)

test('the operator is emailed about an invitation request if every other team lead and admin is suspended', async () => {
  const admin = await newStaffMember(world(), { roles: ['admin'] })
  const lead = await newStaffMember(world(), { roles: ['finance'], isLead: true })
  const [first, second] = [newEmail(), newEmail()]
  const invite = (email: string) =>
    admin.visitor.post('/api/desk/team/invite/', { email, name: 'Kiri Pai', support: true })
  await invite(first)
  await pollUntil(async () => (await noticesTo(lead.email)).some((text) => text.includes(first)))
  expect(await noticesTo(operator)).toEqual([])

  await admin.visitor.post(`/api/desk/team/${lead.id}/suspend/`, { reason: 'Away' })
  await invite(second)
  for (const email of [operator, lead.email])
    await pollUntil(async () => (await noticesTo(email)).some((text) => text.includes(second)))
})

test('the email about a suspension says how to reverse it, and the email about a forced sign-out does not', async () => {
  const admin = await newStaffMember(world(), { roles: ['admin'] })
  const lead = await newStaffMember(world(), { roles: ['finance'], isLead: true })
  const tui = await newStaffMember(world(), { roles: ['support'] })
  const noticeOf = async (what: string) => {
    await pollUntil(async () => (await noticesTo(lead.email)).some((text) => text.includes(what)))
    return (await noticesTo(lead.email)).find((text) => text.includes(what))
  }
  await admin.visitor.post(`/api/desk/team/${tui.id}/end-sessions/`, { reason: 'Lost laptop' })
  expect(await noticeOf('signed Tui Hall out everywhere')).not.toContain('request it back')
  await admin.visitor.post(`/api/desk/team/${tui.id}/suspend/`, { reason: 'Away' })
  expect(await noticeOf('suspended Tui Hall. This took effect')).toContain('An admin can request it back at the desk.')
})

describe('emails about removing a team lead’s roles', () => {
  test('removing a team lead’s roles emails that person, the other team leads and the admins, but not the operator', async () => {
    const admin = await newStaffMember(world(), { roles: ['admin'] })
    const others = [await newStaffMember(world(), { roles: ['admin'] }), await newLead('Sol Hart')]
    const lead = await newLead('Lea Moss')
    await removeLead(admin, lead)
    for (const { email } of [lead, ...others])
      await expect.poll(() => noticesTo(email)).toContainEqual(expect.stringContaining(removedFrom('Lea Moss')))
    expect((await noticesTo(operator)).filter((text) => text.includes(removedFrom('Lea Moss')))).toEqual([])
  })

  test('the operator is emailed if the last team lead’s roles are removed and no other team lead has accepted an invitation', async () => {
    const admin = await newStaffMember(world(), { roles: ['admin'] })
    const lead = await newLead('Rua Tait')
    await inviteStaff(world(), { roles: ['finance'], isLead: true, name: 'Ivy Park' })
    await inviteStaff(world(), { roles: ['admin'], name: 'Max Rowe' })
    await removeLead(admin, lead)
    for (const email of [lead.email, operator])
      await expect.poll(() => noticesTo(email)).toContainEqual(expect.stringContaining(removedFrom('Rua Tait')))
  })
})

test('a suspended person is emailed about their own suspension', async () => {
  const admin = await newStaffMember(world(), { roles: ['admin'] })
  const kiri = await newStaffMember(world(), { roles: ['support'], name: 'Kiri Pai' })
  await admin.visitor.post(`/api/desk/team/${kiri.id}/suspend/`, { reason: 'Away' })
  await expect
    .poll(() => noticesTo(kiri.email))
    .toContainEqual(expect.stringContaining('suspended Kiri Pai. This took effect'))
})

test('if a command-line invitation removes someone’s roles, that person and the admins are told by email', async () => {
  const admin = await newStaffMember(world(), { roles: ['admin'] })
  const lead = await newLead('Bea Lund')
  await inviteStaff(world(), { roles: ['support'], name: 'Bea Lund', email: lead.email }, commandLine)
  for (const { email } of [admin, lead])
    await expect
      .poll(() => noticesTo(email))
      .toContainEqual(expect.stringContaining('invited Bea Lund again with fewer roles: Support'))
})
