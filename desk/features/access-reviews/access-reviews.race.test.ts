import { expect, test } from 'vitest'
import { newStaffVisitor } from '#quality/support/desk-visitor.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { newEmail, useWorld } from '#quality/support/world.ts'
import { invite } from '#desk/features/staff/server/invitations.ts'

const world = useWorld({ env: { DESK_PORT: '0' } })

test('team leads who open “Random checks” at the same time get the same sample, and each item gets only one decision', async () => {
  const leads = await Promise.all(Array.from({ length: 5 }, () => newLead()))
  const { id: staffId } = await newLead()
  const at = new Date(Date.now() - 7 * 86_400_000)
  const look = () => ({ at, staff_id: staffId, act: 'customer_opened', user_id: crypto.randomUUID() }) as const
  const rest = { subject: null, reason: 'call', detail: null }
  const { db } = world()
  // The process has already drawn a sample from a week without views, and will not draw again for an hour.
  await pollUntil(async () => (await db.selectFrom('look_checks').select('week').execute()).length === 1)
  await db.deleteFrom('look_checks').execute()
  await db
    .insertInto('access_log')
    .values(Array.from({ length: 40 }, () => ({ ...look(), ...rest })))
    .execute()
  const seen = await Promise.all(leads.map(({ visitor }) => visitor.get('/api/desk/audit/checks/')))
  const drawn = seen.map(({ body }) => body.looks.map(({ id }: { id: string }) => id))
  expect(drawn[0]).toHaveLength(10)
  for (const others of drawn) expect(others).toEqual(drawn[0])
  for (const id of drawn[0].slice(0, 4)) {
    const answers = await Promise.all(
      leads.map(({ visitor }) => visitor.post(`/api/desk/audit/checks/${id}/`, { decision: 'asked' })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409])
  }
  const tasks = await world().db.selectFrom('operator_tasks').select('id').where('kind', '=', 'look').execute()
  expect(tasks).toHaveLength(4)
})

async function newLead() {
  const email = newEmail()
  const person = { email, name: 'Kiri Pai', roles: ['support' as const], isLead: true }
  await invite(world().deps, person, { by: 'operator', name: 'Tom' })
  const { id } = await world().db.selectFrom('staff').select('id').where('email', '=', email).executeTakeFirstOrThrow()
  return { id, visitor: await newStaffVisitor(world().deskUrl ?? '', email) }
}
