import { afterEach, describe, expect, test } from 'vitest'
import { formatDate } from '#kit/contract/dates.ts'
import { formatNational } from '#kit/contract/phone.ts'
import { advanceTo, makeRenewing, type Renewing, serviceOf, stopAutoRenewals, switchAutoRenewal } from '#testing/auto-renewal.ts'
import { failGateway, failNetwork, linesOf } from '#testing/simulators.ts'
import { useWorld } from '#testing/world.ts'

const world = useWorld()
afterEach(() => stopAutoRenewals(world()))

const zone = 'Pacific/Auckland'
const ordersOf = ({ serviceId }: Renewing) => world().db.selectFrom('orders').selectAll().where('service_id', '=', serviceId).where('auto_renewal', '=', true).orderBy('created_at').execute()
const invoicesOf = ({ serviceId }: Renewing) => world().db.selectFrom('invoices').select(['total_cents', 'tax_cents']).where('service_id', '=', serviceId).orderBy('created_at').execute()
const scheduleOf = async ({ customer }: Renewing) => Object.values((await serviceOf(customer)).schedules)[0]!
/** About auto-renewal alone, oldest first; `at` is local. */
async function mailsOf({ customer }: Renewing) {
  const mails = (await world().mailTo(customer.email)).filter(({ subject }) => !/confirm your email/.test(subject)).toReversed()
  return mails.map(({ subject, text, links, sent_at }) => ({ subject, text, links, at: Temporal.Instant.from(sent_at).toZonedDateTimeISO(zone).toPlainDateTime().toString().slice(0, 16) }))
}
const failuresOf = async (renewing: Renewing) => (await mailsOf(renewing)).filter(({ text }) => text.includes('We could not renew'))
const paidFor = async (orderCode: string) => (await linesOf(world(), orderCode)).gateway.map(({ authorised, captured, cancelled }) => ({ authorised, captured, cancelled }))
/** The plans that the network has on a line. */
async function plansAtNetwork({ iccid }: Renewing): Promise<{ sku: string; starts_at: string }[]> {
  const lines = (await (await fetch(`${world().deps.outside.networkUrl}/_simulator/lines`)).json()) as { iccid: string; plans: { sku: string; starts_at: string }[] }[]
  return lines.find((line) => line.iccid === iccid)?.plans ?? []
}
const local = (at: Temporal.ZonedDateTime): string => at.toPlainDateTime().toString().slice(0, 16)
const lastDay = ({ expiry }: Renewing, hour: number): Temporal.ZonedDateTime => expiry.subtract({ days: 1 }).withPlainTime({ hour })

describe('a plan that renews by itself', () => {
  test('is announced, charged once on its last day, shown as queued, and begins without a gap', async () => {
    const renewing = await makeRenewing(world(), { plan: 'plan-30-5gb' })
    const { expiry, customer } = renewing
    const [service] = customer.services
    const date = formatDate(expiry.toInstant(), zone)
    const number = formatNational(service!.msisdn)
    await advanceTo(world(), expiry.subtract({ days: 2 }))
    const notice = (await mailsOf(renewing)).at(-1)!
    expect(notice).toMatchObject({ subject: `Your Prepay Plan for ${number} renews on ${date}`, at: local(expiry.subtract({ days: 3 }).withPlainTime({ hour: 9 })) })
    const chargedOn = formatDate(lastDay(renewing, 9).toInstant(), zone)
    for (const said of ['5 GB Prepay Plan', `${chargedOn} at 09:00`, '$21.00 NZD', '**** 1111', 'Disable Auto Renewal']) expect(notice.text).toContain(said)
    expect(notice.links).toContain(`${world().deps.publicUrl}/services/${service!.id}/`)
    expect(await ordersOf(renewing)).toEqual([])
    expect((await scheduleOf(renewing)).next_plan).toBeNull()

    // Not a minute before.
    await advanceTo(world(), lastDay(renewing, 9).subtract({ minutes: 1 }))
    expect(await ordersOf(renewing)).toEqual([])
    await advanceTo(world(), lastDay(renewing, 9).add({ minutes: 1 }))
    const [order] = await ordersOf(renewing)
    expect(order).toMatchObject({ state: 'completed', amount_cents: 2100, kind: 'recharge' })
    expect(await paidFor(order!.order_code)).toEqual([{ authorised: 2100, captured: 2100, cancelled: 0 }])
    expect(await scheduleOf(renewing)).toMatchObject({ auto_recharge_enabled: true, next_plan: { title: '5 GB Prepay Plan', length: 30, starts_on: expiry.toInstant().toString({ fractionalSecondDigits: 3 }) } })
    expect((await plansAtNetwork(renewing)).map(({ starts_at }) => Temporal.Instant.from(starts_at).epochMilliseconds)).toContain(expiry.epochMilliseconds)
    expect((await serviceOf(customer)).expiry_date).toBe(expiry.toInstant().toString({ fractionalSecondDigits: 3 }))

    await advanceTo(world(), expiry.add({ seconds: 2 }))
    const next = await serviceOf(customer)
    expect(next).toMatchObject({ is_expired: false, plan_short_id: service!.shortId })
    expect(Temporal.Instant.from(next.expiry_date).toZonedDateTimeISO(zone).toPlainDate().toString()).toBe(expiry.toPlainDate().add({ days: 30 }).toString())
    expect(await scheduleOf(renewing)).toMatchObject({ auto_recharge_enabled: true, next_plan: null })
    expect(await invoicesOf(renewing)).toMatchObject([{ total_cents: 2200 }, { total_cents: 2100, tax_cents: 274 }])
    expect(await ordersOf(renewing)).toHaveLength(1)
    const subjects = (await mailsOf(renewing)).map(({ subject }) => subject)
    expect(subjects.filter((subject) => /expire|could not/.test(subject))).toEqual([])
  })

  test('does so again and again: one jump over three plans is three renewals, and the last one ends when it is switched off', async () => {
    const renewing = await makeRenewing(world())
    await advanceTo(world(), renewing.expiry.add({ days: 16 }))
    expect((await ordersOf(renewing)).map(({ state, amount_cents }) => [state, amount_cents])).toEqual([['completed', 600], ['completed', 600], ['completed', 600]])
    expect((await plansAtNetwork(renewing)).map(({ starts_at }) => Temporal.Instant.from(starts_at).epochMilliseconds).slice(1)).toEqual([0, 7, 14].map((days) => renewing.expiry.add({ days }).epochMilliseconds))
    await switchAutoRenewal(renewing, 'DELETE')
    await advanceTo(world(), renewing.expiry.add({ days: 21, minutes: 1 }))
    expect(await ordersOf(renewing)).toHaveLength(3)
    expect(await serviceOf(renewing.customer)).toMatchObject({ is_expired: true })
  })

  test('and was switched off after the charge: the plan that is paid for still comes, the one after it does not', async () => {
    const renewing = await makeRenewing(world())
    await advanceTo(world(), lastDay(renewing, 10))
    await switchAutoRenewal(renewing, 'DELETE')
    await advanceTo(world(), renewing.expiry.add({ minutes: 1 }))
    expect(await serviceOf(renewing.customer)).toMatchObject({ is_expired: false })
    await advanceTo(world(), renewing.expiry.add({ days: 7, minutes: 1 }))
    expect(await serviceOf(renewing.customer)).toMatchObject({ is_expired: true })
    expect(await ordersOf(renewing)).toHaveLength(1)
  })

  test('refuses a renewal by hand while the next plan waits, and names it', async () => {
    const renewing = await makeRenewing(world())
    await advanceTo(world(), lastDay(renewing, 10))
    const { visitor, services: [service] } = renewing.customer
    const answer = await visitor.post('/api/orders/recharge/', { uuid: service!.id, schedule: service!.shortId, payment_method: '1', use_saved_card: true, product: 'plan-7-500mb' }, { 'idempotency-key': crypto.randomUUID() })
    expect(answer.status).toBe(400)
    expect(JSON.stringify(answer.body)).toContain(`Your next Prepay Plan, 500 MB Prepay Plan, is already paid for and starts on ${formatDate(renewing.expiry.toInstant(), zone)}.`)
    expect(await ordersOf(renewing)).toHaveLength(1)
  })
})

describe('what is charged', () => {
  /** A plan of this test alone: its price and whether it is sold may be changed. */
  async function aPlanLike(uniqueId: string, change: { price_cents?: number; price_rebill_cents?: number; next_product_id?: string }): Promise<string> {
    const product = await world().db.selectFrom('products').selectAll().where('unique_id', '=', uniqueId).executeTakeFirstOrThrow()
    const id = `test-${crypto.randomUUID()}`
    await world().db.insertInto('products').values({ ...product, ...change, unique_id: id }).execute()
    return id
  }
  const change = (uniqueId: string, values: { price_cents?: number; hidden?: boolean; sku?: null }) => world().db.updateTable('products').set(values).where('unique_id', '=', uniqueId).execute()

  test('is what the notice said, though the price has changed since', async () => {
    const plan = await aPlanLike('plan-7-500mb', {})
    const renewing = await makeRenewing(world(), { plan })
    await advanceTo(world(), renewing.expiry.subtract({ days: 2 }))
    await change(plan, { price_cents: 9900 })
    await advanceTo(world(), lastDay(renewing, 10))
    const [order] = await ordersOf(renewing)
    expect(order).toMatchObject({ state: 'completed', amount_cents: 600 })
    expect(await paidFor(order!.order_code)).toEqual([{ authorised: 600, captured: 600, cancelled: 0 }])
    expect(await invoicesOf(renewing)).toMatchObject([{}, { total_cents: 600 }])
    // The next one is told of anew.
    await advanceTo(world(), renewing.expiry.add({ days: 5 }))
    expect((await mailsOf(renewing)).at(-1)?.text).toContain('$99.00 NZD')
  })

  test('is the next product’s price for renewals', async () => {
    const next = await aPlanLike('plan-7-1-5gb', { price_rebill_cents: 850 })
    const plan = await aPlanLike('plan-7-500mb', { next_product_id: next })
    const renewing = await makeRenewing(world(), { plan })
    await advanceTo(world(), renewing.expiry.add({ minutes: 1 }))
    expect(await ordersOf(renewing)).toMatchObject([{ product_id: next, amount_cents: 850, state: 'completed' }])
    expect((await scheduleOf(renewing)).product).toMatchObject({ unique_id: next, title: '1.5 GB Prepay Plan' })
  })

  test('is nothing when the plan is withdrawn before the notice: a mail says so, and it expires', async () => {
    const plan = await aPlanLike('plan-7-500mb', {})
    const renewing = await makeRenewing(world(), { plan })
    await change(plan, { hidden: true })
    await advanceTo(world(), renewing.expiry.subtract({ days: 2 }))
    const mail = (await mailsOf(renewing)).at(-1)!
    expect(mail.subject).toContain('Please choose your next Prepay Plan')
    expect(mail.links).toContain(`${world().deps.publicUrl}/services/renew/${renewing.customer.services[0]!.shortId}/`)
    expect((await scheduleOf(renewing)).auto_recharge_enabled).toBe(false)
    await advanceTo(world(), renewing.expiry.add({ minutes: 1 }))
    expect(await ordersOf(renewing)).toEqual([])
    expect(await serviceOf(renewing.customer)).toMatchObject({ is_expired: true })
  })

  test('is nothing when it is withdrawn after the notice', async () => {
    const plan = await aPlanLike('plan-7-500mb', {})
    const renewing = await makeRenewing(world(), { plan })
    await advanceTo(world(), renewing.expiry.subtract({ days: 2 }))
    await change(plan, { sku: null })
    await advanceTo(world(), lastDay(renewing, 22))
    expect(await ordersOf(renewing)).toEqual([])
    expect((await mailsOf(renewing)).filter(({ subject }) => subject.includes('Please choose'))).toHaveLength(1)
    expect((await scheduleOf(renewing)).auto_recharge_enabled).toBe(false)
  })
})

describe('a card that is refused', () => {
  test('is tried three times, each told of; then the service expires, and the dashboard says so', async () => {
    const renewing = await makeRenewing(world())
    const { customer, expiry } = renewing
    await failGateway(world(), { operation: 'authorise', kind: 'refuse', times: 3 })
    await advanceTo(world(), lastDay(renewing, 20))
    expect((await scheduleOf(renewing)).auto_recharge_enabled).toBe(true)
    await advanceTo(world(), expiry.add({ minutes: 1 }))
    const failures = await failuresOf(renewing)
    expect(failures.map(({ at }) => at)).toEqual([9, 15, 21].map((hour) => local(lastDay(renewing, hour))))
    const number = formatNational(customer.services[0]!.msisdn)
    const date = formatDate(expiry.toInstant(), zone)
    expect(failures.map(({ subject }) => subject)).toEqual([`We could not renew your Prepay Plan for ${number}`, `We could not renew your Prepay Plan for ${number}`, `Your Prepay Plan for ${number} expires on ${date}`])
    expect(failures.map(({ text }) => /try again on .* at (\d\d:\d\d)|Auto Renewal is (switched off)/.exec(text)?.slice(1).find(Boolean))).toEqual(['15:00', '21:00', 'switched off'])
    for (const { text, links } of failures) {
      expect(text).toContain('ending in 1111 was declined')
      expect(links).toEqual(expect.arrayContaining([`${world().deps.publicUrl}/account/payment-method/`, `${world().deps.publicUrl}/services/renew/${customer.services[0]!.shortId}/`]))
    }
    expect((await ordersOf(renewing)).map(({ state }) => state)).toEqual(['refused', 'refused', 'refused'])
    expect(await serviceOf(customer)).toMatchObject({ is_expired: true })
    expect((await scheduleOf(renewing)).auto_recharge_enabled).toBe(false)
    const events = await world().db.selectFrom('audit_events').select('event').where('user_id', '=', customer.id).where('event', 'like', 'auto_%').orderBy('id').execute()
    expect(events.map(({ event }) => event)).toEqual(['auto_renewal_enabled', 'auto_renewal_disabled'])
  })

  test('and then replaced is charged the second time, with the new one', async () => {
    const renewing = await makeRenewing(world())
    const { visitor } = renewing.customer
    await failGateway(world(), { operation: 'authorise', kind: 'refuse' })
    await advanceTo(world(), lastDay(renewing, 10))
    const before = await storedId(renewing)
    const replaced = await visitor.post('/api/orders/update_payment/', { payment_method: '1', use_saved_card: false, adyen_encrypted: world().card('Ana Marie Rewi') }, { 'idempotency-key': crypto.randomUUID() })
    expect(replaced.status).toBe(200)
    await advanceTo(world(), lastDay(renewing, 16))
    const orders = await ordersOf(renewing)
    expect(orders.map(({ state }) => state)).toEqual(['refused', 'completed'])
    const attempts = await world().db.selectFrom('payment_attempts').select('stored_card_id').where('order_id', 'in', orders.map(({ id }) => id)).orderBy('created_at').execute()
    expect(attempts.map((attempt) => attempt.stored_card_id)).toEqual([before, await storedId(renewing)])
    expect(attempts[0]?.stored_card_id).not.toBe(attempts[1]?.stored_card_id)
    expect(await failuresOf(renewing)).toHaveLength(1)
    await advanceTo(world(), renewing.expiry.add({ minutes: 1 }))
    expect(await serviceOf(renewing.customer)).toMatchObject({ is_expired: false })
  })

  test('is not tried again once auto-renewal is switched off', async () => {
    const renewing = await makeRenewing(world())
    await failGateway(world(), { operation: 'authorise', kind: 'refuse' })
    await advanceTo(world(), lastDay(renewing, 10))
    await switchAutoRenewal(renewing, 'DELETE')
    await advanceTo(world(), renewing.expiry.add({ minutes: 1 }))
    expect((await ordersOf(renewing)).map(({ state }) => state)).toEqual(['refused'])
    expect(await failuresOf(renewing)).toHaveLength(1)
    expect(await serviceOf(renewing.customer)).toMatchObject({ is_expired: true })
  })

  test.each([
    ['is gone', 'there is no credit card saved', (id: string) => world().db.deleteFrom('saved_cards').where('user_id', '=', id).execute()],
    ['has expired', 'your saved credit card has expired', (id: string) => world().db.updateTable('saved_cards').set({ expiry: '01/2020' }).where('user_id', '=', id).execute()],
  ] as const)('is as good as one that %s', async (_what, sentence, spoil) => {
    const renewing = await makeRenewing(world())
    await spoil(renewing.customer.id)
    await advanceTo(world(), renewing.expiry.add({ minutes: 1 }))
    expect(await ordersOf(renewing)).toEqual([])
    const [notice] = (await mailsOf(renewing)).filter(({ subject }) => subject.includes('renews on'))
    expect(notice?.links).toContain(`${world().deps.publicUrl}/account/payment-method/`)
    const failures = await failuresOf(renewing)
    expect(failures.map(({ at }) => at)).toEqual([9, 15, 21].map((hour) => local(lastDay(renewing, hour))))
    for (const { text } of failures) expect(text).toContain(sentence)
    expect((await scheduleOf(renewing)).auto_recharge_enabled).toBe(false)
  })
})

async function storedId({ customer }: Renewing): Promise<string> {
  return (await world().db.selectFrom('saved_cards').select('stored_id').where('user_id', '=', customer.id).executeTakeFirstOrThrow()).stored_id
}
