import { expect, test } from 'vitest'
import { newStaffMember } from '#testing/staff-member.ts'
import { until } from '#testing/until.ts'
import { newEmail, useWorld } from '#testing/world.ts'

const operator = newEmail()
const world = useWorld({ env: { DESK_PORT: '0', OPERATOR_MAIL: operator } })

const noticesTo = async (email: string) =>
  (await world().mailTo(email)).filter(({ subject }) => /desk:/.test(subject)).map(({ text }) => text)

test('the operator is told of a request when every other lead and admin is suspended', async () => {
  await world()
    .db.updateTable('staff')
    .set({ suspended_at: new Date(0) })
    .execute()
  const admin = await newStaffMember(world(), { roles: ['admin'] })
  const lead = await newStaffMember(world(), { roles: ['finance'], isLead: true })
  const [first, second] = [newEmail(), newEmail()]
  const invite = (email: string) =>
    admin.visitor.post('/api/desk/team/invite/', { email, name: 'Kiri Pai', support: true })
  await invite(first)
  await until(async () => (await noticesTo(lead.email)).some((text) => text.includes(first)))
  expect(await noticesTo(operator)).toEqual([])

  await admin.visitor.post(`/api/desk/team/${lead.id}/suspend/`, { reason: 'Away' })
  await invite(second)
  for (const email of [operator, lead.email])
    await until(async () => (await noticesTo(email)).some((text) => text.includes(second)))
})

test('a notice says that a removal can be requested back, and not so of ended sessions', async () => {
  const admin = await newStaffMember(world(), { roles: ['admin'] })
  const lead = await newStaffMember(world(), { roles: ['finance'], isLead: true })
  const tui = await newStaffMember(world(), { roles: ['support'] })
  const noticeOf = async (what: string) => {
    await until(async () => (await noticesTo(lead.email)).some((text) => text.includes(what)))
    return (await noticesTo(lead.email)).find((text) => text.includes(what))
  }
  await admin.visitor.post(`/api/desk/team/${tui.id}/end-sessions/`, { reason: 'Lost laptop' })
  expect(await noticeOf('has signed Tui Hall out everywhere')).not.toContain('request it back')
  await admin.visitor.post(`/api/desk/team/${tui.id}/suspend/`, { reason: 'Away' })
  expect(await noticeOf('has suspended Tui Hall')).toContain('An admin can request it back at the desk.')
})
