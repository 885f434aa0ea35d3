import { expect, test } from 'vitest'
import { makeCustomer } from '#quality/support/customer.ts'
import { newStaffVisitor } from '#quality/support/desk-visitor.ts'
import { newEmail, useWorld } from '#quality/support/world.ts'
import { invite } from '#desk/features/staff/server/invitations.ts'

const world = useWorld({ env: { DESK_PORT: '0' } })

test('opening a record and revealing its email address many times at once raises only one access alert of each kind', async () => {
  const email = newEmail()
  const person = { email, name: 'Tui Hall', roles: ['support' as const], isLead: false }
  await invite(world().deps, person, { by: 'operator', name: 'Tom' })
  const windows = await Promise.all(Array.from({ length: 6 }, () => newStaffVisitor(world().deskUrl ?? '', email)))
  const { id } = await makeCustomer(world(), { email })
  await windows[0]?.post(`/api/desk/customers/${id}/open/`, { reason: 'call' })
  const times = [windows, windows.slice(0, 4)].flat()
  await Promise.all(times.map((who) => who.post(`/api/desk/customers/${id}/open/`, { reason: 'call' })))
  await Promise.all(times.map((who) => who.post(`/api/desk/customers/${id}/show-email/`)))
  const tasks = await world()
    .db.selectFrom('operator_tasks')
    .select(['kind', 'reason'])
    .where('kind', 'in', ['alarm-own', 'alarm-shown'])
    .orderBy('kind')
    .execute()
  expect(tasks.map(({ kind }) => kind)).toEqual(['alarm-own', 'alarm-shown'])
})
