import { beforeEach, describe, expect, test } from 'vitest'
import type { OrderDeps } from './server/orders.deps.ts'
import { advanceOrder } from './server/advance-order.ts'
import { findFaultsWhenIdle } from '#quality/support/reconciliation.ts'
import { advanceWizardTo, type WizardVisitor } from '#quality/support/activation-journey.ts'
import {
  failGateway,
  failNetwork,
  readProviderRecords,
  readNetworkActions,
  setWebhookMode,
} from '#quality/support/simulators.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { useWorld } from '#quality/support/world.ts'

const world = useWorld({ env: { LEASE_SECONDS: '1' } })
beforeEach(() => setWebhookMode(world(), { mode: 'normal' }))

const orderOf = ({ email }: WizardVisitor) =>
  world().db.selectFrom('orders').selectAll().where('email', '=', email).executeTakeFirstOrThrow()
const attemptOf = async (traveller: WizardVisitor) =>
  world()
    .db.selectFrom('payment_attempts')
    .selectAll()
    .where('order_id', '=', (await orderOf(traveller)).id)
    .executeTakeFirstOrThrow()

async function letTimeRunOut(traveller: WizardVisitor): Promise<void> {
  const { id } = await orderOf(traveller)
  await world()
    .db.updateTable('payment_attempts')
    .set({ resolve_by: new Date(0) })
    .where('order_id', '=', id)
    .execute()
  await world()
    .db.updateTable('orders')
    .set({ retry_at: new Date(0) })
    .where('id', '=', id)
    .execute()
}

async function pay({ pay: send, visitor }: WizardVisitor, holder: string): Promise<void> {
  const { status, body } = await send({ holder })
  if (status === 202) await visitor.post(`/api/orders/${body.order_code}/resume/`)
}

async function expectOneOfEach(orderCode: string | null): Promise<void> {
  expect(await readNetworkActions(world(), orderCode ?? '')).toEqual(['activate completed', 'add_plan completed'])
  expect((await readProviderRecords(world(), orderCode ?? '')).gateway).toMatchObject([
    { authorised: 2200, captured: 2200, cancelled: 0 },
  ])
  expect(await findFaultsWhenIdle(world())).toEqual([])
}

describe('orders whose gateway notifications are duplicated, reordered, late or missing', () => {
  describe.each(['Ana Rewi', 'TIMEOUT', 'PENDING'])('orders paid for with the card of %s', (holder) => {
    test.each(['duplicate', 'reorder'] as const)(
      'gateway notifications take effect only once (webhook mode: %s)',
      async (mode) => {
        await setWebhookMode(world(), { mode })
        const traveller = await advanceWizardTo(world(), 'PAYMENT')
        await pay(traveller, holder)
        await expectOneOfEach((await traveller.arriveAt('SUCCESSFUL')).order_code)
        expect((await attemptOf(traveller)).captured_at).not.toBeNull()
      },
    )
  })

  describe.each(['Ana Rewi', 'TIMEOUT'])('orders paid for with the card of %s', (holder) => {
    test('an activation does not wait for gateway notifications', async () => {
      await setWebhookMode(world(), { mode: 'hold' })
      const traveller = await advanceWizardTo(world(), 'PAYMENT')
      await pay(traveller, holder)
      const { order_code } = await traveller.arriveAt('SUCCESSFUL')
      expect((await attemptOf(traveller)).captured_at).toBeNull()

      await setWebhookMode(world(), { release: true })
      await pollUntil(async () => (await attemptOf(traveller)).captured_at)
      await expectOneOfEach(order_code)
    })

    test('an activation succeeds even if no gateway notification arrives', async () => {
      await setWebhookMode(world(), { mode: 'drop' })
      const traveller = await advanceWizardTo(world(), 'PAYMENT')
      await pay(traveller, holder)
      await expectOneOfEach((await traveller.arriveAt('SUCCESSFUL')).order_code)
    })
  })

  test.each([
    ['Ana Rewi', 500],
    // The simulated bank decides after three seconds on its own clock, which this test advances.
    ['PENDING', 4_000],
  ])(
    'handles a gateway notification that arrives before the response to our own call (%s)',
    async (holder, delay_ms) => {
      const traveller = await advanceWizardTo(world(), 'PAYMENT')
      await failGateway(world(), { operation: 'authorise', kind: 'slow', delay_ms })
      const answer = traveller.pay({ holder })
      await pollUntil(async () => {
        const { gateway } = await readProviderRecords(world(), (await orderOf(traveller)).order_code)
        return gateway.length > 0
      })
      await world().advance('PT5S')
      expect((await answer).status).toBe(200)
      await expectOneOfEach((await traveller.arriveAt('SUCCESSFUL')).order_code)
    },
  )

  test('a pending payment is cancelled if its notification never arrives', async () => {
    await setWebhookMode(world(), { mode: 'drop' })
    const traveller = await advanceWizardTo(world(), 'PAYMENT')
    const { body } = await traveller.pay({ holder: 'PENDING' })
    await letTimeRunOut(traveller)
    await pollUntil(async () => (await orderOf(traveller)).state === 'refused')
    expect((await readProviderRecords(world(), body.order_code)).gateway).toMatchObject([{ captured: 0 }])
    expect(await findFaultsWhenIdle(world())).toEqual([])
  })

  test('if an abandoned payment is authorised late, the authorisation is cancelled and the money is released', async () => {
    await setWebhookMode(world(), { mode: 'hold' })
    const traveller = await advanceWizardTo(world(), 'PAYMENT')
    const { body } = await traveller.pay({ holder: 'PENDING' })
    await failGateway(world(), { operation: 'technicalCancel', kind: 'refuse', reference: `${body.order_code}-1` })
    await letTimeRunOut(traveller)
    await pollUntil(async () => (await orderOf(traveller)).state === 'refused')
    await setWebhookMode(world(), { mode: 'normal', release: true })
    await pollUntil(async () =>
      (await readProviderRecords(world(), body.order_code)).gateway.some(({ authorised }) => authorised > 0),
    )
    await pollUntil(async () =>
      (await readProviderRecords(world(), body.order_code)).gateway.some(({ cancelled }) => cancelled === 2200),
    )
    // The second cancel releases the money, which ends the task about the failed technical cancel.
    await pollUntil(async () => (await findFaultsWhenIdle(world())).length === 0)
    expect(await findFaultsWhenIdle(world())).toEqual([])
  })
})

describe('workers that are suspended for longer than their lease on an order', () => {
  function sleepyWorker(at: 'activate_sim' | 'add_plan' | 'capture', when: 'before' | 'after') {
    const { deps } = world()
    const asleep = Promise.withResolvers<void>()
    const woken = Promise.withResolvers<void>()
    const sleepingAround = async <T>(call: () => Promise<T>): Promise<T> => {
      if (when === 'before') {
        asleep.resolve()
        await woken.promise
      }
      const answer = await call()
      asleep.resolve()
      await woken.promise
      return answer
    }
    const short = { activate_sim: '-sim-', add_plan: '-plan-', capture: '' }[at]
    const sleepy: OrderDeps = {
      ...deps,
      network: {
        ...deps.network,
        place: (order) =>
          order.kind === at ? sleepingAround(() => deps.network.place(order)) : deps.network.place(order),
        read: (id) =>
          short && id.includes(short) ? sleepingAround(() => deps.network.read(id)) : deps.network.read(id),
      },
      card: {
        ...deps.card,
        capture: (asked) =>
          at === 'capture' ? sleepingAround(() => deps.card.capture(asked)) : deps.card.capture(asked),
      },
    }
    return { deps: sleepy, asleep: asleep.promise, wake: woken.resolve }
  }

  // Make the first request fail, so that the server's own worker releases the order and the test's worker can lease it.
  const stumble = {
    activate_sim: () => failNetwork(world(), { operation: 'activate', kind: 'error_500' }),
    add_plan: () => failNetwork(world(), { operation: 'add_plan', kind: 'error_500' }),
    capture: () => failGateway(world(), { operation: 'capture', kind: 'error_500' }),
  }

  describe.each(['activate_sim', 'add_plan', 'capture'] as const)('a worker that sleeps at %s', (at) => {
    test.each(['before', 'after'] as const)(
      'a worker that sleeps %s its request does not repeat a step that was completed in the meantime',
      async (when) => {
        const traveller = await advanceWizardTo(world(), 'PAYMENT')
        await stumble[at]()
        await traveller.pay()
        const { id } = await orderOf(traveller)
        const worker = sleepyWorker(at, when)
        let work: Promise<void> | undefined
        await pollUntil(async () => {
          work ??= advanceOrder(worker.deps, id).finally(() => (work = undefined))
          return Promise.race([worker.asleep.then(() => true), work.then(() => false)])
        })
        const { order_code } = await traveller.arriveAt('SUCCESSFUL')
        worker.wake()
        await work
        await expectOneOfEach(order_code)
      },
    )
  })

  test('twenty concurrent workers execute each of an order’s steps only once', async () => {
    const traveller = await advanceWizardTo(world(), 'PAYMENT')
    await traveller.pay()
    const { id } = await orderOf(traveller)
    const withoutLease = { ...world().deps, leaseSeconds: 0 }
    await pollUntil(async () => {
      await Promise.all(Array.from({ length: 20 }, () => advanceOrder(withoutLease, id)))
      return (await orderOf(traveller)).state === 'completed'
    })
    await expectOneOfEach((await traveller.look()).order_code)
  })
})

describe('orders that fail', () => {
  test('a failed order is reversed only once, no matter how many workers try to reverse it', async () => {
    const traveller = await advanceWizardTo(world(), 'PAYMENT')
    await failNetwork(world(), { operation: 'add_plan', kind: 'fail_permanent' })
    await traveller.pay()
    const { id, order_code } = await orderOf(traveller)
    const withoutLease = { ...world().deps, leaseSeconds: 0 }
    await pollUntil(async () => {
      await Promise.all(Array.from({ length: 10 }, () => advanceOrder(withoutLease, id)))
      return (await orderOf(traveller)).state === 'undone'
    })
    expect(await readNetworkActions(world(), order_code)).toEqual([
      'activate completed',
      'add_plan failed',
      'deactivate completed',
    ])
    expect((await readProviderRecords(world(), order_code)).gateway).toMatchObject([
      { authorised: 2200, captured: 0, cancelled: 2200 },
    ])
    expect(await findFaultsWhenIdle(world())).toEqual([])
  })
})
