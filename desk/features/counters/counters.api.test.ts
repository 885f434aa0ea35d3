import { beforeAll, expect, test } from 'vitest'
import { realNow, toDate } from '#kit/server/clock.ts'
import { createTask } from '#features/operator-tasks/server/operator-tasks.store.ts'
import { demoStaff, newStaffVisitor } from '#quality/support/desk-visitor.ts'
import type { Visitor } from '#quality/support/visitor.ts'
import { useWorld } from '#quality/support/world.ts'
import type { Counters } from './counters.contract.ts'

const world = useWorld({ env: { DESK_PORT: '0' } })

let support: Visitor
let finance: Visitor
let admin: Visitor
beforeAll(async () => {
  const desk = world().deskUrl ?? ''
  support = await newStaffVisitor(desk, demoStaff.support)
  finance = await newStaffVisitor(desk, demoStaff.lead)
  admin = await newStaffVisitor(desk, demoStaff.admin)
})

const waits = async (who: Visitor): Promise<Counters> => (await who.get('/api/desk/waits/')).body

test('the desk menu’s counter for a page is null for staff whose role may not see that page', async () => {
  expect(await waits(support)).toMatchObject({ ports: 0, disputes: null })
  expect(await waits(finance)).toMatchObject({ ports: null, disputes: 0 })
  expect(await waits(admin)).toMatchObject({ ports: null, disputes: null, approvals: 0 })
  const nobody = await newStaffVisitor(world().deskUrl ?? '', null)
  expect((await nobody.get('/api/desk/waits/')).status).toBe(401)
})

test('the desk menu’s counters include a task until it is completed', async () => {
  const { tasks } = await waits(support)
  await createTask(world().db, { kind: 'finding', reason: 'odd thing', subject: 'odd' })
  expect((await waits(support)).tasks).toBe(tasks + 1)
  const row = await world().db.selectFrom('operator_tasks').select('id').where('subject', '=', 'odd').executeTakeFirst()
  await support.post(`/api/desk/tasks/${row?.id}/done/`, { note: '' })
  expect((await waits(admin)).tasks).toBe(tasks)
})

test('an open approval request is counted for the people who can decide on it, not for its requester', async () => {
  const batch = { count: '3', plan: 'plan-30-5gb', expires: '2027-12-31', reason: 'retail', note: '' }
  expect((await admin.post('/api/desk/stock/batches/', batch)).status).toBe(200)
  expect((await waits(finance)).approvals).toBe(1)
  for (const who of [support, admin]) expect((await waits(who)).approvals).toBe(0)
})

test('the desk’s banner shows an outage rather than a service notice, and says how many more incidents there are', async () => {
  expect((await waits(admin)).incident).toBe(null)
  expect((await support.post('/api/desk/notices/', { kind: 'network', hours: '1' })).status).toBe(200)
  expect((await waits(admin)).incident).toMatchObject({ of: { kind: 'notice', about: 'network' }, others: 0 })
  const since = toDate(realNow())
  await world()
    .db.insertInto('outages')
    .values({ service: 'mail', failing_since: since, failures: 3, last_failure_at: since, why: 'no answer' })
    .onConflict((conflict) => conflict.column('service').doUpdateSet({ failing_since: since }))
    .execute()
  const { incident } = await waits(finance)
  expect(incident).toMatchObject({ of: { kind: 'outage' }, since: since.toISOString(), others: 1 })
})
