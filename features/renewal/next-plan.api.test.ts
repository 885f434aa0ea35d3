import { beforeEach, describe, expect, test } from 'vitest'
import { formatDate } from '#kit/contract/dates.ts'
import { formatLongDate } from '#kit/contract/days.ts'
import { fromDate } from '#kit/server/clock.ts'
import {
  advanceClockTo,
  readCharges,
  getLastDayAtHour,
  readEmails,
  setAutoRenewal,
  zone,
} from '#quality/support/auto-renewal.ts'
import { makeSubscriber, type Subscriber } from '#quality/support/customer.ts'
import { loseResponseTo } from '#quality/support/lost-response.ts'
import { type PaymentOptions, renew as press, resumeOrder } from '#quality/support/purchases.ts'
import { findFaultsWhenIdle } from '#quality/support/reconciliation.ts'
import {
  clearFailures,
  failGateway,
  failNetwork,
  readProviderRecords,
  readNetworkActions,
  setWebhookMode,
} from '#quality/support/simulators.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { useWorld } from '#quality/support/world.ts'

const world = useWorld()
beforeEach(() => setWebhookMode(world(), { mode: 'normal' }))

const someone = (wishes?: Parameters<typeof makeSubscriber>[1]) =>
  makeSubscriber(world(), { plan: 'plan-7-500mb', card: true, ...wishes })
const renew = ({ visitor, service }: Subscriber, { body, ...paying }: PaymentOptions = {}) =>
  press(world(), visitor, service, { saved: true, ...paying, body: { starts: 'at_end', ...body } })
const look = async ({ visitor, service }: Subscriber) => (await visitor.get('/api/services/')).body[service.id]
const nextOf = async (customer: Subscriber) => (await look(customer)).schedules[customer.service.shortId].next_plan
const endOf = async (customer: Subscriber) =>
  Temporal.Instant.from((await look(customer)).expiry_date).toZonedDateTimeISO(zone)
const orderOf = (orderCode: string) =>
  world().db.selectFrom('orders').selectAll().where('order_code', '=', orderCode).executeTakeFirstOrThrow()
const lengthOf = async (customer: Subscriber) =>
  (await endOf(customer)).toPlainDate().since(today(), { largestUnit: 'days' }).days
const today = () => world().deps.clock.now().toZonedDateTimeISO(zone).toPlainDate()
const refused = (sentence: string) => ({ status: 400, body: { __all__: [sentence] } })
const wakeIn = (id: string, hours: number) =>
  world()
    .db.updateTable('orders')
    .set({ retry_at: new Date(Date.now() + hours * 3_600_000) })
    .where('id', '=', id)
    .execute()

describe('renewals that start when the current plan ends', () => {
  test("a renewal that starts at the current plan's end is charged now at the catalogue's price and begins without a gap", async () => {
    const customer = await someone()
    const before = await look(customer)
    const end = await endOf(customer)
    const { status, body } = await renew(customer, { product: 'plan-30-15gb' })
    expect(status).toBe(200)
    const order = await orderOf(body.order_code)
    expect(fromDate(order.starts_at!).equals(end.toInstant())).toBe(true)
    expect((await readProviderRecords(world(), body.order_code)).gateway).toMatchObject([
      { authorised: 3600, captured: 3600 },
    ])
    expect(await readNetworkActions(world(), body.order_code)).toEqual(['add_plan completed'])
    expect(await look(customer)).toMatchObject({ expiry_date: before.expiry_date, is_expired: false })
    expect(await nextOf(customer)).toEqual({
      title: '15 GB Prepay Plan',
      length: 30,
      starts_on: before.expiry_date,
    })
    await advanceClockTo(world(), end.add({ minutes: 1 }))
    expect(await look(customer)).toMatchObject({ is_expired: false })
    expect((await endOf(customer)).equals(end.add({ days: 30 }))).toBe(true)
    expect(await nextOf(customer)).toBeNull()
  })

  test(
    "the email about a renewal that starts later states the new plan's first and last day",
    { tags: ['slow'] },
    async () => {
      const customer = await someone()
      const end = await endOf(customer)
      const { body } = await renew(customer, { product: 'plan-30-15gb' })
      const mail = await pollUntil(async () =>
        (await world().mailTo(customer.email)).find(({ text }) => text.includes(body.order_code)),
      )
      const starts = formatDate(end.toInstant(), zone)
      const last = formatLongDate(end.toPlainDate().add({ days: 29 }).toString())
      expect(mail.text).toContain(
        `It starts on ${starts}, when your current Prepay Plan ends, and its last day is ${last}.`,
      )
      expect(mail.text).toContain(`Starts on: ${starts}`)
    },
  )

  test(
    'the audit trail records whether a renewal starts now or at the end of the current plan',
    { tags: ['slow'] },
    async () => {
      const customer = await someone()
      const [now, later] = [await renew(customer, { body: { starts: 'now' } }), await renew(customer)]
      const rows = await world()
        .db.selectFrom('audit_events')
        .select('details')
        .where('event', '=', 'plan_renewed')
        .where('user_id', '=', customer.id)
        .orderBy('at')
        .execute()
      const details = rows.map((row) => (typeof row.details === 'string' ? JSON.parse(row.details) : row.details))
      expect(details.map(({ order, starts }) => [order, starts])).toEqual([
        [now.body.order_code, 'now'],
        [later.body.order_code, (await endOf(customer)).toInstant().toString()],
      ])
    },
  )

  test.each([
    ['with a newly entered card', async (): Promise<PaymentOptions> => ({ saved: false }), 3600],
    ['by voucher', async (): Promise<PaymentOptions> => ({ voucher: await world().newVoucher('plan-30-15gb') }), null],
  ])('a renewal paid %s can also start at the end of the current plan', async (_how, paying, cents) => {
    const customer = await someone()
    const end = await endOf(customer)
    const { status, body } = await renew(customer, await paying())
    expect(status).toBe(200)
    const captured = (await readProviderRecords(world(), body.order_code)).gateway.map((line) => line.captured)
    expect(captured).toEqual(cents === null ? [] : [cents])
    expect(await nextOf(customer)).toMatchObject({ title: '15 GB Prepay Plan' })
    expect((await endOf(customer)).equals(end)).toBe(true)
  })

  test(
    'rejects a renewal while a paid next plan is queued, and the rejected renewal’s voucher stays valid',
    { tags: ['slow'] },
    async () => {
      const customer = await someone()
      const starts = formatDate((await endOf(customer)).toInstant(), zone)
      expect((await renew(customer)).status).toBe(200)
      const sentence = `Your next Prepay Plan, 15 GB Prepay Plan, is already paid for and starts on ${starts}.`
      const voucher = await world().newVoucher('plan-30-15gb')
      for (const starts of ['now', 'at_end'])
        for (const paying of [{}, { voucher }]) {
          const { status, body } = await renew(customer, { ...paying, body: { starts } })
          expect({ status, body }).toEqual(refused(sentence))
        }
      expect((await world().visitor().get(`/api/vouchers/${voucher}/`)).status).toBe(200)
    },
  )

  test("repeating a renewal's idempotency key with a different start time returns the first order", async () => {
    const customer = await someone()
    const first = await renew(customer, { key: 'one' })
    const second = await renew(customer, { key: 'one', body: { starts: 'now' } })
    expect(second).toMatchObject({ status: 200, body: { order_code: first.body.order_code } })
    expect(await nextOf(customer)).not.toBeNull()
  })

  test('a renewal that the network rejects leaves no next plan and no charge', { tags: ['slow'] }, async () => {
    const customer = await someone()
    await failNetwork(world(), { operation: 'add_plan', kind: 'fail_permanent' })
    const { status, body } = await renew(customer)
    expect({ status, body }).toEqual(
      refused('The network could not add your Prepay Plan. You have not been charged. Please try again.'),
    )
    expect(await nextOf(customer)).toBeNull()
    expect((await renew(customer)).status).toBe(200)
  })
})

test(
  'nothing is bought from a form that shows an outdated end date for the plan, whichever start was chosen',
  { tags: ['slow'] },
  async () => {
    const customer = await someone()
    const { expiry_date } = await look(customer)
    expect((await renew(customer, { body: { starts: 'now', expiry_date } })).status).toBe(200)
    const outOfDate = refused('This page is out of date. Please refresh it and try again.')
    for (const starts of ['now', 'at_end'])
      for (const shown of [expiry_date, 'soon', '']) {
        const { status, body } = await renew(customer, { body: { starts, expiry_date: shown } })
        expect({ status, body }).toEqual(outOfDate)
      }
    expect(await nextOf(customer)).toBeNull()
    expect((await renew(customer, { body: { expiry_date: (await look(customer)).expiry_date } })).status).toBe(200)
    expect(await nextOf(customer)).not.toBeNull()
  },
)

test('a renewal begins now if the request does not say when to start, and an invalid start is rejected with a 400', async () => {
  const customer = await someone()
  expect(await renew(customer, { body: { starts: undefined }, product: 'plan-30-15gb' })).toMatchObject({ status: 200 })
  expect([await lengthOf(customer), await nextOf(customer)]).toEqual([30, null])
  for (const starts of ['later', '', null, 1, ['at_end']]) {
    const { status, body } = await renew(customer, { body: { starts } })
    expect({ status, body }).toEqual({
      status: 400,
      body: { starts: ['Please choose when your next Prepay Plan should start.'] },
    })
  }
})

describe('renewal of a plan that has already ended', () => {
  test('the renewal of a plan that has already ended begins at once', { tags: ['slow'] }, async () => {
    const customer = await someone()
    await world().advance('P9D')
    const { body } = await renew(customer)
    expect((await orderOf(body.order_code)).starts_at).toBeNull()
    expect([await lengthOf(customer), await nextOf(customer)]).toEqual([30, null])
  })

  test(
    'if the current plan ends while the payment is undecided, the renewal begins once it is paid for',
    { tags: ['slow'] },
    async () => {
      const customer = await someone()
      await setWebhookMode(world(), { mode: 'hold' })
      const { status, body } = await loseResponseTo(world(), () => renew(customer, { saved: false }))
      expect(status).toBe(202)
      await world().advance('P9D')
      expect(await look(customer)).toMatchObject({ is_expired: true })
      expect((await resumeOrder(customer.visitor, body.order_code)).status).toBe(200)
      expect([await lengthOf(customer), await nextOf(customer)]).toEqual([30, null])
      await setWebhookMode(world(), { mode: 'normal', release: true })
    },
  )

  test(
    'if the current plan ends before the payment is captured, the renewal still begins at the plan’s end, as on the network',
    { tags: ['slow'] },
    async () => {
      const customer = await someone()
      const end = await endOf(customer)
      await failGateway(world(), { operation: 'capture', kind: 'error_500', times: 1000 })
      const answer = renew(customer)
      const { id } = await pollUntil(async () =>
        world()
          .db.selectFrom('orders')
          .select('id')
          .where('service_id', '=', customer.service.id)
          .where('state', '=', 'capturing')
          .where('tries', '>', 0)
          .executeTakeFirst(),
      )
      await wakeIn(id, 1)
      await advanceClockTo(world(), end.add({ hours: 26 }))
      await clearFailures(world())
      await wakeIn(id, -1)
      const { body } = await answer
      await resumeOrder(customer.visitor, body.order_code)
      expect((await endOf(customer)).equals(end.add({ days: 30 }))).toBe(true)
      expect(await nextOf(customer)).toBeNull()
    },
  )
})

test(
  'auto-renewal does not charge for a next plan that the customer bought, and renews the plan after it',
  { tags: ['slow'] },
  async () => {
    const customer = await someone()
    const { service } = customer
    const renewing = { customer, service, expiry: await endOf(customer) }
    await setAutoRenewal(renewing, 'PUT')
    expect((await renew(customer, { product: 'plan-7-500mb' })).status).toBe(200)
    await advanceClockTo(world(), renewing.expiry.add({ hours: 1 }))
    expect(await readCharges(world(), renewing)).toEqual([])
    const notices = async () =>
      (await readEmails(world(), renewing)).filter(({ subject }) => subject.includes('renews on'))
    expect(await notices()).toEqual([])
    const next = { ...renewing, expiry: await endOf(customer) }
    expect(next.expiry.equals(renewing.expiry.add({ days: 7 }))).toBe(true)
    await advanceClockTo(world(), getLastDayAtHour(next, 22))
    expect(await readCharges(world(), next)).toMatchObject([{ state: 'completed' }])
    expect(await notices()).toHaveLength(1)
  },
)

test("our records match the gateway's and the network's after renewals that start later", async () =>
  expect(await findFaultsWhenIdle(world())).toEqual([]))
