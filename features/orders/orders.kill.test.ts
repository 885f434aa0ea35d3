import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { activateThroughFailures } from '#quality/support/activate-through-failures.ts'
import { type WizardInputs, portForm, advanceWizardTo } from '#quality/support/activation-journey.ts'
import { createKillMoments } from '#quality/support/kill-moments.ts'
import { type KillTestWorld, startKillTestWorld } from '#quality/support/kill-test-world.ts'
import { activationActions, endOf, type Life, live, waitForEmails, paid } from '#quality/support/order-records.ts'

let world: KillTestWorld
beforeAll(async () => {
  world = await startKillTestWorld()
})
beforeEach(() => world.product.start())
afterAll(() => world?.close())

const { before, lost, beforeWriting, beforeState } = createKillMoments(() => world)

const payment = [
  beforeWriting(/^insert into "orders"/),
  before('authorise'),
  lost('authorise'),
  beforeState('authorised'),
]
const activation = [beforeState('activating_sim'), before('sim'), lost('sim'), beforeState('adding_plan')]
const plan = [before('plan'), lost('plan'), beforeState('capturing')]
const progress = [before('read sim'), lost('read sim'), before('read plan'), lost('read plan')]
const capture = [beforeWriting(/^update "payment_attempts" set .* capturing /), before('capture'), lost('capture')]
const finish = [
  beforeState('finishing'),
  beforeState('completed'),
  beforeWriting(/^insert into "invoices"/),
  beforeWriting(/^insert into "messages"/),
  beforeWriting(/^insert into "demo_messages"/),
  beforeWriting(/^update "messages" set "sent_at"/),
]

const lives: Record<string, Life> = {
  'while its payment is in progress': { moments: payment, gateway: paid, network: activationActions },
  'while its SIM is being activated': { moments: activation, gateway: paid, network: activationActions },
  'while its plan is being added': { moments: plan, gateway: paid, network: activationActions },
  'while the network is taking its time': { moments: progress, gateway: paid, network: activationActions },
  'while its money is being captured': { moments: capture, gateway: paid, network: activationActions },
  'before its invoice and email are created': { moments: finish, gateway: paid, network: activationActions },
  'while its number is being transferred': {
    moments: [before('port'), lost('port')],
    answers: 'port',
    gateway: paid,
    network: [...activationActions, 'port_in …'],
  },
}

describe('orders in progress when the server is killed', () => {
  test.each(Object.entries(lives))(
    'an order completes even if the server is killed %s',
    async (_when, life) => {
      expect(await live(world, life)).toMatchObject(endOf(life))
    },
    240_000,
  )

  test('six concurrent orders reach the correct outcome even if the server is killed at random moments', async () => {
    const way = (answers: WizardInputs, holder?: string) => ({ answers, holder })
    const ways = [
      way({}),
      way({ port: portForm('027 555 0112') }),
      way({ voucher: await world.newVoucher() }),
      way({}, 'TIMEOUT'),
      way({}, 'PENDING'),
      way({ behaviour: 'fails_always' }),
    ]
    const travellers = []
    for (const { answers } of ways) travellers.push(await advanceWizardTo(world, 'PAYMENT', answers))
    const ends = Promise.all(
      travellers.map((traveller, at) =>
        activateThroughFailures(traveller, { ...(ways[at]?.holder && { holder: ways[at].holder }) }),
      ),
    )
    for (let kills = 0; kills < 5; kills++) {
      // Kill the server at random moments, because a real failure can happen at any time.
      await pause(randomInt(1_500))
      await world.product.kill()
      await world.product.start()
    }
    expect((await ends).map(({ state }) => state)).toEqual([
      ...Array.from({ length: 5 }, () => 'SUCCESSFUL'),
      'PERMANENTLY_FAILED',
    ])
    for (const [at, { email }] of travellers.slice(0, 5).entries())
      expect(await waitForEmails(world, email, (await ends)[at]?.order_code ?? null)).toBe(1)
  })

  test('our records match the gateway’s and the network’s after the server was killed during orders', async () => {
    expect(await world.auditAfterwards()).toEqual([])
    expect(world.product.complaints()).toEqual([])
  })
})
