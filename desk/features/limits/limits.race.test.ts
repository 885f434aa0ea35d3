import { expect, test } from 'vitest'
import { newStaffVisitor } from '#quality/support/desk-visitor.ts'
import { newEmail, useWorld } from '#quality/support/world.ts'
import { invite } from '#desk/features/staff/server/invitations.ts'

const world = useWorld({ env: { DESK_PORT: '0' } })

async function newAdmin() {
  const email = newEmail()
  const person = { email, name: 'Tui Hall', roles: ['admin' as const], isLead: false }
  await invite(world().deps, person, { by: 'operator', name: 'Tom' })
  return newStaffVisitor(world().deskUrl ?? '', email)
}
const wish = (order: string, was: string) => ({
  order,
  day: '100.00',
  was_order: was,
  was_day: '100.00',
  reason: 'asked-often',
  note: '',
})

test('only one of several simultaneous requests for higher refund limits is stored, and only one of several approvals counts', async () => {
  const [asker, ...others] = await Promise.all([newAdmin(), newAdmin(), newAdmin(), newAdmin()])
  let was = '10.00'
  for (const order of ['11.00', '12.00', '13.00']) {
    const asked = await Promise.all([1, 2, 3].map(() => asker!.post('/api/desk/limits/support/', wish(order, was))))
    expect(asked.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
    const [{ id }] = (await others[0]!.get('/api/desk/approvals/')).body.to_decide
    const answers = await Promise.all(
      others.map((who) => who.post(`/api/desk/approvals/${id}/decide/`, { decision: 'approved', words: '' })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
    expect((await asker!.get('/api/desk/limits/')).body.roles[0].order).toBe(order)
    was = order
  }
  const changes = await world()
    .db.selectFrom('audit_events')
    .select('id')
    .where('event', '=', 'refund_limits_changed')
    .execute()
  expect(changes).toHaveLength(3)
})
