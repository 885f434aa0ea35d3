import { rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getNextState } from '#kit/contract/transitions.ts'
import { exitCodes } from '#operator/command.ts'
import { makeSubscriber } from '#quality/support/customer.ts'
import { createDataFolder } from '#quality/support/data-folder.ts'
import { activate, advanceWizardTo } from '#quality/support/activation-journey.ts'
import { aTool } from '#quality/support/operator.ts'
import { buyAddOn, renew } from '#quality/support/purchases.ts'
import { findFaultsWhenIdle } from '#quality/support/reconciliation.ts'
import {
  clearFailures,
  failGateway,
  failNetwork,
  readProviderRecords,
  readNetworkActions,
} from '#quality/support/simulators.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { useWorld } from '#quality/support/world.ts'
import { isEndState, orderStates, orderTransitions } from './orders.states.ts'
import { findReasonNotToCancel, findReasonNotToRetry } from './server/order-actions.ts'
import type { Order } from './server/orders.store.ts'

const dataDir = createDataFolder('fantail-order-acts-')
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))
const world = useWorld({ env: { DATA_DIR: dataDir } })
const { run } = aTool(dataDir)

const orderOf = (code: string) =>
  world().db.selectFrom('orders').selectAll().where('order_code', '=', code).executeTakeFirstOrThrow()
const reaches = (code: string, ...states: string[]) =>
  pollUntil(async () => states.includes((await orderOf(code)).state), { withinMs: 60_000 })
const latestOrderOf = (userId: string) =>
  pollUntil(() =>
    world()
      .db.selectFrom('orders')
      .selectAll()
      .where('user_id', '=', userId)
      .where('kind', '!=', 'activation')
      .orderBy('created_at', 'desc')
      .limit(1)
      .executeTakeFirst(),
  )
const networkDown = () => failNetwork(world(), { operation: 'any', kind: 'error_500', times: 1_000 })
const noLongerReserved = async (code: string) =>
  expect((await readProviderRecords(world(), code)).gateway).toMatchObject([
    { captured: 0, authorised: 2200, cancelled: 2200 },
  ])
const actsOf = async (code: string) => {
  const { id } = await orderOf(code)
  return world()
    .db.selectFrom('order_events')
    .select(['name', 'actor'])
    .where('order_id', '=', id)
    .where('kind', '=', 'act')
    .execute()
}

describe('staff actions for every kind of order in every state', () => {
  const codes: Record<Order['kind'], string> = { activation: '', recharge: '', addon: '' }
  beforeAll(async () => {
    const { visitor, service } = await makeSubscriber(world(), { card: true })
    codes.activation = service.orderCode
    codes.addon = (await buyAddOn(world(), visitor, service, { saved: true })).body.order_code
    codes.recharge = (await renew(world(), visitor, service, { saved: true })).body.order_code
    for (const code of Object.values(codes)) await reaches(code, 'completed')
  })

  const table = (['activation', 'recharge', 'addon'] as const).flatMap((kind) =>
    orderStates.map((state) => [kind, state] as const),
  )
  test.each(table)(
    'an order of kind %s in state %s can be cancelled only if its transitions allow it',
    async (kind, state) => {
      const before = await orderOf(codes[kind])
      const hold = { lease_token: before.id, lease_until: new Date(Date.now() + 3_600_000), retry_at: null }
      const put = (to: object) => world().db.updateTable('orders').set(to).where('id', '=', before.id).execute()
      await put({ state, ...hold })
      const { exit, complaints } = await run(`orders cancel ${codes[kind]} --yes`)
      const { state: after } = await orderOf(codes[kind])
      await put({
        ...before,
        product: JSON.stringify(before.product),
        porting: before.porting && JSON.stringify(before.porting),
      })
      const goes = getNextState(orderTransitions, state, 'cancel') !== null
      expect([exit, after]).toEqual(goes ? [exitCodes.done, 'undoing'] : [exitCodes.refused, state])
      expect(complaints).toEqual(goes ? [] : [findReasonNotToCancel(state)])
    },
  )

  test.each(orderStates)(
    'an order in state %s can be retried unless that state is final or a worker is processing the order',
    async (state) => {
      const order = { ...(await orderOf(codes.activation)), state }
      const over = isEndState(state)
      expect(findReasonNotToRetry({ ...order, lease_until: null })).toBe(
        over ? `This order is already ${state}.` : null,
      )
      expect(findReasonNotToRetry({ ...order, lease_until: new Date(Date.now() + 60_000) })).toMatch(
        over ? /is already/ : /This order is being processed/,
      )
    },
  )
})

describe('activations that are on hold after a network failure', () => {
  test('the “orders retry” command continues a held activation', async () => {
    const { orderCode } = await activate(world(), { behaviour: 'fails_once' })
    const shown = (await run(`orders show ${orderCode}`)).said
    expect(shown[0]).toMatch(/activation, held/)
    expect(shown.at(-1)).toBe(`possible: orders retry ${orderCode}, orders cancel ${orderCode}`)
    expect(await run(`orders retry ${orderCode} --as Mere`)).toMatchObject({ exit: exitCodes.done })
    await reaches(orderCode, 'completed')
    expect(await readNetworkActions(world(), orderCode)).toEqual([
      'activate failed',
      'activate completed',
      'add_plan completed',
    ])
    expect(await actsOf(orderCode)).toEqual([{ name: 'retry', actor: 'operator:Mere' }])
  })

  test('the “orders cancel” command asks for confirmation and then reverses a held activation', async () => {
    const { orderCode, email } = await activate(world(), { behaviour: 'fails_once' })
    expect(await run(`orders cancel ${orderCode}`, { says: false })).toMatchObject({
      exit: exitCodes.refused,
      questions: [
        expect.stringMatching(
          /^Cancel FT\w+, .+\? Then \$22\.00 NZD reserved on the card is released, the SIM pack can be activated again\.$/,
        ),
      ],
    })
    expect((await orderOf(orderCode)).state).toBe('held')
    expect(await run(`orders cancel ${orderCode} --as Mere`, { says: true })).toMatchObject({ exit: exitCodes.done })
    await reaches(orderCode, 'undone')
    await noLongerReserved(orderCode)
    expect(await actsOf(orderCode)).toEqual([{ name: 'cancel', actor: 'operator:Mere' }])
    const [mail, ...others] = await pollUntil(async () => {
      const mails = await world().mailTo(email)
      return mails.length > 0 && mails
    })
    expect([mail?.subject, others]).toEqual([`Your order ${orderCode} is cancelled`, []])
    expect(mail?.text).toContain('You haven’t been charged. The $22.00 NZD reserved on your card will be released.')
    const again = await run(`orders cancel ${orderCode} --yes`)
    expect(again).toMatchObject({ exit: exitCodes.refused, complaints: ['This order is already undone.'] })
  })
})

describe('orders that are waiting for the network', () => {
  test(
    'staff can retry an order that is waiting for the network, and see its failed attempts as one line with a count',
    { tags: ['slow'] },
    async () => {
      await networkDown()
      const traveller = await advanceWizardTo(world(), 'PAYMENT')
      const { body } = await traveller.pay()
      const code = body.order_code as string
      await pollUntil(async () => (await orderOf(code)).tries > 4, { withinMs: 60_000 })
      const { said } = await run(`orders show ${code}`)
      expect(said.filter((line) => / times, the last at /.test(line))).not.toEqual([])
      expect(said[3]).toMatch(/ {2}next attempt \S+Z {2}\d+ attempts so far$/)
      await clearFailures(world())
      expect(await pollUntil(async () => (await run(`orders retry ${code}`)).exit === exitCodes.done)).toBe(true)
      await traveller.arriveAt('SUCCESSFUL')
    },
  )

  test(
    'cancelling an order that is waiting for the network reverses what the network has already done',
    { tags: ['slow'] },
    async () => {
      await failNetwork(world(), { operation: 'add_plan', kind: 'error_500', times: 1_000 })
      const traveller = await advanceWizardTo(world(), 'PAYMENT')
      const { body } = await traveller.pay()
      const code = body.order_code as string
      await reaches(code, 'adding_plan')
      const { exit, questions } = await run(`orders cancel ${code}`, { says: true })
      expect(exit).toBe(exitCodes.done)
      expect(questions[0]).toContain('Then the SIM is deactivated on the network, ')
      await clearFailures(world())
      await reaches(code, 'undone')
      await noLongerReserved(code)
      expect(await readNetworkActions(world(), code)).toContain('deactivate completed')
    },
  )

  test.each([
    ['renewal', 'recharge', 'add_plan'],
    ['add-on', 'addon', 'add_addon'],
  ] as const)(
    'cancelling a %s that is waiting for the network reverses it without a charge',
    { tags: ['slow'] },
    async (_, kind, operation) => {
      const { id, visitor, service } = await makeSubscriber(world(), { card: true })
      await failNetwork(world(), { operation, kind: 'error_500', times: 1_000 })
      const press =
        kind === 'recharge'
          ? renew(world(), visitor, service, { saved: true })
          : buyAddOn(world(), visitor, service, { saved: true })
      const order = await latestOrderOf(id)
      await reaches(order.order_code, kind === 'recharge' ? 'adding_plan' : 'adding_addon')
      expect((await run(`orders cancel ${order.order_code} --yes`)).exit).toBe(exitCodes.done)
      await clearFailures(world())
      await reaches(order.order_code, 'undone')
      expect((await press).status).toBe(400)
      expect((await readProviderRecords(world(), order.order_code)).gateway).toMatchObject([{ captured: 0 }])
    },
  )
})

test('staff cannot cancel an order whose payment is undecided, but a retry asks the gateway for the outcome immediately', async () => {
  const traveller = await advanceWizardTo(world(), 'PAYMENT')
  await failGateway(world(), { operation: 'authorise', kind: 'error_500', times: 3 })
  const { body } = await traveller.pay()
  const cancelled = await run(`orders cancel ${body.order_code} --yes`)
  expect(cancelled).toMatchObject({
    exit: exitCodes.refused,
    complaints: [expect.stringMatching(/^The gateway hasn’t said yet whether this order is paid/)],
  })
  await clearFailures(world())
  await pollUntil(async () => (await run(`orders retry ${body.order_code}`)).exit === exitCodes.done)
  await traveller.arriveAt('SUCCESSFUL')
})

test('an order’s history contains every change of state and the notifications from the gateway', async () => {
  const { orderCode } = await activate(world())
  await reaches(orderCode, 'completed')
  const { id } = await orderOf(orderCode)
  const events = () =>
    world().db.selectFrom('order_events').selectAll().where('order_id', '=', id).orderBy('id').execute()
  await pollUntil(async () => (await events()).some(({ name }) => name === 'CAPTURE'))
  expect(
    (await events()).filter(({ kind }) => kind === 'state').map((each) => [each.name, each.from_state, each.to_state]),
  ).toEqual([
    ['placed', null, 'paying'],
    ['authorised', 'paying', 'authorised'],
    ['begin', 'authorised', 'activating_sim'],
    ['sim_activated', 'activating_sim', 'adding_plan'],
    ['plan_added', 'adding_plan', 'capturing'],
    ['captured', 'capturing', 'finishing'],
    ['finished', 'finishing', 'completed'],
  ])
  expect(
    (await events())
      .filter(({ kind }) => kind === 'notification')
      .map((each) => each.name)
      .sort(),
  ).toEqual(['AUTHORISATION', 'CAPTURE'])
  const { said } = await run(`orders show ${orderCode}`)
  expect(said).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^payment captured {2}\$22\.00 {2}FT\w+-1 {2}Visa ending 1111/),
      expect.stringMatching(/^network activate_sim completed {2}FT\w+-sim-1/),
      expect.stringMatching(/^\S+Z {2}captured: capturing → finishing$/),
      expect.stringMatching(/^invoice FT\w+ {2}\$22\.00/),
      `possible: orders refund ${orderCode} (at most 22.00)`,
    ]),
  )
})

test('when staff retry an order, a refund is requested again if the response to the first request was lost', async () => {
  const { orderCode } = await activate(world())
  await failGateway(world(), { operation: 'refund', kind: 'lost_answer' })
  expect((await run(`orders refund ${orderCode} --amount 3.00 --yes`)).exit).toBe(exitCodes.unknown)
  expect((await run(`orders retry ${orderCode}`)).exit).toBe(exitCodes.done)
  await pollUntil(async () =>
    (await run(`orders show ${orderCode}`)).said.some((line) => line.startsWith('refund received')),
  )
  expect((await readProviderRecords(world(), orderCode)).gateway).toMatchObject([{ refunded: 300 }])
  expect(await run(`orders retry ${orderCode}`)).toMatchObject({
    exit: exitCodes.refused,
    complaints: ['This order is already completed.'],
  })
})

test('our records match the gateway’s and the network’s after staff actions on orders', async () =>
  expect(await findFaultsWhenIdle(world())).toEqual([]))
