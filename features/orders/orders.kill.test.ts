import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Activation } from '#features/activation/activation.contract.ts'
import type { SimBehaviour } from '#demo/tables.ts'
import { activateThroughFailures } from '#testing/activate-through-failures.ts'
import { type WizardAnswers, portAnswers, travelTo } from '#testing/journey.ts'
import { dinersCard } from '#testing/cards.ts'
import type { CallName } from '#testing/killable-outside.ts'
import { type KillableWorld, startKillableWorld } from '#testing/killable.ts'
import { until } from '#testing/until.ts'
import { newVisitor } from '#testing/visitor.ts'
import type { Ledgers } from '#testing/ledgers.ts'

let world: KillableWorld
beforeAll(async () => {
  world = await startKillableWorld()
}, 120_000)
beforeEach(() => world.product.start())
afterAll(() => world?.close())

/** A moment at which the product is killed. `set` lays the trap; what it answers resolves when the product is dead. */
type Moment = { name: string; set(): Promise<{ dead: Promise<void> }> }

const atCall = (call: CallName, when: 'before' | 'after'): Moment => ({
  name: when === 'before' ? `${call} has not left` : `${call} is done and its answer lost`,
  async set() {
    const held = world.hold(call, when)
    return { dead: held.reached.then(() => world.product.kill()).then(held.drop) }
  },
})
const before = (call: CallName): Moment => atCall(call, 'before')
const lost = (call: CallName): Moment => atCall(call, 'after')

/** What the database has by then is what it had before the transaction of this statement. */
const beforeWriting = (name: string, statement: RegExp): Moment => ({
  name: `${name} is not written`,
  async set() {
    const dead = world.product.death()
    await world.product.dieBefore(statement)
    return { dead }
  },
})
const beforeState = (state: string): Moment =>
  beforeWriting(`the state ${state}`, new RegExp(`^update "orders" set .* ${state} \\d+ [\\da-f-]{36} `))

const neverCame = async ({ name }: Moment): Promise<never> => {
  await pause(90_000, undefined, { ref: false })
  throw new Error(`it never came to this: ${name}`)
}

const order = beforeWriting('the order', /^insert into "orders"/)
const invoice = beforeWriting('the invoice', /^insert into "invoices"/)
const message = beforeWriting('the message', /^insert into "messages"/)
const delivery = beforeWriting('the delivered mail', /^insert into "demo_messages"/)
const sent = beforeWriting('that the mail is sent', /^update "messages" set "sent_at"/)

const payment = [order, before('authorise'), lost('authorise'), beforeState('authorised')]
const activation = [beforeState('activating_sim'), before('sim'), lost('sim'), beforeState('adding_plan')]
const plan = [before('plan'), lost('plan'), beforeState('capturing')]
const progress = [before('read sim'), lost('read sim'), before('read plan'), lost('read plan')]
const capture = [
  beforeWriting('that the capture leaves', /^update "payment_attempts" set .* capturing /),
  before('capture'),
  lost('capture'),
]
const finish = [beforeState('finishing'), beforeState('completed'), invoice, message, delivery, sent]
const cancel = [
  before('cancel'),
  lost('cancel'),
  beforeWriting('that the payment is cancelled', /^update "payment_attempts" set .* cancelled /),
  beforeState('undone'),
]

type Life = {
  moments: Moment[]
  behaviour?: SimBehaviour
  answers?: 'port' | 'voucher'
  holder?: string
  before?(): void
  state?: Activation['state']
  gateway: Partial<Ledgers['gateway'][number]>[]
  network: string[]
}

const paid = [{ authorised: 2200, captured: 2200, refunded: 0, cancelled: 0 }]
const released = [{ authorised: 2200, captured: 0, cancelled: 2200 }]
const active = ['activate completed', 'add_plan completed']

const lives: Record<string, Life> = {
  'while its payment is under way': { moments: payment, gateway: paid, network: active },
  'while its SIM is activated': { moments: activation, gateway: paid, network: active },
  'while its plan is added': { moments: plan, gateway: paid, network: active },
  'while the network takes its time': { moments: progress, gateway: paid, network: active },
  'while its money is taken': { moments: capture, gateway: paid, network: active },
  'before invoice and message': { moments: finish, gateway: paid, network: active },
  'while its number is transferred': {
    moments: [before('port'), lost('port')],
    answers: 'port',
    gateway: paid,
    network: [...active, 'port_in …'],
  },
  'with a voucher': {
    moments: [order, beforeState('authorised'), beforeState('finishing'), message],
    answers: 'voucher',
    gateway: [],
    network: active,
  },
  'when an answer was lost before': {
    moments: [lost('authorise'), before('authorise')],
    holder: 'TIMEOUT',
    gateway: paid,
    network: active,
  },
  'while it is taken back before anything was activated': {
    moments: [beforeState('undoing'), ...cancel],
    behaviour: 'fails_always',
    state: 'PERMANENTLY_FAILED',
    gateway: released,
    network: ['activate failed'],
  },
  'while it is taken back with its SIM active': {
    moments: [before('undo'), lost('undo'), lost('cancel'), beforeState('undone')],
    before: () => world.network.fail({ operation: 'add_plan', kind: 'fail_permanent' }),
    state: 'PERMANENTLY_FAILED',
    gateway: released,
    network: ['activate completed', 'add_plan failed', 'deactivate completed'],
  },
}

const isOnPostgres = Boolean(process.env['DATABASE_URL'])

/** Mails about an order, once there are as many as there should be. */
async function mailsOf(email: string, orderCode: string | null, wanted = 1): Promise<number> {
  const ours = async () => (await world.mailTo(email)).filter(({ text }) => text.includes(orderCode ?? '')).length
  await until(async () => (await ours()) >= wanted, { withinMs: 60_000 })
  return ours()
}

function linesOf(orderCode: string | null): { gateway: Ledgers['gateway']; network: string[] } {
  const { gateway, network } = world.ledgers()
  return {
    gateway: gateway.filter(({ reference }) => reference.startsWith(`${orderCode}-`)),
    // A transfer goes on after its order is over.
    network: network
      .filter(({ external_id }) => external_id.startsWith(`${orderCode}-`))
      .map(({ action, state }) => `${action} ${action === 'port_in' ? '…' : state}`),
  }
}

describe('what is reserved on a card that is not taken is let go of, though the product is killed', () => {
  test.each([
    beforeWriting('that the cancel leaves', /^update "payment_attempts" set .* cancelling /),
    before('cancel'),
    lost('cancel'),
    beforeWriting('that the payment is cancelled', /^update "payment_attempts" set .* cancelled /),
    beforeState('refused'),
  ])(
    '$name',
    async (moment) => {
      const traveller = await travelTo(world, 'PAYMENT')
      const [key, card] = [crypto.randomUUID(), world.card('Ana Rewi', dinersCard)]
      const { dead } = await moment.set()
      const press = () => traveller.pay({ key, card }).catch(() => null)
      await Promise.race([dead, press().then(() => dead), neverCame(moment)])
      await world.product.start()

      const answer = await until(
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

describe('an order survives that the product is killed', () => {
  test.each(Object.entries(lives))(
    '%s',
    async (_when, { moments, answers, behaviour, holder, state = 'SUCCESSFUL', ...life }) => {
      life.before?.()
      const traveller = await travelTo(world, 'PAYMENT', {
        ...(behaviour && { behaviour }),
        ...(answers === 'voucher' && { voucher: await world.newVoucher() }),
        ...(answers === 'port' && { port: portAnswers('027 555 0111') }),
      })
      let end: Promise<Activation> | undefined
      for (const moment of moments) {
        const { dead } = await moment.set()
        if (end) await world.product.start()
        end ??= activateThroughFailures(traveller, { ...(holder && { holder }) })
        await Promise.race([dead, end.then(() => dead), neverCame(moment)])
      }
      await world.product.start()

      const done = await end
      expect(done?.state).toBe(state)
      const orderCode = done?.order_code ?? null
      expect(linesOf(orderCode)).toMatchObject({ gateway: life.gateway, network: life.network })
      const mails = state === 'SUCCESSFUL' ? 1 : 0
      expect(await mailsOf(traveller.email, orderCode, mails)).toBe(mails)
    },
    240_000,
  )

  test('at any moment, again and again, with many orders under way', async () => {
    const way = (answers: WizardAnswers, holder?: string) => ({ answers, holder })
    const ways = [
      way({}),
      way({ port: portAnswers('027 555 0112') }),
      way({ voucher: await world.newVoucher() }),
      way({}, 'TIMEOUT'),
      way({}, 'PENDING'),
      way({ behaviour: 'fails_always' }),
    ]
    const travellers = []
    for (const { answers } of ways) travellers.push(await travelTo(world, 'PAYMENT', answers))
    const ends = Promise.all(
      travellers.map((traveller, at) =>
        activateThroughFailures(traveller, { ...(ways[at]?.holder && { holder: ways[at].holder }) }),
      ),
    )
    for (let kills = 0; kills < 5; kills++) {
      // No moment is better than another here, and none is chosen.
      await pause(randomInt(1_500))
      await world.product.kill()
      await world.product.start()
    }
    expect((await ends).map(({ state }) => state)).toEqual([
      ...Array.from({ length: 5 }, () => 'SUCCESSFUL'),
      'PERMANENTLY_FAILED',
    ])
    for (const [at, { email }] of travellers.slice(0, 5).entries())
      expect(await mailsOf(email, (await ends)[at]?.order_code ?? null)).toBe(1)
  }, 240_000)

  test('and in the end all books agree', async () => {
    expect(await world.auditAfterwards()).toEqual([])
    expect(world.product.complaints()).toEqual([])
  }, 120_000)
})

// Two processes, or a connection that breaks, need a database that is outside of both.
describe.runIf(isOnPostgres)('an order survives', () => {
  const calls: CallName[] = ['sim', 'plan', 'capture']
  const pauses = calls.flatMap((call) => (['before', 'after'] as const).map((when) => ({ call, when })))

  test.each(pauses)(
    'that its process stands still $when $call for longer than its lease, while another carries on',
    async ({ call, when }) => {
      const traveller = await travelTo(world, 'PAYMENT')
      const held = world.hold(call, when)
      // It is to stand still in this call, and not in the middle of what a webhook has it write down.
      await world.setWebhooks('hold')
      await traveller.pay()
      await held.reached
      world.product.pause()
      held.goOn()

      const other = await world.anotherProduct()
      await other.start()
      const elsewhere = newVisitor(other.url)
      for (const name of ['fantail', 'csrftoken']) elsewhere.setCookie(name, traveller.visitor.cookie(name) ?? '')
      const done = await until(
        async () => {
          const { body } = await elsewhere.get('/api/activate/')
          return body.state === 'SUCCESSFUL' && body
        },
        { withinMs: 60_000 },
      )

      world.product.wake()
      await world.setWebhooks('normal')
      expect(await traveller.look()).toEqual(done)
      expect(await mailsOf(traveller.email, done.order_code)).toBe(1)
      await other.stop()
      expect(linesOf(done.order_code)).toMatchObject({ gateway: paid, network: active })
      expect(await world.auditAfterwards()).toEqual([])
      expect([...world.product.complaints(), ...other.complaints()]).toEqual([])
    },
    240_000,
  )

  test('that its database hangs up, in the middle of whatever it is', async () => {
    const answers = [{}, {}, { voucher: await world.newVoucher() }, { port: portAnswers('027 555 0113') }]
    const travellers = []
    for (const each of answers) travellers.push(await travelTo(world, 'PAYMENT', each))
    const ends = Promise.all(travellers.map((traveller) => activateThroughFailures(traveller)))
    for (let times = 0; times < 25; times++) {
      await pause(randomInt(200))
      await world.breakConnections()
    }
    expect((await ends).map(({ state }) => state)).toEqual(answers.map(() => 'SUCCESSFUL'))
    for (const [at, { email }] of travellers.entries())
      expect(await mailsOf(email, (await ends)[at]?.order_code ?? null)).toBe(1)
    expect(await world.auditAfterwards()).toEqual([])
  }, 240_000)
})
