/* @module-tag slow */
import { beforeEach, describe, expect, test } from 'vitest'
import { formatDate } from '#kit/contract/dates.ts'
import { transact } from '#kit/server/db.ts'
import { fromDate } from '#kit/server/clock.ts'
import { presentProduct } from '#features/plans/server/plans.ts'
import { findProduct } from '#features/plans/server/plans.store.ts'
import { findFaultsWhenIdle } from '#quality/support/reconciliation.ts'
import { makeSubscriber, type Subscriber } from '#quality/support/customer.ts'
import { loseResponseTo } from '#quality/support/lost-response.ts'
import { type PaymentOptions, renew as press, resumeOrder } from '#quality/support/purchases.ts'
import { failNetwork, readProviderRecords, setWebhookMode } from '#quality/support/simulators.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { useWorld } from '#quality/support/world.ts'
import { placeRenewal } from './server/renewal.ts'

/*
 * Keep the number of customers in this database low, because the clock moves by weeks and something falls due for each
 * customer.
 */
const world = useWorld()
beforeEach(() => setWebhookMode(world(), { mode: 'normal' }))

const zone = 'Pacific/Auckland'

const someone = (wishes?: Parameters<typeof makeSubscriber>[1]) => makeSubscriber(world(), wishes)

const renew = ({ visitor, service }: Subscriber, paying?: PaymentOptions) => press(world(), visitor, service, paying)
const orderOf = (orderCode: string) =>
  world().db.selectFrom('orders').selectAll().where('order_code', '=', orderCode).executeTakeFirstOrThrow()
const renewalsOf = ({ service }: Subscriber) =>
  world()
    .db.selectFrom('orders')
    .selectAll()
    .where('service_id', '=', service.id)
    .where('kind', '=', 'recharge')
    .execute()
const scheduleOf = ({ service }: Subscriber) =>
  world()
    .db.selectFrom('schedules')
    .leftJoin('auto_renewals', 'auto_renewals.service_id', 'schedules.service_id')
    .select(['id', 'short_id', 'order_id', 'product_id', 'expires_at'])
    .select(({ fn, val }) => fn.coalesce('enabled', val(false)).as('auto_recharge_enabled'))
    .where('schedules.service_id', '=', service.id)
    .executeTakeFirstOrThrow()
const look = async ({ visitor, service }: Subscriber) => (await visitor.get('/api/services/')).body[service.id]
const deadlinesOf = async ({ service }: Subscriber) =>
  (await world().db.selectFrom('service_deadlines').selectAll().where('service_id', '=', service.id).execute())
    .map(({ kind }) => kind)
    .sort()
const mailOf = (customer: Subscriber, orderCode: string) =>
  pollUntil(async () => (await world().mailTo(customer.email)).find(({ text }) => text.includes(orderCode)))
const today = () => world().deps.clock.now().toZonedDateTimeISO(zone).toPlainDate()
const midnight = (day: Temporal.PlainDate) =>
  day.toZonedDateTime(zone).toInstant().toString({ fractionalSecondDigits: 3 })

async function expectRefusal(
  customer: Subscriber,
  paying: PaymentOptions,
  answer: { status: number; body: unknown },
): Promise<void> {
  const orders = (await renewalsOf(customer)).length
  const { status, body } = await renew(customer, paying)
  expect({ status, body }).toEqual(answer)
  expect(await renewalsOf(customer)).toHaveLength(orders)
}
const refused = (sentence: string) => ({ status: 400, body: { __all__: [sentence] } })

describe('renewal of a plan that has expired', () => {
  test('renewing an expired plan sets a new end date, new reminders and a new release date for the number', async () => {
    const customer = await someone({ plan: 'plan-7-500mb', card: true })
    await world().advance('P20D')
    expect(await look(customer)).toMatchObject({ is_expired: true })
    expect(await deadlinesOf(customer)).not.toContain('expiry')
    expect((await renew(customer, { saved: true, product: 'plan-30-5gb' })).status).toBe(200)
    expect(await look(customer)).toMatchObject({ is_expired: false, expiry_date: midnight(today().add({ days: 30 })) })
    const due = ['ends-1', 'ends-3', 'ends-7', 'expiry', 'release', 'reminder-1', 'reminder-14', 'reminder-7']
    expect(await deadlinesOf(customer)).toEqual(due)
    await world().advance('P29D')
    expect(await look(customer)).toMatchObject({ is_expired: false })
    await world().advance('P2D')
    expect(await look(customer)).toMatchObject({ is_expired: true })
  })

  test('an expired service keeps its number while a renewal is in progress, and loses it if the renewal fails', async () => {
    const customer = await someone({ plan: 'plan-7-500mb', card: true })
    await world().advance('P56D')
    expect(await deadlinesOf(customer)).toContain('release')
    await setWebhookMode(world(), { mode: 'hold' })
    const { status, body } = await loseResponseTo(world(), () => renew(customer))
    expect(status).toBe(202)
    await failNetwork(world(), { operation: 'add_plan', kind: 'fail_permanent' })
    await world().advance('P3D')
    expect(await look(customer)).toMatchObject({ is_expired: true })
    expect((await resumeOrder(customer.visitor, body.order_code)).status).toBe(400)
    await pollUntil(async () => (await look(customer)) === undefined)
    await setWebhookMode(world(), { mode: 'normal', release: true })
    await pollUntil(
      async () =>
        (
          await world()
            .db.selectFrom('service_releases')
            .selectAll()
            .where('service_id', '=', customer.service.id)
            .executeTakeFirst()
        )?.state === 'completed',
    )
  })
})

describe('plans that are paid for in advance', () => {
  async function payAhead(customer: Subscriber, startsAt?: Temporal.Instant) {
    const { db, deps } = world()
    const schedule = await scheduleOf(customer)
    const row = await findProduct(db, 'plan-30-25gb')
    const order = await transact(db, (trx) =>
      placeRenewal(trx, deps, {
        service: { id: customer.service.id, user_id: customer.id },
        product: presentProduct(row!),
        amountCents: 4100,
        autoRenewal: true,
        startsAt: startsAt ?? fromDate(schedule.expires_at),
        sessionId: null,
        key: null,
        payment: { by: 'saved_card', payer: null },
      }),
    )
    await pollUntil(async () => (await orderOf(order.order_code)).state === 'completed')
    return { order, before: schedule }
  }

  test('a plan paid for in advance is charged now and starts at the end of the current plan without a gap', async () => {
    const customer = await someone({ plan: 'plan-7-500mb', card: true })
    const { order, before } = await payAhead(customer)
    expect((await readProviderRecords(world(), order.order_code)).gateway).toMatchObject([{ captured: 4100 }])
    expect(await scheduleOf(customer)).toEqual(before)
    const starts = formatDate(fromDate(before.expires_at), zone)
    expect((await mailOf(customer, order.order_code)).text).toContain(
      `It starts on ${starts}, when your current Prepay Plan ends, and its last day is `,
    )
    expect(await deadlinesOf(customer)).toContain('release')

    await expectRefusal(
      customer,
      { saved: true },
      refused(`Your next Prepay Plan, 25 GB Prepay Plan, is already paid for and starts on ${starts}.`),
    )
    await expectRefusal(
      customer,
      { voucher: await world().newVoucher() },
      refused(`Your next Prepay Plan, 25 GB Prepay Plan, is already paid for and starts on ${starts}.`),
    )

    await world().advance('P7D')
    const firstDay = fromDate(before.expires_at).toZonedDateTimeISO(zone).toPlainDate()
    expect(await look(customer)).toMatchObject({ is_expired: false, expiry_date: midnight(firstDay.add({ days: 30 })) })
    expect(await scheduleOf(customer)).toMatchObject({
      product_id: 'plan-30-25gb',
      order_id: order.id,
      short_id: before.short_id,
    })
    expect((await world().mailTo(customer.email)).map(({ subject }) => subject).join()).not.toContain('has expired')
    expect((await customer.visitor.get(`/api/account/usage_summary/${customer.service.id}/`)).body.plan).toMatchObject({
      title: '25 GB Prepay Plan',
      entitlements: [{ totalAllowance: { amount: 25 } }],
    })
    expect((await renew(customer, { saved: true })).status).toBe(200)
  })

  test('a plan paid for in advance begins at once if its start time has already passed', async () => {
    const customer = await someone({ card: true })
    const { order } = await payAhead(customer, world().deps.clock.now().subtract({ hours: 1 }))
    expect(await scheduleOf(customer)).toMatchObject({ product_id: 'plan-30-25gb', order_id: order.id })
    expect(await look(customer)).toMatchObject({ expiry_date: midnight(today().add({ days: 30 })) })
  })
})

test('answers 404 to the renewal of a service that has been released', async () => {
  const customer = await someone({ plan: 'plan-7-500mb', card: true })
  await world().advance('P60D')
  await expectRefusal(customer, { saved: true }, { status: 404, body: { code: 'Not found.' } })
})

test("our records match the gateway's and the network's after renewals over several weeks", async () =>
  expect(await findFaultsWhenIdle(world())).toEqual([]))
