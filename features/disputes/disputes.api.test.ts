import { rmSync } from 'node:fs'
import { afterAll, describe, expect, test } from 'vitest'
import { systemActor } from '#kit/server/actor.ts'
import { createDataFolder } from '#quality/support/data-folder.ts'
import { activate, advanceWizardTo } from '#quality/support/activation-journey.ts'
import { aTool } from '#quality/support/operator.ts'
import { findFaultsWhenIdle } from '#quality/support/reconciliation.ts'
import {
  failGateway,
  readProviderRecords,
  sendNotification,
  setWebhookMode,
  sendDispute,
} from '#quality/support/simulators.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { useWorld } from '#quality/support/world.ts'
import { listOpenTasksOfOrder } from '#features/operator-tasks/server/operator-tasks.store.ts'
import { refundOrder } from '#features/refunds/server/refunds.ts'
import { listOrderDisputes } from './server/disputes.store.ts'

const dataDir = createDataFolder('fantail-disputes-')
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))
const world = useWorld({ env: { DATA_DIR: dataDir } })
const { run } = aTool(dataDir)

const idOf = async (code: string) =>
  (await world().db.selectFrom('orders').select('id').where('order_code', '=', code).executeTakeFirstOrThrow()).id
const disputeOf = async (code: string) => (await listOrderDisputes(world().db, await idOf(code))).at(0)
const tasksOf = async (code: string) =>
  world()
    .db.selectFrom('operator_tasks')
    .select(['reason', 'kind', 'due_at'])
    .where('order_id', '=', await idOf(code))
    .orderBy('created_at')
    .execute()

const tell = (
  orderCode: string,
  eventCode: string,
  {
    value = 2200,
    psp = `D${orderCode}`,
    due,
    ...more
  }: { value?: number; psp?: string; due?: string; success?: 'false' } = {},
) =>
  sendNotification(world(), {
    eventCode,
    merchantReference: `${orderCode}-1`,
    pspReference: psp,
    amount: { value, currency: 'NZD' },
    reason: 'Goods not received',
    ...more,
    ...(due && { additionalData: { defensePeriodEndsAt: due } }),
  })

const anOrder = async () => (await activate(world())).orderCode
const due = '2026-12-18T10:15:30+01:00'

describe('recording chargebacks', () => {
  test('a chargeback creates one task and one dispute with amount, reason and deadline, even if its webhook arrives twice', async () => {
    const code = await anOrder()
    for (let times = 0; times < 2; times++)
      expect(await tell(code, 'NOTIFICATION_OF_CHARGEBACK', { due })).toEqual({ status: 200, body: '[accepted]' })
    expect(await disputeOf(code)).toMatchObject({
      state: 'announced',
      amount_cents: 2200,
      currency: 'NZD',
      reason: 'Goods not received',
      due_at: new Date(due),
    })
    for (let times = 0; times < 2; times++) await tell(code, 'CHARGEBACK')
    expect(await disputeOf(code)).toMatchObject({ state: 'charged_back', due_at: new Date(due) })
    expect(await tasksOf(code)).toEqual([
      {
        kind: 'dispute',
        reason: `the bank disputes $22.00 NZD of ${code}-1 (D${code}): accept or contest it`,
        due_at: new Date(due),
      },
    ])
    expect((await run('disputes list')).said).toContainEqual(
      expect.stringMatching(
        new RegExp(`^${code}  charged_back  \\$22\\.00 NZD  \\S+Z  due 2026-12-18T09:15:30.000Z  D${code}  Goods not`),
      ),
    )
    expect((await run(`orders show ${code}`)).said).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^dispute charged_back {2}\$22\.00/),
        expect.stringMatching(/^\S+Z {2}NOTIFICATION_OF_CHARGEBACK {2}success/),
        expect.stringMatching(/^\S+Z {2}CHARGEBACK {2}success/),
      ]),
    )
  })

  test('a dispute’s task is due in a week if the gateway gives no deadline', async () => {
    const code = await anOrder()
    await tell(code, 'CHARGEBACK')
    const [task] = await tasksOf(code)
    expect(Math.round(((task?.due_at?.getTime() ?? 0) - Date.now()) / 86_400_000)).toBe(7)
    expect((await disputeOf(code))?.due_at).toBeNull()
  })

  test('a chargeback is recorded even if it arrives before the capture’s result', { tags: ['slow'] }, async () => {
    await failGateway(world(), { operation: 'capture', kind: 'error_500', times: 2 })
    const traveller = await advanceWizardTo(world(), 'PAYMENT')
    const { body } = await traveller.pay()
    const state = async () =>
      (
        await world()
          .db.selectFrom('orders')
          .select('state')
          .where('order_code', '=', body.order_code)
          .executeTakeFirstOrThrow()
      ).state
    await tell(body.order_code, 'CHARGEBACK')
    expect(await disputeOf(body.order_code)).toMatchObject({ state: 'charged_back' })
    await traveller.arriveAt('SUCCESSFUL')
    await pollUntil(async () => (await state()) === 'completed')
    expect(await refundOrder(world().deps, body.order_code, systemActor)).toMatchObject({ outcome: 'impossible' })
  })

  test.each([
    [['CHARGEBACK_REVERSED', 'CHARGEBACK', 'NOTIFICATION_OF_CHARGEBACK'], 'reversed'],
    [['CHARGEBACK', 'SECOND_CHARGEBACK', 'CHARGEBACK_REVERSED'], 'lost'],
    [['REQUEST_FOR_INFORMATION', 'CHARGEBACK', 'CHARGEBACK_REVERSED', 'PREARBITRATION_LOST'], 'lost'],
    [['NOTIFICATION_OF_CHARGEBACK', 'INFORMATION_SUPPLIED', 'CHARGEBACK_REVERSED'], 'reversed'],
    [['CHARGEBACK', 'CHARGEBACK_REVERSED', 'PREARBITRATION_OPEN', 'CHARGEBACK'], 'prearbitration'],
    [['PREARBITRATION_OPEN', 'CHARGEBACK_REVERSED', 'SCHEME_ARBITRATION_LOST'], 'lost'],
    [['CHARGEBACK', 'SECOND_CHARGEBACK', 'PREARBITRATION_WON'], 'won'],
    [['NOTIFICATION_OF_CHARGEBACK', 'CHARGEBACK', 'ISSUER_RESPONSE_TIMEFRAME_EXPIRED'], 'won'],
    [['NOTIFICATION_OF_CHARGEBACK', 'DISPUTE_DEFENSE_PERIOD_ENDED', 'CHARGEBACK'], 'lost'],
    [['REQUEST_FOR_INFORMATION', 'DISPUTE_DEFENSE_PERIOD_ENDED'], 'announced'],
  ])('after the webhooks %j, a dispute is in state %s', { tags: ['slow'] }, async (events, state) => {
    const code = await anOrder()
    for (const event of events) await tell(code, event)
    expect(await disputeOf(code)).toMatchObject({ state })
    expect(await listOrderDisputes(world().db, await idOf(code))).toHaveLength(1)
    const isTold = (await tasksOf(code)).some(
      ({ reason }) => reason === `the dispute D${code} is lost: $22.00 NZD of ${code}-1`,
    )
    // Staff are told about a loss even if a later arbitration returned the money.
    expect(isTold).toBe(state === 'lost' || events.includes('SECOND_CHARGEBACK'))
  })

  test('when a dispute goes to arbitration, its only open task is about the arbitration', async () => {
    const code = await anOrder()
    await tell(code, 'CHARGEBACK')
    await tell(code, 'PREARBITRATION_OPEN')
    const open = await listOpenTasksOfOrder(world().db, await idOf(code))
    expect(open.map(({ reason }) => reason)).toEqual([
      `the bank takes the dispute of $22.00 NZD of ${code}-1 (D${code}) to arbitration: accept or contest it`,
    ])
  })

  test.each([
    [{ value: 0 }, 0],
    [{ value: -5 }, -5],
  ])('a chargeback with amount %j creates a task instead of a dispute', async (changes, value) => {
    const code = await anOrder()
    await tell(code, 'CHARGEBACK', changes)
    expect(await disputeOf(code)).toBeUndefined()
    expect((await tasksOf(code)).map(({ reason }) => reason)).toEqual([
      `the gateway reported CHARGEBACK of ${value} cents NZD for ${code}-1`,
    ])
  })

  test('a chargeback webhook that is marked as unsuccessful or is for an unknown order changes nothing', async () => {
    const code = await anOrder()
    await tell(code, 'CHARGEBACK', { success: 'false' })
    expect(await disputeOf(code)).toBeUndefined()
    expect((await tell('FT0000000000', 'CHARGEBACK')).status).toBe(200)
  })
})

describe('later webhooks about a dispute', () => {
  const openTasks = async (code: string) =>
    (
      await world()
        .db.selectFrom('operator_tasks')
        .select('reason')
        .where('order_id', '=', await idOf(code))
        .where('done_at', 'is', null)
        .execute()
    ).map(({ reason }) => reason)

  test('a later webhook updates a dispute’s amount and task, but an outdated webhook does not', async () => {
    const code = await anOrder()
    await tell(code, 'NOTIFICATION_OF_CHARGEBACK', { value: 1000 })
    await tell(code, 'CHARGEBACK', { value: 1500 })
    expect(await disputeOf(code)).toMatchObject({ state: 'charged_back', amount_cents: 1500 })
    await tell(code, 'REQUEST_FOR_INFORMATION', { value: 200 })
    expect(await disputeOf(code)).toMatchObject({ state: 'charged_back', amount_cents: 1500 })
    expect(await openTasks(code)).toEqual([
      `the bank disputes $15.00 NZD of ${code}-1 (D${code}): accept or contest it`,
    ])
    await tell(code, 'CHARGEBACK_REVERSED', { value: 1500 })
    expect(await openTasks(code)).toEqual([])
  })

  test('a partial reversal creates a task and leaves the dispute’s state unchanged', async () => {
    const code = await anOrder()
    await tell(code, 'CHARGEBACK')
    await tell(code, 'CHARGEBACK_REVERSED', { value: 700 })
    expect(await disputeOf(code)).toMatchObject({ state: 'charged_back', amount_cents: 2200 })
    expect((await openTasks(code)).at(-1)).toContain('CHARGEBACK_REVERSED of $7.00 NZD')
  })

  test(
    'webhooks about a dispute are recorded even if they arrive before the capture, twice or out of order',
    { tags: ['slow'] },
    async () => {
      await setWebhookMode(world(), { mode: 'hold' })
      const traveller = await advanceWizardTo(world(), 'PAYMENT')
      await failGateway(world(), { operation: 'capture', kind: 'error_500', times: 2 })
      const { body } = await traveller.pay()
      const reference = `${body.order_code}-1`
      for (const event of ['CHARGEBACK', 'NOTIFICATION_OF_CHARGEBACK', 'CHARGEBACK']) {
        await sendDispute(world(), { reference, event, due })
      }
      await setWebhookMode(world(), { mode: 'reorder', release: true })
      await pollUntil(async () => (await disputeOf(body.order_code))?.state === 'charged_back')
      await setWebhookMode(world(), { mode: 'normal' })
      await traveller.arriveAt('SUCCESSFUL')
      expect(await listOrderDisputes(world().db, await idOf(body.order_code))).toHaveLength(1)
      expect(await openTasks(body.order_code)).toHaveLength(1)
    },
  )

  test('staff can close an open dispute, and a later chargeback reopens it', { tags: ['slow'] }, async () => {
    const code = await anOrder()
    const { user_id: userId } = await world()
      .db.selectFrom('orders')
      .select('user_id')
      .where('order_code', '=', code)
      .executeTakeFirstOrThrow()
    await tell(code, 'REQUEST_FOR_INFORMATION')
    expect(await refundOrder(world().deps, code, systemActor)).toMatchObject({ outcome: 'impossible' })
    const close = (outcome: string) => run(`disputes close D${code} --outcome ${outcome} --note expired`)
    expect(await close('drawn')).toMatchObject({ exit: 1, complaints: [expect.stringContaining('won, lost, nothing')] })
    expect((await run('disputes close D0 --outcome won')).complaints).toEqual([
      'There is no dispute with this reference.',
    ])
    expect((await close('nothing')).said).toEqual([`Closed as nothing: $22.00 NZD of ${code} can be refunded again.`])
    expect((await close('won')).complaints).toEqual(['This dispute was already closed as nothing.'])
    expect(await openTasks(code)).toEqual([])
    expect((await run('disputes list')).said.join('\n')).not.toContain(code)
    expect((await run('disputes list --all')).said.join('\n')).toContain(`${code}  closed as nothing`)
    const shown = (await run(`orders show ${code}`)).said.join('\n')
    expect(shown).toMatch(/dispute announced .* closed as nothing by \S+ {2}expired/)
    expect(shown).toMatch(/close dispute: announced → nothing {2}D\w+ {2}expired/)
    const history = (await run(`customers show ${userId}`)).said.join('\n')
    expect(history).toMatch(new RegExp(`dispute {2}closed as nothing {2}${code} {2}\\$22.00`))
    expect(history).toMatch(/gateway {2}REQUEST_FOR_INFORMATION {2}the bank asks for information/)
    expect((await run(`customers erase ${userId}`, { says: false })).complaints.join()).not.toContain('dispute')
    expect(await refundOrder(world().deps, code, systemActor, { amountCents: 200 })).toMatchObject({
      outcome: 'received',
    })

    await tell(code, 'CHARGEBACK', { value: 1000 })
    expect(await disputeOf(code)).toMatchObject({ state: 'charged_back', outcome: null, closed_by: null })
    expect((await openTasks(code)).at(-1)).toBe(
      `the bank continues the dispute of $10.00 NZD of ${code}-1 (D${code}), which was closed as nothing: CHARGEBACK`,
    )
    expect((await close('nothing')).complaints).toEqual([
      'The bank took this money back, so the dispute can only be closed as won or lost.',
    ])
    expect((await close('lost')).said).toEqual([
      `Closed as lost: $10.00 NZD of ${code} stays with the bank and cannot be refunded as well.`,
    ])
    expect(await refundOrder(world().deps, code, systemActor)).toMatchObject({ outcome: 'received' })
    expect((await readProviderRecords(world(), code)).gateway).toMatchObject([{ refunded: 1200 }])
  })
})

describe('refunds of a disputed payment', () => {
  test('disputed money cannot be refunded, but the rest can; after a reversal everything can be refunded', async () => {
    const code = await anOrder()
    await tell(code, 'CHARGEBACK', { value: 1500 })
    expect(await refundOrder(world().deps, code, systemActor, { amountCents: 701 })).toEqual({
      outcome: 'impossible',
      why: 'At most $7.00 of this order can still be refunded.',
    })
    expect(await refundOrder(world().deps, code, systemActor)).toMatchObject({ outcome: 'received' })
    expect((await readProviderRecords(world(), code)).gateway).toMatchObject([{ refunded: 700 }])
    expect(await refundOrder(world().deps, code, systemActor)).toEqual({
      outcome: 'impossible',
      why: '$15.00 of this order is disputed and nothing else is left to refund. The bank takes the disputed money back itself.',
    })
    await tell(code, 'CHARGEBACK_REVERSED', { value: 1500 })
    expect(await refundOrder(world().deps, code, systemActor)).toMatchObject({ outcome: 'received' })
    expect((await readProviderRecords(world(), code)).gateway).toMatchObject([{ refunded: 2200 }])
  })

  test('simultaneous disputes and refunds never add up to more than the captured amount', async () => {
    const code = await anOrder()
    await Promise.all([
      ...Array.from({ length: 6 }, () => refundOrder(world().deps, code, systemActor, { amountCents: 500 })),
      tell(code, 'CHARGEBACK', { value: 1200 }),
      ...Array.from({ length: 6 }, () => refundOrder(world().deps, code, systemActor, { amountCents: 500 })),
    ])
    for (let times = 0; times < 5; times++) await refundOrder(world().deps, code, systemActor, { amountCents: 500 })
    const { refunded = 0 } = (await readProviderRecords(world(), code)).gateway[0] ?? {}
    expect(refunded).toBeGreaterThan(0)
    expect(refunded + 1200).toBeLessThanOrEqual(2200)
  })
})

test('the “disputes list” command shows finished disputes only with --all', async () => {
  const code = await anOrder()
  await tell(code, 'CHARGEBACK')
  await tell(code, 'CHARGEBACK_REVERSED')
  expect((await run('disputes list')).said.join('\n')).not.toContain(code)
  expect((await run('disputes list --all')).said.join('\n')).toContain(`${code}  reversed`)
})

test('our records match the gateway’s records after disputes and refunds', async () => {
  await world().db.deleteFrom('operator_tasks').execute()
  expect(await findFaultsWhenIdle(world())).toEqual([])
})

test('a chargeback for an impossibly large amount creates a task, and its webhook is still accepted', async () => {
  const code = await anOrder()
  for (const value of [9_000_000_000, 2_147_483_648])
    expect(await tell(code, 'CHARGEBACK', { value })).toEqual({ status: 200, body: '[accepted]' })
  expect(await disputeOf(code)).toBeUndefined()
  expect((await tasksOf(code)).map(({ reason }) => reason)).toEqual([
    `the gateway reported CHARGEBACK of 9000000000 cents NZD for ${code}-1`,
    `the gateway reported CHARGEBACK of 2147483648 cents NZD for ${code}-1`,
  ])
  await tell(code, 'CHARGEBACK')
  expect(await disputeOf(code)).toMatchObject({ state: 'charged_back', amount_cents: 2200 })
})

test('if the gateway reports a won dispute as lost, the dispute stays won and a task is created', async () => {
  const code = await anOrder()
  for (const event of ['CHARGEBACK', 'CHARGEBACK_REVERSED', 'ISSUER_RESPONSE_TIMEFRAME_EXPIRED'])
    await tell(code, event)
  for (let times = 0; times < 2; times++) await tell(code, 'SECOND_CHARGEBACK')
  expect(await disputeOf(code)).toMatchObject({ state: 'won' })
  expect((await tasksOf(code)).map(({ reason }) => reason).filter((reason) => /SECOND/.test(reason))).toEqual([
    `the gateway reported SECOND_CHARGEBACK of $22.00 NZD for ${code}-1 (D${code}), which is won here: check it on the gateway’s site`,
  ])
})
