import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Activation } from '#features/activation/activation.contract.ts'
import type { SimBehaviour } from '#demo/tables.ts'
import { insist } from '#testing/insist.ts'
import { portAnswers, travelTo } from '#testing/journey.ts'
import { type CallName, type KillableWorld, startKillableWorld } from '#testing/killable.ts'
import { until } from '#testing/until.ts'
import type { Ledgers } from '#testing/world.ts'

let world: KillableWorld
beforeAll(async () => {
  world = await startKillableWorld()
}, 120_000)
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
const beforeState = (state: string): Moment => beforeWriting(`the state ${state}`, new RegExp(`^update "orders" set .* ${state} \\d+ [\\da-f-]{36} `))

const order = beforeWriting('the order', /^insert into "orders"/)
const invoice = beforeWriting('the invoice', /^insert into "invoices"/)
const message = beforeWriting('the message', /^insert into "messages"/)
const delivery = beforeWriting('the delivered mail', /^insert into "demo_messages"/)
const sent = beforeWriting('that the mail is sent', /^update "messages" set "sent_at"/)

const payment = [order, before('authorise'), lost('authorise'), beforeState('authorised')]
const activation = [beforeState('activating_sim'), before('sim'), lost('sim'), before('read'), lost('read'), beforeState('adding_plan')]
const plan = [before('plan'), lost('plan'), before('read'), lost('read')]
const capture = [
  beforeState('capturing'),
  beforeWriting('that the capture leaves', /^update "payment_attempts" set .* capturing /),
  before('capture'),
  lost('capture'),
]
const finish = [beforeState('finishing'), beforeState('completed'), invoice, message, delivery, sent]
const cancel = [before('cancel'), lost('cancel'), beforeWriting('that the payment is cancelled', /^update "payment_attempts" set .* cancelled /), beforeState('undone')]

type Life = {
  moments: Moment[]
  behaviour?: SimBehaviour
  luggage?: 'port' | 'voucher'
  holder?: string
  before?(): void
  state?: Activation['state']
  gateway: Partial<Ledgers['gateway'][number]>[]
  network: string[]
}

const paid = [{ authorised: 2200, captured: 2200, refunded: 0, cancelled: 0 }]
const letGo = [{ authorised: 2200, captured: 0, cancelled: 2200 }]
const active = ['activate completed', 'add_plan completed']

const lives: Record<string, Life> = {
  'while its payment is under way': { moments: payment, gateway: paid, network: active },
  'while its SIM is activated': { moments: activation, gateway: paid, network: active },
  'while its plan is added': { moments: plan, gateway: paid, network: active },
  'while its money is taken': { moments: capture, gateway: paid, network: active },
  'before invoice and message': { moments: finish, gateway: paid, network: active },
  'while its number is transferred': { moments: [before('port'), lost('port'), invoice], luggage: 'port', gateway: paid, network: [...active, 'port_in *'] },
  'with a voucher': { moments: [order, beforeState('authorised'), lost('sim'), lost('plan'), beforeState('finishing'), message], luggage: 'voucher', gateway: [], network: active },
  'when an answer was lost before': { moments: [lost('authorise'), before('authorise')], holder: 'TIMEOUT', gateway: paid, network: active },
  'while it is taken back before anything was activated': { moments: [beforeState('undoing'), ...cancel], behaviour: 'fails_always', state: 'PERMANENTLY_FAILED', gateway: letGo, network: ['activate failed'] },
  'while it is taken back with its SIM active': {
    moments: [before('undo'), lost('undo'), before('read'), ...cancel],
    before: () => world.network.fail({ operation: 'add_plan', kind: 'fail_permanent' }),
    state: 'PERMANENTLY_FAILED',
    gateway: letGo,
    network: ['activate completed', 'add_plan failed', 'deactivate completed'],
  },
}

describe('an order survives that the product is killed', () => {
  test.each(Object.entries(lives))('%s', async (_when, { moments, luggage, behaviour, holder, state = 'SUCCESSFUL', ...life }) => {
    life.before?.()
    const traveller = await travelTo(world, 'PAYMENT', {
      ...(behaviour && { behaviour }),
      ...(luggage === 'voucher' && { voucher: await world.newVoucher() }),
      ...(luggage === 'port' && { port: portAnswers('027 555 0111') }),
    })
    const [first, ...others] = moments
    let trap = await first?.set()
    const end = insist(traveller, { ...(holder && { holder }) })
    const endedEarly = (name = '') => end.then(() => Promise.reject(new Error(`the order was over, and never did it come to this: ${name}`)))
    for (const next of [...others, null]) {
      await Promise.race([trap?.dead, endedEarly(moments[moments.indexOf(next ?? first!) - 1]?.name)])
      trap = await next?.set()
      await world.product.start()
    }

    const done = await end
    expect(done.state).toBe(state)
    const isOurs = (reference: string) => reference.startsWith(`${done.order_code}-`)
    const { gateway, network } = world.ledgers()
    expect(gateway.filter((line) => isOurs(line.reference))).toMatchObject(life.gateway)
    expect(network.filter((line) => isOurs(line.external_id)).map((line) => `${line.action} ${line.action === 'port_in' ? '*' : line.state}`)).toEqual(life.network)
    const mails = await until(async () => {
      const found = await world.mailTo(traveller.email)
      return (state !== 'SUCCESSFUL' || found.length > 0) && found
    }, { withinMs: 60_000 })
    expect(mails.filter(({ text }) => text.includes(done.order_code ?? ''))).toHaveLength(state === 'SUCCESSFUL' ? 1 : 0)
  }, 240_000)

  test('and in the end all books agree', async () => {
    expect(await world.auditAfterwards()).toEqual([])
    expect(world.product.complaints()).toEqual([])
  }, 120_000)
})
