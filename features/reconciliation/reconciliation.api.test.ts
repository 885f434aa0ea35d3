import { rmSync } from 'node:fs'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { systemActor } from '#kit/server/actor.ts'
import { exitCodes } from '#operator/command.ts'
import { refundOrder } from '#features/refunds/server/refunds.ts'
import { createDataFolder } from '#quality/support/data-folder.ts'
import { activate } from '#quality/support/activation-journey.ts'
import { aTool } from '#quality/support/operator.ts'
import { findFaultsWhenIdle } from '#quality/support/reconciliation.ts'
import { clearFailures, failGateway, failNetwork, readProviderRecords } from '#quality/support/simulators.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { useWorld } from '#quality/support/world.ts'

const dataDir = createDataFolder('fantail-reconcile-')
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))
const world = useWorld({ env: { DATA_DIR: dataDir } })
const { run } = aTool(dataDir)

const orderOf = (code: string) =>
  world().db.selectFrom('orders').selectAll().where('order_code', '=', code).executeTakeFirstOrThrow()
const findings = async () =>
  (
    await world()
      .db.selectFrom('operator_tasks')
      .select('reason')
      .where('kind', '=', 'finding')
      .orderBy('created_at')
      .execute()
  ).map(({ reason }) => reason)

async function anOrder(): Promise<{ code: string; id: string }> {
  const { orderCode } = await activate(world())
  const { id } = await orderOf(orderCode)
  await pollUntil(async () =>
    world()
      .db.selectFrom('payment_attempts')
      .select('id')
      .where('order_id', '=', id)
      .where('captured_at', 'is not', null)
      .executeTakeFirst(),
  )
  return { code: orderCode, id }
}

beforeEach(async () => {
  await world().db.deleteFrom('operator_tasks').execute()
})

test('the command “reconcile” prints a single line if all records agree', async () => {
  await anOrder()
  expect(await run('reconcile')).toMatchObject({
    exit: exitCodes.done,
    said: [
      expect.stringMatching(
        /^\d+ orders? compared: no differences\. Without --gateway-report FILE, payments that only the gateway knows are not compared/,
      ),
    ],
  })
  expect(await findings()).toEqual([])
})

test(
  'the command “reconcile” settles a refund that the gateway did not answer, without refunding the money twice',
  { tags: ['slow'] },
  async () => {
    const { code } = await anOrder()
    await failGateway(world(), { operation: 'refund', kind: 'lost_answer' })
    expect(await refundOrder(world().deps, code, systemActor, { amountCents: 400 })).toEqual({ outcome: 'unknown' })
    await run('reconcile')
    await pollUntil(async () =>
      (await run(`orders show ${code}`)).said.some((line) => line.startsWith('refund received')),
    )
    expect((await readProviderRecords(world(), code)).gateway).toMatchObject([{ refunded: 400 }])
  },
)

describe('mismatches found by the command “reconcile”', () => {
  test('the command “reconcile” reports each mismatch and creates only one task for it, however often it runs', async () => {
    const { code, id } = await anOrder()
    const operation = `${code}-plan-1`
    await world()
      .db.updateTable('network_operations')
      .set({ state: 'failed' })
      .where('external_id', '=', operation)
      .execute()
    await world()
      .db.updateTable('payment_attempts')
      .set({ capture_failed_at: new Date() })
      .where('order_id', '=', id)
      .execute()
    const found = [
      `${code} ${operation} is failed here and completed at the network`,
      `${code} is delivered, and ${code}-1 could not be captured`,
    ]
    for (let times = 0; times < 2; times++) {
      const { exit, said } = await run('reconcile')
      expect(exit).toBe(exitCodes.refused)
      expect(said.slice(0, -1)).toEqual(found)
      expect(said.at(-1)).toMatch(/compared: 2 differences, each with a task\. Without/)
    }
    expect(await findings()).toEqual(found)
    expect((await run('tasks list --kind finding')).said).toHaveLength(2)
    await world()
      .db.updateTable('network_operations')
      .set({ state: 'completed' })
      .where('external_id', '=', operation)
      .execute()
    await world()
      .db.updateTable('payment_attempts')
      .set({ capture_failed_at: null })
      .where('order_id', '=', id)
      .execute()
    expect((await run('reconcile')).exit).toBe(0)
    expect((await run('tasks list --kind finding')).said).toEqual(['No open tasks.'])
  })

  test('the command “reconcile” reports captures that the gateway never confirmed and operations unknown to the network', async () => {
    const { code, id } = await anOrder()
    const old = new Date(Date.now() - 30 * 3_600_000)
    const before = await world()
      .db.selectFrom('payment_attempts')
      .selectAll()
      .where('order_id', '=', id)
      .executeTakeFirstOrThrow()
    await world()
      .db.updateTable('payment_attempts')
      .set({ captured_at: null, created_at: old })
      .where('order_id', '=', id)
      .execute()
    const rename = (from: string, to: string) =>
      world().db.updateTable('network_operations').set({ external_id: to }).where('external_id', '=', from).execute()
    await rename(`${code}-sim-1`, `${code}-sim-9`)
    expect((await run('reconcile')).said.slice(0, -1)).toEqual([
      `${code} ${code}-1 is captured in our records, but the gateway has never confirmed it`,
      `${code} ${code}-sim-9 is completed here and absent at the network`,
    ])
    await rename(`${code}-sim-9`, `${code}-sim-1`)
    await world()
      .db.updateTable('payment_attempts')
      .set({ captured_at: before.captured_at })
      .where('order_id', '=', id)
      .execute()
    expect((await readProviderRecords(world(), code)).gateway).toMatchObject([{ captured: 2200 }])
  })

  test('the command “reconcile” reports a dispute that we were notified of but never recorded', async () => {
    await world()
      .db.insertInto('gateway_notifications')
      .values({ psp_reference: 'DREMEMBERED', event_code: 'CHARGEBACK', success: true, received_at: new Date() })
      .execute()
    expect((await run('reconcile')).said).toContain(
      'the gateway reported the dispute DREMEMBERED, which is not in our tables: check it on the gateway’s site',
    )
    await run('reconcile')
    expect(await findings()).toHaveLength(1)
    await world().db.deleteFrom('gateway_notifications').where('psp_reference', '=', 'DREMEMBERED').execute()
  })
})

test('if the network does not answer, “reconcile” reports no mismatches and exits with the code for an unknown result', async () => {
  await anOrder()
  await failNetwork(world(), { operation: 'read', kind: 'error_500', times: 1_000 })
  const { exit, said } = await run('reconcile')
  expect(exit).toBe(exitCodes.unknown)
  expect(said).toContainEqual(expect.stringMatching(/^no answer: FT\w+ FT\w+-\w+-1: /))
  expect(said.at(-1)).toMatch(/no differences; \d+ questions without an answer\. Without/)
  await clearFailures(world())
  expect(await findings()).toEqual([])
})

test('the command “reconcile --since” requires a valid day and compares the orders since that day', async () => {
  expect(await run('reconcile --since 2026-13-01')).toMatchObject({
    exit: exitCodes.refused,
    complaints: ['Write a day like 2026-12-01.'],
  })
  expect((await run('reconcile --since 2999-01-01')).said).toEqual([
    expect.stringMatching(/^0 orders compared: no differences\. Without/),
  ])
  const { said } = await run('reconcile --since 2020-01-01 --json')
  expect(said.map((line) => JSON.parse(line)).at(-1)).toEqual({ done: true })
})

test('our records match the gateway’s and the network’s after the reconciliations', async () => {
  await world().db.deleteFrom('operator_tasks').execute()
  expect(await findFaultsWhenIdle(world())).toEqual([])
})
