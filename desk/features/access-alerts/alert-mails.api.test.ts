/* @module-tag slow */
import { beforeEach, expect, test } from 'vitest'
import { transact } from '#kit/server/db.ts'
import { createLeadTask } from '#features/operator-tasks/server/lead-tasks.store.ts'
import { newStaffMember } from '#quality/support/staff-member.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { newEmail, useWorld } from '#quality/support/world.ts'

const operator = newEmail()
const world = useWorld({ env: { DESK_PORT: '0', OPERATOR_MAIL: operator }, thresholds: { lookMs: 200 } })

beforeEach(async () => {
  await world().db.deleteFrom('operator_tasks').execute()
  await world()
    .db.updateTable('staff')
    .set({ suspended_at: new Date(0) })
    .execute()
})

const newLead = (name: string) => newStaffMember(world(), { roles: ['support'], isLead: true, name })
async function raiseAlert(staffId: string): Promise<string> {
  const of = crypto.randomUUID()
  const alert = { kind: 'alarm-looks', staffId, of, reason: 'Rata Moss has looked at 61 customers' } as const
  await transact(world().db, (trx) => createLeadTask(trx, alert))
  const task = world().db.selectFrom('operator_tasks').select('id').where('subject', '=', `${staffId}:${of}`)
  return (await task.executeTakeFirstOrThrow()).id
}
async function recipientsOf(taskId: string): Promise<string[]> {
  const mails = world().db.selectFrom('messages').select('recipient').where('kind', '=', 'staff-alert')
  return (await mails.where('ref', '=', taskId).orderBy('recipient').execute()).map(({ recipient }) => recipient)
}
const isMailed = (taskId: string) => pollUntil(async () => (await recipientsOf(taskId)).length > 0)

test('an access alert is emailed once, without names, to every team lead except the person it concerns', async () => {
  const [concerned, one, other] = [await newLead('Rata Moss'), await newLead('Kiri Pai'), await newLead('Sol Hart')]
  const first = await raiseAlert(concerned.id)
  await isMailed(first)
  // By the time the second alert has been emailed, the job has processed the first alert a second time.
  await isMailed(await raiseAlert(concerned.id))
  expect(await recipientsOf(first)).toEqual([one.email, other.email].toSorted())
  const [mail] = await pollUntil(async () => {
    const mails = await world().mailTo(one.email)
    const alerts = mails.filter(({ subject }) => subject.startsWith('An access alert needs checking'))
    return alerts.length > 0 && alerts
  })
  expect(mail?.text).toContain('A team lead needs to check it: the details are on Today.')
  expect(mail?.text).not.toMatch(/Rata|61|Need a person/)
})

test('an access alert is emailed to the operator if no other team lead can act', async () => {
  const taskId = await raiseAlert((await newLead('Kiri Pai')).id)
  await isMailed(taskId)
  expect(await recipientsOf(taskId)).toEqual([operator])
})
