/* @module-tag slow */
import { rmSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { demoStaff, newStaffVisitor } from '#quality/support/desk-visitor.ts'
import { createDataFolder } from '#quality/support/data-folder.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import type { Visitor } from '#quality/support/visitor.ts'
import { startWorld, type World } from '#quality/support/world.ts'
import type { Task } from '#desk/features/today/today.contract.ts'

const dataDir = createDataFolder('fantail-day-')
let world: World
let support: Visitor
let lead: Visitor

async function begin(): Promise<void> {
  const env = { DEMO_CUSTOMERS: 'all', DESK_PORT: '0', DATA_DIR: dataDir }
  world = await startWorld({ env, thresholds: { lookMs: 300 } })
  support = await newStaffVisitor(world.deskUrl ?? '', demoStaff.support)
  lead = await newStaffVisitor(world.deskUrl ?? '', demoStaff.lead)
}
beforeAll(begin)
afterAll(async () => {
  await world.close()
  rmSync(dataDir, { recursive: true, force: true })
})

const read = async (who: Visitor, path: string) => (await who.get(`/api/desk/${path}`)).body
const tasks = async (): Promise<Task[]> => (await read(support, 'tasks/')).tasks

test('the demo starts with a refund request, a dispute and a failed payment capture for staff to deal with', async () => {
  expect((await read(lead, 'approvals/')).to_decide).toMatchObject([
    { kind: 'refund', asked_by: 'Hine Walker', reason: 'Bought twice', customer: expect.stringMatching(/^Kiri Ap/) },
  ])
  const waiting = await tasks()
  const dispute = waiting.find(({ kind }) => kind === 'dispute')
  expect(dispute).toMatchObject({ name: 'Lucy Chen', due: expect.any(String), is_late: false })
  expect(waiting.map(({ kind, name }) => [kind, name])).toContainEqual(['payment', 'Rewi Parata'])
  expect((await read(lead, 'money/disputes/')).disputes).toHaveLength(1)
})

test('the demo starts with one number transfer that was declined and one that is awaiting the customer’s reply', async () => {
  expect((await read(support, 'ports/')).rows).toMatchObject([
    { name: 'Priya Sharma', standing: { words: 'Declined' } },
  ])
  expect((await read(support, 'ports/?of=customer')).rows).toMatchObject([
    { name: 'Aroha Simmons', standing: { words: 'Waiting for YES' } },
  ])
})

test('the demo starts with a file of SIM packs that is awaiting approval', async () => {
  const load = await pollUntil(async () => {
    const [found] = (await read(support, 'stock/')).loads
    return found?.state === 'waiting' && found
  })
  expect(load).toMatchObject({ by: 'Hine Walker', lines: 44, bad: 4 })
})

test('an email that is rejected in the demo opens a task', async () => {
  const task = await pollUntil(async () => (await tasks()).find(({ kind }) => kind === 'message'))
  expect(task?.reason).toContain('he mail relay refused this message for good')
})

test('an approval request from the demo’s team lead can be decided by a different staff member', async () => {
  const order = (await tasks()).find(({ kind }) => kind === 'dispute')?.order ?? ''
  expect((await read(lead, `orders/${order}/`)).deciders).toEqual(['Tom Reid'])
})

test('restarting the demo creates no duplicate cases and renews an approval request that has expired', async () => {
  const countOf = async (table: 'orders' | 'approvals' | 'disputes' | 'porting_requests' | 'sim_loads') => {
    const rows = await world.db
      .selectFrom(table)
      .select(({ fn }) => fn.countAll().as('count'))
      .execute()
    return Number(rows[0]?.count)
  }
  const counts = async () => ({
    orders: await countOf('orders'),
    disputes: await countOf('disputes'),
    ports: await countOf('porting_requests'),
    loads: await countOf('sim_loads'),
    approvals: await countOf('approvals'),
  })
  const before = await counts()
  await world.db
    .updateTable('approvals')
    .set({ lapses_at: new Date(Date.now() - 1_000) })
    .execute()
  await world.close()
  await begin()
  const after = await pollUntil(async () => {
    const now = await counts()
    return now.approvals > before.approvals && now
  })
  expect(after).toEqual({ ...before, approvals: before.approvals + 1 })
})
