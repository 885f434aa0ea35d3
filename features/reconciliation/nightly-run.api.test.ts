/* @module-tag slow */
import { expect, test } from 'vitest'
import { activate } from '#quality/support/activation-journey.ts'
import { failNetwork } from '#quality/support/simulators.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { useWorld } from '#quality/support/world.ts'
import { beginNightlyRun, continueNightlyRun, getNightlyRunName } from './server/nightly-run.ts'

const world = useWorld({ thresholds: { nightLookMs: 100, nightPauseMs: 50, nightOrders: 1 } })

const nights = () => world().db.selectFrom('nightly_reconciliations').selectAll().orderBy('night').execute()
const lastNight = async () => (await nights()).at(-1)
const tonight = () => getNightlyRunName(world().deps.clock.now(), world().deps.market)
const allDone = () => pollUntil(async () => (await lastNight())?.night === tonight() && (await lastNight())?.done_at)
const findings = async () =>
  (
    await world()
      .db.selectFrom('operator_tasks')
      .select('reason')
      .where('kind', '=', 'finding')
      .where('done_at', 'is', null)
      .execute()
  ).map(({ reason }) => reason)
const setOperation = (code: string, state: 'failed' | 'completed') =>
  world().db.updateTable('network_operations').set({ state }).where('external_id', '=', `${code}-plan-1`).execute()

test('the first nightly reconciliation runs in the coming night, and each run compares the orders placed since the last one', async () => {
  await allDone()
  expect(await nights()).toMatchObject([{ night: tonight(), checked: 0 }])
  const codes = [(await activate(world())).orderCode, (await activate(world())).orderCode]
  const [code = ''] = codes
  await setOperation(code, 'failed')
  await world().advance('P1D')
  await allDone()
  expect(await nights()).toHaveLength(2)
  expect(await lastNight()).toMatchObject({ checked: 2, findings: 1, silent: 0 })
  expect(await findings()).toEqual([`${code} ${code}-plan-1 is failed here and completed at the network`])

  await setOperation(code, 'completed')
  await world().advance('P6D')
  await allDone()
  expect(await nights()).toHaveLength(3)
  expect(await lastNight()).toMatchObject({ findings: 0 })
  expect(await findings()).toEqual([])
  await world().advance('P1D')
  await allDone()
  expect(await lastNight()).toMatchObject({ checked: 0, findings: 0 })
})

test('the nightly reconciliation counts requests that a provider did not answer, but does not report them as mismatches', async () => {
  const { orderCode } = await activate(world())
  await failNetwork(world(), { operation: 'read', kind: 'error_500', times: 2 })
  await world().advance('P1D')
  await allDone()
  expect(await lastNight()).toMatchObject({ findings: 0, silent: 2 })
  expect((await findings()).filter((reason) => reason.startsWith(orderCode))).toEqual([])
})

test('a nightly reconciliation whose process dies continues where it left off', async () => {
  await activate(world())
  await allDone()
  const before = await lastNight()
  await world()
    .db.updateTable('nightly_reconciliations')
    .set({ done_at: null, checked: 7, retry_at: new Date(0) })
    .where('night', '=', before?.night ?? '')
    .execute()
  await allDone()
  const after = await lastNight()
  expect((after?.checked ?? 0) - 7).toBeLessThanOrEqual(1)
  expect(after?.after_at?.getTime()).toBeGreaterThanOrEqual(before?.after_at?.getTime() ?? 0)
})

test('a nightly reconciliation logs its result as a single line', async () => {
  const lines: unknown[] = []
  const deps = {
    ...world().deps,
    log: { ...world().deps.log, info: (...line: unknown[]) => lines.push(line) } as never,
  }
  await world()
    .db.insertInto('nightly_reconciliations')
    .values({
      night: '2020-01-01',
      since: world().deps.clock.now().add({ hours: 1 }).toString() as never,
      begun_at: new Date(),
      after_at: null,
      after_id: null,
      checked: 0,
      findings: 0,
      silent: 0,
      done_at: null,
      retry_at: new Date(Date.now() + 3_600_000),
      tries: 0,
    })
    .execute()
  await continueNightlyRun(deps, '2020-01-01')
  expect(lines).toEqual([
    [
      expect.objectContaining({ night: '2020-01-01', orders: 0, findings: 0, silent: 0 }),
      'the orders were compared with the providers’ records',
    ],
  ])
})

test('only one nightly reconciliation runs each night, even with several processes', async () => {
  await activate(world())
  await allDone()
  await world().deps.clock.now()
  const ahead = {
    ...world().deps,
    clock: { ...world().deps.clock, now: () => world().deps.clock.now().add({ hours: 24 }) },
  }
  await Promise.all(Array.from({ length: 8 }, () => beginNightlyRun(ahead)))
  await pollUntil(async () => (await lastNight())?.done_at)
  const ours = (await nights()).filter(
    ({ night }) => night === getNightlyRunName(ahead.clock.now(), world().deps.market),
  )
  expect(ours).toHaveLength(1)
  expect(ours[0]?.checked).toBeLessThanOrEqual(3)
})
