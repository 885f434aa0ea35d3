/* @module-tag slow */
import { rmSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { runCommandForJson, runCommand } from '#quality/support/operator.ts'
import { makeSubscriber } from '#quality/support/customer.ts'
import { createDataFolder } from '#quality/support/data-folder.ts'
import { portForm } from '#quality/support/activation-journey.ts'
import { renew } from '#quality/support/purchases.ts'
import {
  clearFailures,
  failNetwork,
  newPortableNumber,
  disableAutomaticUsage,
  addSimUsage,
} from '#quality/support/simulators.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { useWorld } from '#quality/support/world.ts'
import { createMissingCycles, startDueCycleReads } from './server/cycles.ts'
import { historyUpkeep } from './server/history.jobs.ts'

const dataDir = createDataFolder('fantail-cycles-')
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))
const world = useWorld({ env: { DATA_DIR: dataDir } })

const cyclesOf = (serviceId: string) =>
  world().db.selectFrom('cycle_usage').selectAll().where('service_id', '=', serviceId).orderBy('starts_at').execute()
const withPlan = async (plan: string) => {
  const subscriber = await makeSubscriber(world(), { plan })
  await disableAutomaticUsage(world(), subscriber.service.sim)
  return subscriber
}

test('a cycle’s data usage is recorded only once, after the cycle ends, from the network’s usage records', async () => {
  const { service } = await withPlan('plan-90-5gb')
  const { iccid } = service.sim
  expect(await cyclesOf(service.id)).toMatchObject([
    { used_mb: null, ran_out_at: null, is_whole: true },
    { used_mb: null },
    { used_mb: null },
  ])
  await addSimUsage(world(), { iccid, type: 'data', amount: 1_200.4 })
  await addSimUsage(world(), { iccid, type: 'voice', amount: 600 })
  await world().advance('P31D')
  const [first] = await cyclesOf(service.id)
  expect(first).toMatchObject({ used_mb: 1_200, ran_out_at: null, due_at: null })
  await addSimUsage(world(), { iccid, type: 'data', amount: 9_000 })
  await world().advance('P30D')
  const both = await cyclesOf(service.id)
  expect(both).toMatchObject([
    { used_mb: 1_200 },
    { used_mb: 5_000, ran_out_at: expect.any(Date), due_at: null },
    { used_mb: null, due_at: expect.any(Date) },
  ])
  await startDueCycleReads(world().deps, world().deps.clock.now())
  expect(await cyclesOf(service.id)).toEqual(both)
})

test('if the network does not report a cycle’s usage, we keep asking for five days, and then the usage stays unknown', async () => {
  const [heard, lost] = [await withPlan('plan-7-5gb'), await withPlan('plan-7-5gb')]
  await addSimUsage(world(), { iccid: heard.service.sim.iccid, type: 'data', amount: 700 })
  await addSimUsage(world(), { iccid: lost.service.sim.iccid, type: 'data', amount: 700 })
  await failNetwork(world(), { operation: 'usage', kind: 'error_500', times: 2 })
  await world().advance('P7D')
  await world().advance('PT6H')
  expect((await cyclesOf(heard.service.id))[0]).toMatchObject({ used_mb: 700, due_at: null })

  const other = await withPlan('plan-7-5gb')
  await failNetwork(world(), { operation: 'usage', kind: 'error_500', times: 10_000 })
  await world().advance('P8D')
  expect((await cyclesOf(other.service.id))[0]).toMatchObject({ used_mb: null, due_at: expect.any(Date) })
  // After eight more days, the five-day limit for reading the usage has passed, and the next attempt has recorded it as unknown.
  await world().advance('P8D')
  await clearFailures(world())
  expect((await cyclesOf(other.service.id))[0]).toMatchObject({ used_mb: null, ran_out_at: null, due_at: null })
})

test('a renewal that starts immediately ends the current cycle, and the next cycle begins at that instant', async () => {
  const { visitor, service } = await withPlan('plan-30-5gb')
  await addSimUsage(world(), { iccid: service.sim.iccid, type: 'data', amount: 300 })
  await world().advance('P3D')
  const { status } = await renew(world(), visitor, service, { body: { starts: 'now' } })
  expect(status).toBe(200)
  await pollUntil(async () => (await cyclesOf(service.id)).length === 2)
  const [cut, next] = await cyclesOf(service.id)
  expect(cut).toMatchObject({ is_whole: false })
  expect(next).toMatchObject({ is_whole: true, starts_at: cut?.ends_at })
  await world().advance('PT4H')
  expect((await cyclesOf(service.id))[0]).toMatchObject({ used_mb: 300, due_at: null })
})

test('a cycle’s usage stays unknown if a number transfer replaced the number during the cycle', async () => {
  const { visitor, service } = await withPlan('plan-7-5gb')
  const number = await newPortableNumber(world())
  await visitor.post(`/api/services/port/${service.id}/`, portForm(number))
  await world().advance('P8D')
  expect((await cyclesOf(service.id))[0]).toMatchObject({ used_mb: null, due_at: null })
})

test('missing data cycles are created later, and data cycles are deleted after 13 months', async () => {
  const { service } = await withPlan('plan-90-5gb')
  const before = await cyclesOf(service.id)
  await world().db.deleteFrom('cycle_usage').where('service_id', '=', service.id).execute()
  await createMissingCycles(world().deps)
  await createMissingCycles(world().deps)
  expect(await cyclesOf(service.id)).toEqual(before)

  const { zone } = world().deps.market
  const now = world().deps.clock.now().toZonedDateTimeISO(zone)
  const end = (days: number) => new Date(now.subtract({ months: 13 }).add({ days }).epochMilliseconds)
  for (const [at, days] of [-1, 1].entries())
    await world()
      .db.updateTable('cycle_usage')
      .set({ starts_at: end(days - 30), ends_at: end(days) })
      .where('service_id', '=', service.id)
      .where('starts_at', '=', before[at]!.starts_at)
      .execute()
  for (const task of historyUpkeep(world().deps)) await task.run()
  expect((await cyclesOf(service.id)).map(({ ends_at }) => ends_at)).toContainEqual(end(1))
  expect((await cyclesOf(service.id)).map(({ ends_at }) => ends_at)).not.toContainEqual(end(-1))
})

test('a customer’s data export includes their data cycles, and erasing the customer deletes them', async () => {
  const { id, service } = await withPlan('plan-7-5gb')
  await addSimUsage(world(), { iccid: service.sim.iccid, type: 'data', amount: 250 })
  await world().advance('P8D')
  const { cycles } = await runCommandForJson(dataDir, ['customers', 'export', id])
  expect(cycles).toMatchObject([{ service: service.id, plan: '5 GB Prepay Plan', used_mb: 250, ran_out: null }])
  await runCommand(dataDir, ['customers', 'erase', id, '--yes'])
  expect(await cyclesOf(service.id)).toEqual([])
})
