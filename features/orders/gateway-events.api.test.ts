import { rmSync } from 'node:fs'
import { afterAll, describe, expect, test } from 'vitest'
import { demoMerchant } from '#demo/demo-simulators.ts'
import { systemActor } from '#kit/server/actor.ts'
import { cardCallbackPath } from '#app/callbacks.ts'
import { buildNotificationBody } from '#simulators/gateway/notification.ts'
import { refundOrder } from '#features/refunds/server/refunds.ts'
import { listOrderRefunds } from '#features/refunds/server/refunds.store.ts'
import { findSavedCard } from '#features/payment-method/server/saved-cards.store.ts'
import { createDataFolder } from '#quality/support/data-folder.ts'
import { activate } from '#quality/support/activation-journey.ts'
import { makeCustomer } from '#quality/support/customer.ts'
import { aTool } from '#quality/support/operator.ts'
import {
  readProviderRecords,
  sendRefundReturn,
  sendNotification,
  setGatewayAccount,
  sendDispute,
  sendGatewayItems,
} from '#quality/support/simulators.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { useWorld } from '#quality/support/world.ts'

const dataDir = createDataFolder('fantail-gateway-')
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))
const world = useWorld({ env: { DATA_DIR: dataDir } })
const { run } = aTool(dataDir)

const orderOf = async (code: string) =>
  world().db.selectFrom('orders').selectAll().where('order_code', '=', code).executeTakeFirstOrThrow()
const tasksOf = async (code: string) =>
  (
    await world()
      .db.selectFrom('operator_tasks')
      .select('reason')
      .where('order_id', '=', (await orderOf(code)).id)
      .where('done_at', 'is', null)
      .orderBy('created_at')
      .execute()
  ).map(({ reason }) => reason)
const tasksAbout = async (subject: string) =>
  (
    await world()
      .db.selectFrom('operator_tasks')
      .select('reason')
      .where('subject', '=', subject)
      .orderBy('created_at')
      .execute()
  ).map(({ reason }) => reason)
const toldOf = async (code: string) =>
  (
    await world()
      .db.selectFrom('order_events')
      .select('name')
      .where('order_id', '=', (await orderOf(code)).id)
      .where('kind', '=', 'notification')
      .orderBy('id')
      .execute()
  ).map(({ name }) => name)

async function anOrder(): Promise<string> {
  const { orderCode } = await activate(world())
  await pollUntil(async () => (await toldOf(orderCode)).includes('CAPTURE'))
  return orderCode
}
const hasCome = (code: string, event: string, times = 1) =>
  pollUntil(async () => (await toldOf(code)).filter((name) => name === event).length >= times)

test('a fraud warning creates one task, and appears in the history of the order and of the customer', async () => {
  const code = await anOrder()
  const { user_id: userId } = await orderOf(code)
  for (let times = 0; times < 2; times++)
    await sendDispute(world(), { reference: `${code}-1`, event: 'NOTIFICATION_OF_FRAUD', reason: 'Stolen card' })
  await sendDispute(world(), { reference: `${code}-1`, event: 'NOTIFICATION_OF_FRAUD', dispute: `F${code}` })
  await hasCome(code, 'NOTIFICATION_OF_FRAUD', 2)
  expect(await tasksOf(code)).toEqual([
    `the bank calls the payment ${code}-1 of $22.00 NZD fraudulent (customer ${userId}): ` +
      'refund it before it is charged back, or block its customer',
  ])
  expect((await run(`orders show ${code}`)).said.join('\n')).toMatch(
    /NOTIFICATION_OF_FRAUD {2}success {2}the bank reports fraud {2}DISPUTE\w+ {2}2200 cents NZD: Stolen card/,
  )
  expect((await run(`customers show ${userId}`)).said.join('\n')).toMatch(
    new RegExp(`gateway {2}NOTIFICATION_OF_FRAUD {2}the bank reports fraud {2}${code} success 2200 cents NZD`),
  )
})

describe('gateway events that we did not request', () => {
  test('gateway events that we did not request are recorded, and each one that may affect money creates a task', async () => {
    const code = await anOrder()
    const events = [
      'ORDER_CLOSED',
      'CANCEL_OR_REFUND',
      'AUTHORISATION_ADJUSTMENT',
      'MANUAL_REVIEW_REJECT',
      'NEVER_HEARD',
    ]
    const items = events.map((event) => ({
      event,
      reference: `${code}-1`,
      value: 2200,
      psp_reference: `${event}${code}`,
    }))
    await sendGatewayItems(world(), [...items, ...items])
    await hasCome(code, 'NEVER_HEARD')
    expect((await toldOf(code)).slice(2)).toEqual(events)
    expect(await tasksOf(code)).toEqual([
      `the payment ${code}-1 of $22.00 NZD was cancelled or refunded at the gateway, and not by this portal`,
      `the payment ${code}-1 of $22.00 NZD had its reserved amount changed at the gateway, and not by this portal`,
      `the payment ${code}-1 of $22.00 NZD was rejected by a review at the gateway, which refunds it`,
      `the gateway reported NEVER_HEARD of $22.00 NZD for ${code}-1: an unknown event, so check the payment on the gateway’s site`,
    ])
  })

  test('a payment that is not in our records gets its own tasks if its reference has our format; all others share one task', async () => {
    await sendGatewayItems(world(), [
      { event: 'REPORT_AVAILABLE', psp_reference: 'settlement.csv' },
      { event: 'CHARGEBACK', reference: 'FT00000000AA-1', value: 2200, psp_reference: 'D1' },
      { event: 'CHARGEBACK', reference: 'FT00000000AA-1', value: 2200, psp_reference: 'D1' },
      { event: 'AUTHORISATION', reference: 'FT00000000AA-1', value: 2200, psp_reference: 'A0' },
      { event: 'AUTHORISATION', reference: 'FT00000000AB-1', value: 2200, psp_reference: 'A1' },
      { event: 'CAPTURE', reference: 'FT00000000AB-1', value: 2200, psp_reference: 'C1' },
      { event: 'CANCELLATION', reference: 'FT00000000AB-1', psp_reference: 'X1' },
      { event: 'REFUND', reference: 'FT00000000AB-1-r1', value: 200, psp_reference: 'R1' },
      { event: 'CAPTURE', reference: 'shop-17', value: 100 },
      { event: 'CAPTURE', reference: 'shop-18', value: 200 },
    ])
    expect(
      await pollUntil(async () => (await tasksAbout('card gateway')).length > 0 && tasksAbout('card gateway')),
    ).toEqual([
      'the gateway reports CAPTURE for payments that we did not make: does something else use our merchant account?',
    ])
    expect(await tasksAbout('FT00000000AA-1')).toEqual([
      'the gateway reports a dispute of the payment FT00000000AA-1, which is not in our tables: check it on the gateway’s site',
      'the gateway reports the payment FT00000000AA-1, which is not in our tables: check it on the gateway’s site',
    ])
    expect(await tasksAbout('FT00000000AB-1')).toEqual([
      'the gateway reports the payment FT00000000AB-1, which is not in our tables: check it on the gateway’s site',
    ])
    expect(
      await world().db.selectFrom('gateway_notifications').selectAll().where('psp_reference', '=', 'D1').execute(),
    ).toEqual([])
  })
})

describe('a webhook shared by several of the company’s merchant accounts', () => {
  const other = 'AnotherMerchant'

  test('accepts but does not store webhook items for other merchant accounts, and records our items from the same webhook', async () => {
    const code = await anOrder()
    await sendGatewayItems(world(), [
      { event: 'CHARGEBACK', merchant_account: other, reference: `${code}-1`, value: 2200, psp_reference: `X${code}` },
      { event: 'NOTIFICATION_OF_CHARGEBACK', reference: `${code}-1`, value: 2200, psp_reference: `Y${code}` },
      { event: 'CAPTURE', merchant_account: other, reference: 'FT00000000AC-1', value: 2200 },
    ])
    await hasCome(code, 'NOTIFICATION_OF_CHARGEBACK')
    expect((await toldOf(code)).slice(2)).toEqual(['NOTIFICATION_OF_CHARGEBACK'])
    expect(await tasksAbout('FT00000000AC-1')).toEqual([])
    expect(
      await sendNotification(world(), {
        eventCode: 'CHARGEBACK',
        merchantReference: `${code}-1`,
        merchantAccountCode: other,
        amount: { value: 2200, currency: 'NZD' },
      }),
    ).toEqual({ status: 200, body: '[accepted]' })
  })

  test('rejects the whole webhook if any item is forged, no matter which merchant account that item names', async () => {
    const code = await anOrder()
    const { merchantAccount, hmacKey } = demoMerchant(world().deps.secrets)
    const item = {
      eventCode: 'CHARGEBACK',
      success: 'true' as const,
      pspReference: `Z${code}`,
      originalReference: '',
      merchantReference: `${code}-1`,
      merchantAccountCode: '',
      amount: { value: 2200, currency: 'NZD' },
      eventDate: new Date().toISOString(),
      reason: '',
      additionalData: {},
    }
    const ours = { ...item, merchantAccountCode: merchantAccount }
    const theirs = { ...item, merchantAccountCode: other }
    const itemsOf = (of: typeof item, key: string) => buildNotificationBody(of, key).notificationItems
    const forger = '00'.repeat(32)
    for (const items of [
      [...itemsOf(ours, hmacKey), ...itemsOf(ours, forger)],
      [...itemsOf(ours, hmacKey), ...itemsOf(theirs, forger)],
      [...itemsOf(theirs, hmacKey), ...itemsOf(ours, forger)],
      [...itemsOf(ours, hmacKey), { NotificationRequestItem: theirs }],
    ]) {
      const answer = await fetch(`${world().url}${cardCallbackPath}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ live: 'false', notificationItems: items }),
      })
      expect(answer.status).toBe(401)
    }
    expect(await toldOf(code)).toEqual(['AUTHORISATION', 'CAPTURE'])
    expect(await tasksOf(code)).toEqual([])
  })
})

test('a refund that fails after several days can be made again, and later events about the first refund change nothing', async () => {
  const code = await anOrder()
  const { id } = await orderOf(code)
  const give = (amountCents?: number) => refundOrder(world().deps, code, systemActor, { amountCents })
  expect(await give(1500)).toMatchObject({ outcome: 'received' })
  await hasCome(code, 'REFUND')
  const later = new Date(Date.now() - 5 * 86_400_000)
  await world().db.updateTable('refunds').set({ created_at: later }).where('order_id', '=', id).execute()

  await sendRefundReturn(world(), { reference: `${code}-1`, event: 'REFUND_FAILED', reason: 'Account closed' })
  await hasCome(code, 'REFUND_FAILED')
  expect(await listOrderRefunds(world().db, id)).toMatchObject([{ state: 'returned' }])
  expect(await tasksOf(code)).toEqual([
    `the refund ${code}-1-refund of $15.00 did not reach the customer, who is still owed it`,
  ])
  expect((await readProviderRecords(world(), code)).gateway).toMatchObject([{ refunded: 0 }])

  expect(await give()).toMatchObject({ outcome: 'received' })
  expect(await tasksOf(code)).toEqual([])
  await hasCome(code, 'REFUND', 2)
  await sendGatewayItems(world(), [
    {
      event: 'REFUNDED_REVERSED',
      reference: `${code}-1`,
      value: 1500,
      psp_reference: await firstRefund(code),
    },
  ])
  await hasCome(code, 'REFUNDED_REVERSED')
  expect(await listOrderRefunds(world().db, id)).toMatchObject([{ state: 'received', attempt: 2 }])
  expect(await tasksOf(code)).toEqual([])
  expect((await readProviderRecords(world(), code)).gateway).toMatchObject([{ captured: 2200, refunded: 1500 }])
  const notes = await world()
    .db.selectFrom('invoices')
    .select('id')
    .where('order_id', '=', id)
    .where('document_type', '=', 'credit')
    .execute()
  expect(notes).toHaveLength(1)
  expect((await run(`orders show ${code}`)).said.join('\n')).toMatch(
    /REFUND_FAILED {2}success {2}the refund did not reach the customer/,
  )
})

const firstRefund = async (code: string): Promise<string> => {
  const { subject } = await world()
    .db.selectFrom('order_events')
    .select('subject')
    .where('order_id', '=', (await orderOf(code)).id)
    .where('name', '=', 'REFUND')
    .orderBy('id')
    .limit(1)
    .executeTakeFirstOrThrow()
  return subject ?? ''
}

describe('missing gateway account settings', () => {
  const settings = async () => (await tasksAbout('card gateway')).filter((reason) => reason.includes('docs/adyen.md'))

  test('one task is created for each gateway account setting that hides data we need', async () => {
    expect(await settings()).toEqual([])
    await setGatewayAccount(world(), {
      hidden: ['cardSummary', 'expiryDate', 'paymentMethod', 'recurring.recurringDetailReference'],
    })
    for (let orders = 0; orders < 2; orders++) await makeCustomer(world(), { card: true })
    expect((await settings()).map((reason) => /return ([\w.]+):/.exec(reason)?.[1]).sort()).toEqual([
      'cardSummary',
      'expiryDate',
      'paymentMethod',
      'recurring.recurringDetailReference',
    ])
  })

  test('a card is saved even if the gateway reports stored cards only by webhook', async () => {
    await setGatewayAccount(world(), { hidden: ['recurring.recurringDetailReference'], tells_of_contracts: true })
    const { id } = await makeCustomer(world(), { card: true })
    const card = await pollUntil(async () => (await findSavedCard(world().db, id)) ?? false)
    expect(card).toMatchObject({ last_four: '1111', card_type: 'visa' })
    const [attempt] = await world()
      .db.selectFrom('payment_attempts')
      .innerJoin('orders', 'orders.id', 'payment_attempts.order_id')
      .select(['card'])
      .where('orders.user_id', '=', id)
      .execute()
    expect(attempt?.card?.storedId).toBe(card.stored_id)
    await setGatewayAccount(world(), { hidden: [], tells_of_contracts: false })
  })
})

test('a report of a returned refund with the wrong amount creates only one task, even if it is repeated', async () => {
  const code = await anOrder()
  expect(await refundOrder(world().deps, code, systemActor)).toMatchObject({ outcome: 'received' })
  await hasCome(code, 'REFUND')
  const [refund] = await listOrderRefunds(world().db, (await orderOf(code)).id)
  const item = {
    event: 'REFUNDED_REVERSED',
    reference: `${code}-1`,
    value: 1100,
    psp_reference: refund?.psp_reference ?? '',
  }
  await sendGatewayItems(world(), [item, item])
  await hasCome(code, 'REFUNDED_REVERSED')
  expect(await tasksOf(code)).toEqual([
    `the gateway reported REFUNDED_REVERSED of 1100 cents NZD for ${code}-1, but we made no such refund`,
  ])
})
