/* @module-tag slow */
import { afterEach, describe, expect, test } from 'vitest'
import { formatDate } from '#kit/contract/dates.ts'
import { formatNational } from '#kit/contract/phone.ts'
import { realNow } from '#kit/server/clock.ts'
import {
  advanceClockTo,
  readCharges,
  computeChargeTimes,
  formatWeekdayAndDate,
  getLastDayAtHour,
  readEmails,
  createRenewingCustomer,
  formatToMinute,
  type RenewingCustomer,
  readCustomerSchedule,
  readCustomerService,
  stopAutoRenewals,
  setAutoRenewal,
  zone,
  runAutoRenewal,
} from '#quality/support/auto-renewal.ts'
import { findFaultsWhenIdle } from '#quality/support/reconciliation.ts'
import { clearFailures, failGateway, readProviderRecords } from '#quality/support/simulators.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { useWorld } from '#quality/support/world.ts'

const world = useWorld()
afterEach(() => stopAutoRenewals(world()))

const isoOf = (at: Temporal.ZonedDateTime): string => at.toInstant().toString({ fractionalSecondDigits: 3 })
const dayOf = (at: Temporal.ZonedDateTime): string => formatDate(at.toInstant(), zone)

async function startsAtNetwork({ service }: RenewingCustomer): Promise<string[]> {
  const lines = (await (await fetch(`${world().deps.outside.networkUrl}/_simulator/lines`)).json()) as {
    iccid: string
    plans: { starts_at: string }[]
  }[]
  return (lines.find(({ iccid }) => iccid === service.sim.iccid)?.plans ?? []).map(({ starts_at }) =>
    Temporal.Instant.from(starts_at).toString({ fractionalSecondDigits: 3 }),
  )
}

describe('renewing plans automatically', () => {
  test('auto-renewal announces the next plan, charges for it once on the last day, and leaves no gap between the plans', async () => {
    const renewing = await createRenewingCustomer(world(), { plan: 'plan-30-5gb' })
    const { expiry, service } = renewing
    await advanceClockTo(world(), expiry.subtract({ days: 2 }))
    const notice = (await readEmails(world(), renewing)).at(-1)
    expect(notice).toMatchObject({
      subject: `Your Prepay Plan for ${formatNational(service.msisdn)} renews on ${dayOf(expiry)}`,
      at: formatToMinute(expiry.subtract({ days: 3 }).withPlainTime({ hour: 9 })),
      links: expect.arrayContaining([`${world().deps.publicUrl}/services/${service.id}/`]),
    })
    for (const said of [
      '5 GB Prepay Plan',
      `renews on ${formatWeekdayAndDate(expiry)}. ` +
        `${formatWeekdayAndDate(getLastDayAtHour(renewing, 9))} is the last day of your current plan`,
      `${formatWeekdayAndDate(getLastDayAtHour(renewing, 9))} at 9 am`,
      '$21.00 NZD',
      'Visa ending 1111',
      'Disable Auto Renewal',
    ])
      expect(notice?.text).toContain(said)

    await advanceClockTo(world(), getLastDayAtHour(renewing, 9).subtract({ minutes: 1 }))
    expect(await readCharges(world(), renewing)).toEqual([])
    expect((await readCustomerSchedule(renewing)).next_plan).toBeNull()
    await advanceClockTo(world(), getLastDayAtHour(renewing, 9).add({ minutes: 1 }))
    const [order] = await readCharges(world(), renewing)
    expect(order).toMatchObject({ state: 'completed', kind: 'recharge', amount_cents: 2100 })
    expect((await readProviderRecords(world(), order?.order_code ?? '')).gateway).toMatchObject([
      { authorised: 2100, captured: 2100, cancelled: 0 },
    ])
    expect(await readCustomerSchedule(renewing)).toMatchObject({
      auto_recharge_enabled: true,
      next_plan: { title: '5 GB Prepay Plan', length: 30, starts_on: isoOf(expiry) },
    })
    expect((await startsAtNetwork(renewing)).slice(1)).toEqual([isoOf(expiry)])
    expect((await readCustomerService(renewing)).expiry_date).toBe(isoOf(expiry))

    await advanceClockTo(world(), expiry.add({ seconds: 2 }))
    expect(await readCustomerService(renewing)).toMatchObject({
      is_expired: false,
      plan_short_id: service.shortId,
      expiry_date: isoOf(expiry.add({ days: 30 })),
    })
    expect(await readCustomerSchedule(renewing)).toMatchObject({ auto_recharge_enabled: true, next_plan: null })
    const invoices = await world()
      .db.selectFrom('invoices')
      .select(['total_cents', 'tax_cents'])
      .where('service_id', '=', service.id)
      .orderBy('created_at')
      .execute()
    expect(invoices).toMatchObject([{ total_cents: 2200 }, { total_cents: 2100, tax_cents: 274 }])
    expect(await readCharges(world(), renewing)).toHaveLength(1)
    expect((await readEmails(world(), renewing)).filter(({ subject }) => /expire|could not/.test(subject))).toEqual([])
  })

  test('a plan paid for before auto-renewal was switched off still starts, but is not renewed', async () => {
    const renewing = await createRenewingCustomer(world())
    const { service, customer } = renewing
    const [second, third, end] = [0, 7, 14].map((days) => renewing.expiry.add({ days })) as [
      Temporal.ZonedDateTime,
      Temporal.ZonedDateTime,
      Temporal.ZonedDateTime,
    ]
    await advanceClockTo(world(), third.subtract({ hours: 12 }))
    expect((await readCharges(world(), renewing)).map(({ state, amount_cents }) => [state, amount_cents])).toEqual([
      ['completed', 600],
      ['completed', 600],
    ])
    expect((await startsAtNetwork(renewing)).slice(1)).toEqual([isoOf(second), isoOf(third)])
    await setAutoRenewal(renewing, 'DELETE')
    expect(await readCustomerSchedule(renewing)).toMatchObject({
      auto_recharge_enabled: false,
      next_plan: { starts_on: isoOf(third) },
    })
    const byHand = {
      uuid: service.id,
      schedule: service.shortId,
      payment_method: '1',
      use_saved_card: true,
      product: 'plan-7-500mb',
    }
    const answer = await customer.visitor.post('/api/orders/recharge/', byHand, {
      'idempotency-key': crypto.randomUUID(),
    })
    expect(answer).toMatchObject({
      status: 400,
      body: {
        __all__: [`Your next Prepay Plan, 500 MB Prepay Plan, is already paid for and starts on ${dayOf(third)}.`],
      },
    })

    await advanceClockTo(world(), third.add({ minutes: 1 }))
    expect(await readCustomerService(renewing)).toMatchObject({ is_expired: false, expiry_date: isoOf(end) })
    await advanceClockTo(world(), end.add({ minutes: 1 }))
    expect(await readCustomerService(renewing)).toMatchObject({ is_expired: true })
    expect(await readCharges(world(), renewing)).toHaveLength(2)
  })
})

test('switching auto-renewal on after the usual charge time sends the notice immediately and charges within 15 minutes', async () => {
  const renewing = await createRenewingCustomer(world(), { enabled: false })
  const { expiry } = renewing
  await advanceClockTo(world(), getLastDayAtHour(renewing, 22))
  await setAutoRenewal(renewing, 'PUT')
  const notice = await pollUntil(async () =>
    (await readEmails(world(), renewing)).find(({ subject }) => subject.includes('renews on')),
  )
  expect(notice.text).toContain(`${formatWeekdayAndDate(getLastDayAtHour(renewing, 22))} at 10:10 pm`)
  expect(await readCharges(world(), renewing)).toEqual([])
  await advanceClockTo(world(), getLastDayAtHour(renewing, 22).add({ minutes: 15 }))
  expect(await readCharges(world(), renewing)).toMatchObject([{ state: 'completed' }])
  await advanceClockTo(world(), expiry.add({ minutes: 1 }))
  expect(await readCustomerService(renewing)).toMatchObject({
    is_expired: false,
    expiry_date: isoOf(expiry.add({ days: 7 })),
  })
})

test('after a manual renewal, the notice and the charge follow the new plan’s dates', async () => {
  const renewing = await createRenewingCustomer(world())
  const { service, customer, expiry } = renewing
  await advanceClockTo(world(), expiry.subtract({ days: 2 }))
  const byHand = {
    uuid: service.id,
    schedule: service.shortId,
    payment_method: '1',
    use_saved_card: true,
    product: 'plan-7-500mb',
  }
  expect(
    (await customer.visitor.post('/api/orders/recharge/', byHand, { 'idempotency-key': crypto.randomUUID() })).status,
  ).toBe(200)
  const { expiry_date } = await readCustomerService(renewing)
  const later = { ...renewing, expiry: Temporal.Instant.from(expiry_date).toZonedDateTimeISO(zone) }
  expect(later.expiry.equals(expiry.add({ days: 5 }))).toBe(true)
  await advanceClockTo(world(), getLastDayAtHour(later, 8))
  expect(await readCharges(world(), renewing)).toEqual([])
  expect((await readEmails(world(), renewing)).filter(({ subject }) => subject.includes('renews on'))).toHaveLength(2)
  await advanceClockTo(world(), getLastDayAtHour(later, 10))
  expect(await readCharges(world(), renewing)).toMatchObject([{ state: 'completed' }])
})

test('does not repeat a charge with an unknown outcome when the next attempt is due', async () => {
  const renewing = await createRenewingCustomer(world())
  const [first, ...more] = computeChargeTimes(renewing)
  await advanceClockTo(world(), first.subtract({ minutes: 1 }))
  // The gateway reserves the money, but its response is lost.
  await failGateway(world(), { operation: 'authorise', kind: 'lost_answer', times: 1000 })
  await runAutoRenewal(world().deps, first.toInstant())
  const [order] = await pollUntil(async () => {
    const orders = await readCharges(world(), renewing)
    return orders[0]?.state === 'payment_unknown' && orders
  })
  // A payment gets a later deadline while it is waiting to be sent to the gateway. Once it has been sent, the usual deadline applies.
  const { created_at: made, resolve_by: by } = await world()
    .db.selectFrom('payment_attempts')
    .select(['created_at', 'resolve_by'])
    .where('order_id', '=', order?.id ?? '')
    .executeTakeFirstOrThrow()
  expect((by.getTime() - made.getTime()) / 1_000).toBeLessThan(5 * 60)
  // The deadline comes from the database's clock, which may be a few milliseconds off the host's clock.
  expect(by.getTime() - realNow().epochMilliseconds).toBeLessThanOrEqual(75_000)
  for (const time of [...more, getLastDayAtHour(renewing, 22)]) await runAutoRenewal(world().deps, time.toInstant())
  expect(await readCharges(world(), renewing)).toHaveLength(1)
  await clearFailures(world())
  await pollUntil(async () => (await readCharges(world(), renewing))[0]?.state === 'completed')
  for (const hour of [23, 23]) await runAutoRenewal(world().deps, getLastDayAtHour(renewing, hour).toInstant())
  expect(await readCharges(world(), renewing)).toHaveLength(1)
  expect((await readProviderRecords(world(), order?.order_code ?? '')).gateway).toMatchObject([
    { authorised: 600, captured: 600, cancelled: 0 },
  ])
  await advanceClockTo(world(), renewing.expiry.add({ minutes: 1 }))
  expect(await readCustomerService(renewing)).toMatchObject({ is_expired: false })
  expect((await readEmails(world(), renewing)).filter(({ subject }) => /could not|expire/.test(subject))).toEqual([])
})

test('our records match the providers’ records after automatic renewals', async () =>
  expect(await findFaultsWhenIdle(world())).toEqual([]))
