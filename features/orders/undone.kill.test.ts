import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { advanceWizardTo } from '#quality/support/activation-journey.ts'
import { dinersCardNumber } from '#quality/support/cards.ts'
import { createKillMoments, runThroughKills } from '#quality/support/kill-moments.ts'
import { type KillTestWorld, startKillTestWorld } from '#quality/support/kill-test-world.ts'
import { activationActions, endOf, type Life, live, paid, releasedPayments } from '#quality/support/order-records.ts'
import { pollUntil } from '#quality/support/poll-until.ts'

let world: KillTestWorld
beforeAll(async () => {
  world = await startKillTestWorld()
})
beforeEach(() => world.product.start())
afterAll(() => world?.close())

const { before, lost, beforeWriting, beforeState } = createKillMoments(() => world)

const cancelled = beforeWriting(/^update "payment_attempts" set .* cancelled /)
const cancel = [before('cancel'), lost('cancel'), cancelled, beforeState('undone')]

const lives: Record<string, Life> = {
  'at each step of an order paid for with a voucher': {
    moments: [
      beforeWriting(/^insert into "orders"/),
      beforeState('authorised'),
      beforeState('finishing'),
      beforeWriting(/^insert into "messages"/),
    ],
    answers: 'voucher',
    gateway: [],
    network: activationActions,
  },
  'after the response to its payment was lost': {
    moments: [lost('authorise'), before('authorise')],
    holder: 'TIMEOUT',
    gateway: paid,
    network: activationActions,
  },
  'while it is being reversed before its SIM was activated': {
    moments: [beforeState('undoing'), ...cancel],
    behaviour: 'fails_always',
    state: 'PERMANENTLY_FAILED',
    gateway: releasedPayments,
    network: ['activate failed'],
  },
  'while it is being reversed after its SIM was activated': {
    moments: [before('undo'), lost('undo'), lost('cancel'), beforeState('undone')],
    before: () => world.network.fail({ operation: 'add_plan', kind: 'fail_permanent' }),
    state: 'PERMANENTLY_FAILED',
    gateway: releasedPayments,
    network: ['activate completed', 'add_plan failed', 'deactivate completed'],
  },
}

describe('payments that use an unsupported card type and are in progress when the server is killed', () => {
  test.each([
    [
      'before it records that it will cancel the payment',
      beforeWriting(/^update "payment_attempts" set .* cancelling /),
    ],
    ['before it cancels the payment', before('cancel')],
    ['before it receives the response to the cancel', lost('cancel')],
    ['before it records that the payment is cancelled', cancelled],
    ['before it records that the order is refused', beforeState('refused')],
  ])(
    'releases the money reserved on an unsupported card type even if the server is killed %s',
    async (_when, moment) => {
      const traveller = await advanceWizardTo(world, 'PAYMENT')
      const [key, card] = [crypto.randomUUID(), world.card('Ana Rewi', dinersCardNumber)]
      const press = () => traveller.pay({ key, card }).catch(() => null)
      await runThroughKills(world, [moment], press)

      const answer = await pollUntil(
        async () => {
          const { body } = await traveller.visitor.get('/api/activate/')
          const now = body.retry
            ? await traveller.visitor.post(`/api/orders/${body.order_code}/resume/`)
            : await press()
          return now?.status === 400 && now
        },
        { withinMs: 60_000 },
      )
      expect(answer.body.__all__).toEqual([expect.stringContaining('Nothing was charged.')])
      const { body } = await traveller.visitor.get('/api/activate/')
      expect(body).toMatchObject({ state: 'PAYMENT', retry: false })
      const lines = world.ledgers().gateway.slice(-1)
      expect(lines).toMatchObject([{ authorised: 2200, captured: 0, cancelled: 2200 }])
    },
    240_000,
  )
})

describe('orders that fail while the server is repeatedly killed', () => {
  test.each(Object.entries(lives))(
    'an order reaches the correct outcome even if the server is killed %s',
    async (_when, life) => {
      expect(await live(world, life)).toMatchObject(endOf(life))
    },
    240_000,
  )

  test('our records match the gateway’s and the network’s after the server was killed during failing orders', async () => {
    expect(await world.auditAfterwards()).toEqual([])
    expect(world.product.complaints()).toEqual([])
  })
})
