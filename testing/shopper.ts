import { expect } from 'vitest'
import { realNow, toDate } from '#kit/server/clock.ts'
import { isDelivered } from '#features/orders/orders.states.ts'
import { refundOrder } from '#features/refunds/server/refunds.ts'
import { scheduleOf, zone } from './auto-renewal.ts'
import { reconcile, isQuiet } from './reconciliation.ts'
import { type Customer, type CustomersService, makeCustomer } from './customer.ts'
import { travelTo } from './journey.ts'
import { type Command, type PlanId, plans, type Press } from './order-commands.ts'
import {
  endOf,
  fairWeather,
  inDoubt,
  isRefusal,
  type Model,
  passDays,
  pends,
  priceOf,
  type Purchase,
  renewed,
  turnedAway,
} from './order-model.ts'
import { buyAddOn, renew, resume } from './purchases.ts'
import { failGateway, failNetwork, clearFailures, setNetworkEvents, setWebhooks } from './simulators.ts'
import { until } from './until.ts'
import type { Answer } from './visitor.ts'
import { newEmail, type World } from './world.ts'

/** A customer who does what they are told to, and a model that says what should come of it. */
export type Shopper = { obey(command: Command): Promise<void> }

const firstPlan: PlanId = 'plan-7-500mb'
const refusals = /^(?:Your card was declined|Your payment could not be confirmed|The network could not add)/

/** A new customer with a saved card and a plan of a week, in a world where all is well. */
export async function aShopper(world: World): Promise<Shopper> {
  const { db, deps } = world
  const since = toDate(deps.clock.now())
  await db.deleteFrom('rate_limits').execute()
  const customer = await makeCustomer(world, { card: true, plan: firstPlan })
  const [service] = customer.services as [CustomersService]
  const today = () => deps.clock.now().toZonedDateTimeISO(zone).toPlainDate()
  const model: Model = {
    purchases: [],
    life: { product: firstPlan, ends: today().add({ days: plans[firstPlan].days }), auto: false, queued: null },
    charged: [],
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
  })
  let last: { press: Press; key: string; voucher: string | null } | null = null

  const orderOf = (code: string) =>
    db.selectFrom('orders').selectAll().where('order_code', '=', code).executeTakeFirstOrThrow()
  const orderByKey = (key: string) =>
    db.selectFrom('orders').selectAll().where('idempotency_key', '=', key).executeTakeFirst()

  const obeyed: { [D in Command['do']]: (command: Extract<Command, { do: D }>) => Promise<void> } = {
    renew: pressNew,
    addOn: pressNew,
    async pressAgain() {
      if (last) await press(last)
    },
    async resume() {
      const open = inDoubt(model).findLast(({ kind }) => kind !== 'activation')
      if (open) hear(open, await resume(customer.visitor, open.code))
    },
    activate,
    async autoRenewal({ on }) {
      const { status } = await customer.visitor.send(
        on ? 'PUT' : 'DELETE',
        `/api/services/auto_renew/${service.id}/${service.shortId}/`,
        { headers: { 'x-csrftoken': customer.visitor.cookie('csrftoken') ?? '' } },
      )
      const { life } = model
      if (!life) return expect([200, 400, 404]).toContain(status)
      const left = today().until(life.ends).days
      expect(status).toBe(left <= -50 ? 404 : on && left <= 0 ? 400 : 200)
      if (status === 200) life.auto = on
    },
    refund,
    async time({ days }) {
      if (inDoubt(model).length > 0 || (model.weather.isFoul && model.life?.auto)) loseSight()
      // What a day ago was only late may have been given up since.
      for (const open of inDoubt(model)) if (open.must === 'through') open.must = null
      passDays(model, today(), days)
      await world.advance(`P${days}D`)
    },
    async failGateway({ failure }) {
      await failGateway(world, failure)
      worsen({ isFoul: true })
    },
    async failNetwork({ failure }) {
      await failNetwork(world, failure)
      worsen({ isFoul: true })
    },
    async webhooks({ mode }) {
      await setWebhooks(world, { mode })
      // It may have the word that a call still waits for.
      if (mode === 'drop') for (const open of inDoubt(model)) if (open.pends) open.must = null
      worsen({ isFoul: true, drops: mode === 'drop' || model.weather.drops })
    },
    async networkEvents({ mode }) {
      await setNetworkEvents(world, { mode })
      worsen({ isFoul: true })
    },
    calm,
  }

  const worsen = (change: Partial<Model['weather']>) => (model.weather = { ...model.weather, ...change })
  function loseSight(): void {
    model.life = null
    model.charged = null
  }

  async function pressNew(command: Press): Promise<void> {
    last = {
      press: command,
      key: crypto.randomUUID(),
      voucher:
        command.source.by === 'voucher'
          ? await world.newVoucher(command.do === 'renew' ? command.plan : undefined)
          : null,
    }
    // How often a card may be refused is another test's matter.
    await db.deleteFrom('refused_payments').execute()
    await press(last)
  }

  async function press({ press: form, key, voucher }: NonNullable<typeof last>): Promise<void> {
    const { source } = form
    const mayBeTurnedAway = turnedAway(model, form, today())
    const known = await orderByKey(key)
    const paying = {
      product: form.do === 'renew' ? form.plan : form.product,
      key,
      saved: source.by === 'saved',
      ...(source.by === 'card' && { holder: source.holder }),
      ...(voucher && { voucher }),
    }
    const answer = await (form.do === 'renew'
      ? renew(world, customer.visitor, service, paying)
      : buyAddOn(world, customer.visitor, service, paying))
    const order = await orderByKey(key)
    if (!order) {
      expect([answer.status, mayBeTurnedAway.some((why) => wordsOf(answer).startsWith(why)), wordsOf(answer)]).toEqual([
        answer.status === 404 ? 404 : 400,
        true,
        wordsOf(answer),
      ])
      return
    }
    let purchase = model.purchases.find(({ code }) => code === order.order_code)
    if (known) expect(known.order_code).toBe(purchase?.code)
    if (!purchase) {
      // The one before it has ended unheard of: which of them came last is seen when all is quiet.
      if (form.do === 'renew' && inDoubt(model).some(({ kind }) => kind === 'recharge')) loseSight()
      purchase = {
        code: order.order_code,
        kind: form.do === 'renew' ? 'recharge' : 'addon',
        price: priceOf(form),
        told: 'unknown',
        must: endOf(source, model.weather),
        pends: pends(source),
        plan: form.do === 'renew' ? form.plan : null,
        voucher,
        isRefunded: false,
      }
      model.purchases.push(purchase)
      if (!model.weather.isFoul && model.life && (source.by !== 'card' || source.holder === 'Ana Rewi'))
        expect(answer.status).toBe(200)
    }
    // A customer whose number is gone by now is told that, whatever they bought for it.
    if (answer.status === 404) expect(mayBeTurnedAway).toContain('404')
    else hear(purchase, answer)
  }

  /** What a customer is told binds. */
  function hear(purchase: Purchase, answer: Answer): void {
    const told = answer.status === 200 ? 'through' : answer.status === 202 ? 'unknown' : 'nothing'
    if (told !== 'nothing') expect(answer.body).toMatchObject({ order_code: purchase.code })
    else expect([answer.status, wordsOf(answer)]).toEqual([400, expect.stringMatching(refusals)])
    if (told !== 'unknown') take(purchase, told)
  }

  function take(purchase: Purchase, told: 'through' | 'nothing'): void {
    if (purchase.must) expect([purchase.code, told]).toEqual([purchase.code, purchase.must])
    if (purchase.told !== 'unknown') return expect(told).toBe(purchase.told)
    Object.assign(purchase, { told, must: told })
    if (purchase.kind === 'recharge' && purchase.plan && told === 'through') renewed(model, purchase.plan, today())
  }

  /** Another customer's activation, under the same sky. */
  async function activate({ source }: Extract<Command, { do: 'activate' }>): Promise<void> {
    const voucher = source.by === 'voucher' ? await world.newVoucher('plan-30-5gb') : null
    const email = newEmail()
    const traveller = await travelTo(world, 'PAYMENT', { email, ...(voucher && { voucher }) })
    await traveller.pay(source.by === 'card' ? { holder: source.holder } : {})
    const order = await db.selectFrom('orders').selectAll().where('email', '=', email).executeTakeFirstOrThrow()
    model.purchases.push({
      code: order.order_code,
      kind: 'activation',
      price: voucher ? 0 : 2200,
      told: 'unknown',
      must: endOf(source, model.weather),
      pends: pends(source),
      plan: null,
      voucher,
      isRefunded: false,
    })
  }

  async function refund({ which }: Extract<Command, { do: 'refund' }>): Promise<void> {
    const purchase = model.purchases[which % model.purchases.length]
    if (!purchase) return
    // What is delivered is over a moment later.
    await until(async () => !['finishing'].includes((await orderOf(purchase.code)).state))
    const order = await orderOf(purchase.code)
    const { outcome } = await refundOrder(deps, purchase.code)
    const isPossible = order.state === 'completed' && purchase.price > 0 && !purchase.isRefunded
    if (!isPossible && order.state === 'completed') expect(outcome).toBe('impossible')
    else if (isPossible) expect(model.weather.isFoul ? ['received', 'unknown'] : ['received']).toContain(outcome)
    if (outcome !== 'impossible') purchase.isRefunded = true
  }

  /** Makes all well, waits until nothing moves, and compares the world with the model. */
  async function calm(): Promise<void> {
    await setWebhooks(world, { mode: 'normal', release: true })
    await setNetworkEvents(world, { mode: 'normal', release: true })
    await until(async () => (await isQuiet(world)) || retryAllNow())
    await until(async () => (await isQuiet(world)) || retryAllNow())
    await clearFailures(world)
    await compare()
    model.weather = fairWeather
  }

  /** Tests do not wait out the time between two tries; and of what was dropped no word will ever come. */
  async function retryAllNow(): Promise<false> {
    const now = toDate(realNow())
    await db
      .updateTable('orders')
      .set({ retry_at: now })
      .where('state', 'not in', ['completed', 'refused', 'undone', 'held'])
      .where('retry_at', '>', now)
      .where('lease_until', 'is', null)
      .execute()
    await db.updateTable('refunds').set({ retry_at: now }).where('retry_at', '>', now).execute()
    if (model.weather.drops)
      await db
        .updateTable('payment_attempts')
        .set({ resolve_by: now })
        .where('state', '=', 'unknown')
        .where('psp_reference', 'is not', null)
        .execute()
    return false
  }

  async function compare(): Promise<void> {
    const ledgers = await world.ledgers()
    expect(await reconcile(db, ledgers, since)).toEqual([])
    for (const purchase of model.purchases) await compareOne(purchase, ledgers)
    const orders = await db
      .selectFrom('orders')
      .selectAll()
      .where('service_id', '=', service.id)
      .where('kind', '!=', 'activation')
      .orderBy('created_at')
      .execute()
    const byUs = orders.filter((order) => order.auto_renewal)
    expect(orders.filter((order) => !byUs.includes(order)).map((order) => order.order_code)).toEqual(
      model.purchases.filter(({ kind }) => kind !== 'activation').map(({ code }) => code),
    )
    for (const order of byUs) expect(order.amount_cents).toBe(plans[order.product_id as PlanId].rebill)
    const charges = byUs.filter(({ state }) => state === 'completed').map((order) => order.amount_cents)
    if (model.charged) expect(charges).toEqual(model.charged)
    model.charged = charges
    const life = await lifeNow()
    if (model.life && life)
      expect({ ...life, ends: life.ends.toString() }).toEqual({ ...model.life, ends: model.life.ends.toString() })
    if (model.life && !life) expect(today().until(model.life.ends).days).toBeLessThanOrEqual(-50)
    model.life = life ?? { product: firstPlan, ends: today().subtract({ days: 60 }), auto: false, queued: null }
  }

  async function compareOne(purchase: Purchase, { gateway }: Awaited<ReturnType<World['ledgers']>>): Promise<void> {
    const { state, amount_cents: amount } = await orderOf(purchase.code)
    expect(amount).toBe(purchase.price)
    // An activation that waits for its customer to try again is neither.
    if (state === 'held') return expect(purchase).toMatchObject({ kind: 'activation', told: 'unknown', must: null })
    const isThrough = isDelivered(state)
    take(purchase, isThrough ? 'through' : 'nothing')
    const lines = gateway.filter(({ reference }) => reference.startsWith(`${purchase.code}-`))
    const sum = (of: 'captured' | 'refunded') => lines.reduce((total, line) => total + line[of], 0)
    expect([purchase.code, sum('captured'), sum('refunded')]).toEqual([
      purchase.code,
      isThrough ? purchase.price : 0,
      purchase.isRefunded ? purchase.price : 0,
    ])
    if (purchase.voucher)
      expect((await world.visitor().get(`/api/vouchers/${purchase.voucher}/`)).status).toBe(isThrough ? 412 : 200)
  }

  async function lifeNow(): Promise<Model['life']> {
    const listed = (await customer.visitor.get('/api/services/')).body[service.id]
    if (!listed) return null
    const {
      product,
      next_plan: next,
      auto_recharge_enabled: auto,
    } = await scheduleOf({ customer: customer as Customer, service, expiry: deps.clock.now().toZonedDateTimeISO(zone) })
    const queued = next
      ? await db
          .selectFrom('queued_plans')
          .innerJoin('orders', 'orders.id', 'queued_plans.order_id')
          .select('orders.product_id')
          .where('queued_plans.service_id', '=', service.id)
          .executeTakeFirstOrThrow()
      : null
    const ends = Temporal.Instant.from(listed.expiry_date).toZonedDateTimeISO(zone).toPlainDate()
    return {
      product: product.unique_id as PlanId,
      ends,
      auto,
      queued: (queued?.product_id as PlanId | undefined) ?? null,
    }
  }

  return {
    async obey(command) {
      if (isRefusal(command)) {
        worsen({ refuses: true })
        // It may hit what is under way as well as the next customer.
        for (const open of inDoubt(model)) if (open.must === 'through') open.must = null
      }
      await (obeyed[command.do] as (given: Command) => Promise<void>)(command)
    },
  }
}

const wordsOf = ({ status, body }: Answer): string =>
  status === 404 ? '404' : String(Object.values((body ?? {}) as object).flat()[0])
