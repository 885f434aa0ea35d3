import { expect, test } from 'vitest'
import { createTask } from '#features/operator-tasks/server/operator-tasks.store.ts'
import { demoStaff, newStaffVisitor } from '#quality/support/desk-visitor.ts'
import { useWorld } from '#quality/support/world.ts'

const world = useWorld({ env: { DESK_PORT: '0' } })

test('if several people take a task at the same time, only one succeeds', async () => {
  const desk = world().deskUrl ?? ''
  const people = await Promise.all(Object.values(demoStaff).map((email) => newStaffVisitor(desk, email)))
  for (let round = 0; round < 10; round += 1) {
    const subject = crypto.randomUUID()
    await createTask(world().db, { kind: 'finding', subject, reason: 'odd' })
    const { id } = await world()
      .db.selectFrom('operator_tasks')
      .select('id')
      .where('subject', '=', subject)
      .executeTakeFirstOrThrow()
    const answers = await Promise.all(people.map((who) => who.post(`/api/desk/tasks/${id}/take/`)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...people.slice(1).map(() => 409)])
    const winner = Object.values(demoStaff)[answers.findIndex(({ status }) => status === 200)]
    const row = await world()
      .db.selectFrom('operator_tasks')
      .innerJoin('staff', 'staff.id', 'operator_tasks.owner_id')
      .select('staff.email')
      .where('operator_tasks.id', '=', id)
      .executeTakeFirst()
    expect(row?.email).toBe(winner)
  }
})
