import { expect, test } from 'vitest'
import { readInvitations, newStaffMember } from '#quality/support/staff-member.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { newEmail, useWorld } from '#quality/support/world.ts'
import { createGrantHandlers } from '#desk/app/desk-routes.ts'
import { applyDueGrants } from './server/due-grants.ts'

const world = useWorld({ env: { DESK_PORT: '0' } })

test('an invitation that is approved at the very moment it takes effect automatically is carried out only once', async () => {
  const admin = await newStaffMember(world(), { roles: ['admin'] })
  const leads = [
    await newStaffMember(world(), { roles: ['finance'], isLead: true }),
    await newStaffMember(world(), { roles: ['support'], isLead: true }),
  ]
  const { db, deps } = world()
  /*
   * Each iteration moves the end of the 24 hours closer to the moment of approval. In some iterations the approval comes first, in others
   * the deadline does.
   */
  let leftMs = 50
  for (let round = 0; round < 10; round += 1) {
    const email = newEmail()
    await admin.visitor.post('/api/desk/team/invite/', { email, name: 'Kiri Pai', support: true })
    const request = () => db.selectFrom('approvals').selectAll().where('subject', '=', email).executeTakeFirstOrThrow()
    const { id } = await request()
    const isOpen = async () => (await request()).decision === null
    await db
      .updateTable('approvals')
      .set({ lapses_at: new Date(Date.now() + leftMs) })
      .where('id', '=', id)
      .execute()
    const runUntilDecided = async () => {
      while (await isOpen()) await applyDueGrants(deps, createGrantHandlers(deps))
    }
    const [answers] = await Promise.all([
      Promise.all(
        leads.map(({ visitor }) =>
          visitor.post(`/api/desk/approvals/${id}/decide/`, { decision: 'approved', words: '' }),
        ),
      ),
      ...[1, 2, 3].map(runUntilDecided),
    ])
    const { decision, decided_by: decider } = await request()
    leftMs *= decider === null ? 2 : 0.6
    expect(decision).toBe('approved')
    expect(answers.map(({ status }) => status).toSorted()).toEqual(decider === null ? [409, 409] : [200, 409])

    const { id: person } = await db
      .selectFrom('staff')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirstOrThrow()
    const events = await db
      .selectFrom('audit_events')
      .select(['event', 'details'])
      .where('event', 'in', ['staff_invited', 'staff_changed'])
      .execute()
    expect(events.filter(({ details }) => JSON.stringify(details).includes(person))).toHaveLength(1)
    const mails = await db.selectFrom('messages').select('id').where('recipient', '=', email).execute()
    expect(mails).toHaveLength(1)
    await pollUntil(async () => (await readInvitations(world(), email)).length === 1)
  }
})
