import { expect } from 'vitest'
import { theSystem } from '#kit/server/actor.ts'
import { toDate } from '#kit/server/clock.ts'
import { refundOrder } from '#features/refunds/server/refunds.ts'
import { isPlanWaiting } from '#features/services/server/queued-plans.store.ts'
import { zone } from './auto-renewal.ts'
import { type CustomersService, makeCustomer } from './customer.ts'
import { travelTo } from './journey.ts'
import { type Command, plans } from './order-commands.ts'
import { endOf, fairWeather, inDoubt, isCancellable, isRefusal, type Model, passDays, pends } from './order-model.ts'
import { cancel } from './next-plan.ts'
import { resume } from './purchases.ts'
import { failGateway, failNetwork, setNetworkEvents, setWebhooks } from './simulators.ts'
import { until } from './until.ts'
import { newEmail, type World } from './world.ts'
import { firstPlan, loseSight, noteCancelled, orderOf, type Shopping, today } from './shopping.ts'
import { hear, press, pressNew } from './shopper-presses.ts'
import { calm } from './shopper-calm.ts'
import { askForNumber, callTransferOff, hearDonor, letTransferLapse } from './shopper-transfers.ts'

type Shopper = { obey(command: Command): Promise<void> }

export async function aShopper(world: World): Promise<Shopper> {
  const { db, deps } = world
  const since = toDate(deps.clock.now())
  await db.deleteFrom('rate_limits').execute()
  const customer = await makeCustomer(world, { card: true, plan: firstPlan })
  const [service] = customer.services as [CustomersService]
  const model: Model = {
    purchases: [],
    life: {
      product: firstPlan,
      ends: deps.clock.now().toZonedDateTimeISO(zone).toPlainDate().add({ days: plans[firstPlan].days }),
      auto: false,
      queued: null,
    },
    charged: [],
    waiting: null,
    cancelled: [],
    transfer: { is: 'none', number: null, tries: 0 },
    weather: fairWeather,
  }
  model.purchases.push({
    code: service.orderCode,
    kind: 'activation',
    price: plans[firstPlan].price,
    told: 'through',
    must: 'through',
    pends: false,
    plan: firstPlan,
    voucher: null,
    isRefunded: false,
    starts: 'now',
    isCancelled: false,
    insteadOf: null,
  })
  const shopping: Shopping = { world, customer, service, model, since, last: null }

  return {
    async obey(command) {
      if (isRefusal(command)) {
        worsen(model, { refuses: true })
        // The failure may hit an order under way as well as the next customer.
        for (const open of inDoubt(model)) if (open.must === 'through') open.must = null
      }
      await (obeyed[command.do] as (shopping: Shopping, given: Command) => Promise<void>)(shopping, command)
    },
  }
}

const obeyed: {
  [D in Command['do']]: (shopping: Shopping, command: Extract<Command, { do: D }>) => Promise<void>
} = {
  renew: pressNew,
  addOn: pressNew,
  async pressAgain(shopping) {
    if (shopping.last) await press(shopping, shopping.last)
  },
  async resume(shopping) {
    const open = inDoubt(shopping.model).findLast(({ kind }) => kind !== 'activation')
    if (open) hear(shopping, open, await resume(shopping.customer.visitor, open.code))
  },
  activate,
  async autoRenewal(shopping, { on }) {
    const { customer, service, model } = shopping
    const { status } = await customer.visitor.send(
      on ? 'PUT' : 'DELETE',
      `/api/services/auto_renew/${service.id}/${service.shortId}/`,
      { headers: { 'x-csrftoken': customer.visitor.cookie('csrftoken') ?? '' } },
    )
    const { life } = model
    if (!life) return expect([200, 400, 404]).toContain(status)
    const left = today(shopping).until(life.ends).days
    expect(status).toBe(left <= -50 ? 404 : on && left <= 0 ? 400 : 200)
    if (status === 200) life.auto = on
  },
  refund,
  cancelNext,
  transfer: askForNumber,
  donor: (shopping, { says }) => hearDonor(shopping, says),
  callOff: callTransferOff,
  async time(shopping, { days }) {
    const { world, model } = shopping
    const opens = inDoubt(model)
    if (opens.length > 0) worsen(model, { isLate: true })
    if (opens.length > 0 || (model.weather.isFoul && model.life?.auto)) loseSight(model)
    // A call that was only late a day ago may have been given up since.
    for (const open of opens) if (open.must === 'through') open.must = null
    await letTransferLapse(shopping)
    passDays(model, today(shopping), days)
    await world.advance(`P${days}D`)
  },
  async failGateway({ world, model }, { failure }) {
    await failGateway(world, failure)
    worsen(model, { isFoul: true })
  },
  async failNetwork({ world, model }, { failure }) {
    await failNetwork(world, failure)
    worsen(model, { isFoul: true })
  },
  async webhooks({ world, model }, { mode }) {
    await setWebhooks(world, { mode })
    // The dropped notification may be the one that a call still waits for.
    if (mode === 'drop') for (const open of inDoubt(model)) if (open.pends) open.must = null
    worsen(model, { isFoul: true, drops: mode === 'drop' || model.weather.drops })
  },
  async networkEvents({ world, model }, { mode }) {
    await setNetworkEvents(world, { mode })
    worsen(model, { isFoul: true })
  },
  calm,
}

const worsen = (model: Model, change: Partial<Model['weather']>) => (model.weather = { ...model.weather, ...change })

async function activate({ world, model }: Shopping, { source }: Extract<Command, { do: 'activate' }>): Promise<void> {
  const voucher = source.by === 'voucher' ? await world.newVoucher('plan-30-5gb') : null
  const email = newEmail()
  const holder = source.by === 'card' ? source.holder : ''
  const traveller = await travelTo(world, 'PAYMENT', { email, ...(voucher && { voucher }) })
  await traveller.pay(holder ? { holder } : {})
  const order = await world.db.selectFrom('orders').selectAll().where('email', '=', email).executeTakeFirstOrThrow()
  model.purchases.push({
    code: order.order_code,
    kind: 'activation',
    price: voucher ? 0 : 2200,
    told: 'unknown',
    must: endOf(holder, model.weather),
    pends: pends(holder),
    plan: null,
    voucher,
    isRefunded: false,
    starts: 'now',
    isCancelled: false,
    insteadOf: null,
  })
}

async function cancelNext(shopping: Shopping): Promise<void> {
  const { customer, service, model } = shopping
  const { waiting } = model
  // A delivered order is over a moment later.
  if (waiting) await until(async () => (await orderOf(shopping, waiting.code)).state !== 'finishing')
  const may = isCancellable(model, today(shopping))
  const { status } = await cancel({ customer, service })
  if (may !== null) expect([may, status]).toEqual([may, may ? 200 : 400])
  else expect([200, 400, 404]).toContain(status)
  if (status === 200) await noteCancelled(shopping)
}

async function refund(shopping: Shopping, { which }: Extract<Command, { do: 'refund' }>): Promise<void> {
  const { world, model } = shopping
  const purchase = model.purchases[which % model.purchases.length]
  if (!purchase) return
  // A delivered order is over a moment later.
  await until(async () => !['finishing'].includes((await orderOf(shopping, purchase.code)).state))
  const order = await orderOf(shopping, purchase.code)
  const isWaiting = await isPlanWaiting(world.db, order.id)
  const { outcome } = await refundOrder(world.deps, purchase.code, theSystem)
  const isPossible = order.state === 'completed' && purchase.price > 0 && !purchase.isRefunded && !isWaiting
  if (!isPossible && order.state === 'completed') expect(outcome).toBe('impossible')
  else if (isPossible) expect(model.weather.isFoul ? ['received', 'unknown'] : ['received']).toContain(outcome)
  if (outcome !== 'impossible') purchase.isRefunded = true
}
