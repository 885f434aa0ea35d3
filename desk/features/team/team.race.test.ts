import { expect, test } from 'vitest'
import { newStaffVisitor } from '#quality/support/desk-visitor.ts'
import { newEmail, useWorld } from '#quality/support/world.ts'
import { invite } from '#desk/features/staff/server/invitations.ts'

const world = useWorld({ env: { DESK_PORT: '0' } })

test('two admins who suspend each other at the same time cannot both succeed', async () => {
  for (let round = 0; round < 5; round += 1) {
    const admins = await Promise.all([newAdmin(), newAdmin()])
    const answers = await Promise.all(
      admins.map(({ visitor }, turn) =>
        visitor.post(`/api/desk/team/${admins[1 - turn]?.id}/suspend/`, { reason: 'They began' }),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const left = await world()
      .db.selectFrom('staff')
      .select('id')
      .where(
        'id',
        'in',
        admins.map(({ id }) => id),
      )
      .where('suspended_at', 'is', null)
      .execute()
    expect(left).toHaveLength(1)
  }
})

async function newAdmin() {
  const email = newEmail()
  const person = { email, name: 'Tui Hall', roles: ['admin' as const], isLead: false }
  await invite(world().deps, person, { by: 'operator', name: 'Tom' })
  const { id } = await world().db.selectFrom('staff').select('id').where('email', '=', email).executeTakeFirstOrThrow()
  return { id, visitor: await newStaffVisitor(world().deskUrl ?? '', email) }
}
