/* @module-tag slow */
import { describe, expect, test } from 'vitest'
import { type Customer, makeCustomer } from '#quality/support/customer.ts'
import { addSimUsage } from '#quality/support/simulators.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { useWorld } from '#quality/support/world.ts'

const zone = 'Pacific/Auckland'
const world = useWorld()
const now = () => world().deps.clock.now().toZonedDateTimeISO(zone)

/**
 * Returns the first instant of a day in New Zealand, computed from the law rather than with a time zone library.
 * Daylight time is one hour ahead of standard time, from the last Sunday of September to the first Sunday of April. The
 * clocks change a few hours after midnight.
 */
function midnight(day: Temporal.PlainDate): string {
  const sunday = (first: Temporal.PlainDate) => first.add({ days: (7 - first.dayOfWeek) % 7 })
  const april = sunday(Temporal.PlainDate.from({ year: day.year, month: 4, day: 1 }))
  const september = sunday(Temporal.PlainDate.from({ year: day.year, month: 9, day: 24 }))
  const isStandard = Temporal.PlainDate.compare(day, april) > 0 && Temporal.PlainDate.compare(day, september) <= 0
  return new Date(Date.UTC(day.year, day.month - 1, day.day, isStandard ? -12 : -13)).toISOString()
}

async function advanceTo(instant: Temporal.Instant): Promise<void> {
  const seconds = instant.since(world().deps.clock.now()).total('seconds')
  if (seconds > 0) await world().advance(`PT${Math.ceil(seconds)}S`)
}
/** Moves the clock to 40 seconds before the instant, so that even a slow machine can check in time. */
const justBefore = (instant: string): Promise<void> =>
  advanceTo(Temporal.Instant.from(instant).subtract({ seconds: 40 }))
const justAfter = (instant: string): Promise<void> => advanceTo(Temporal.Instant.from(instant).add({ seconds: 1 }))
const afternoonOf = (day: Temporal.PlainDate): Promise<void> =>
  advanceTo(day.toZonedDateTime({ timeZone: zone, plainTime: '15:00' }).toInstant())

async function look({ visitor, services: [service] }: Customer) {
  // A cached usage reading would hide the network's current state, so delete all readings.
  await world().db.deleteFrom('usage_readings').execute()
  const listed = (await visitor.get('/api/services/')).body[service!.id]
  const { body: summary } = await visitor.get(`/api/account/usage_summary/${service!.id}/`)
  return { listed, summary, buckets: await bucketsOf(service!.msisdn) }
}

type Bucket = { validFor: { startDateTime: string; endDateTime: string }; remainingValue: { amount: number } }

async function bucketsOf(msisdn: string): Promise<Bucket[]> {
  const answer = await fetch(
    `${world().deps.outside.networkUrl}/tmf-api/prepayBalanceManagement/v4/bucket?logicalResource.id=${encodeURIComponent(msisdn)}`,
  )
  return (await answer.json()) as Bucket[]
}

async function expectCycle(
  customer: Customer,
  wanted: { start?: string; end: string; expiry: string; length: number; daysLeft: number; isFinal: boolean },
): Promise<void> {
  const { listed, summary, buckets } = await look(customer)
  expect({ is_expired: listed.is_expired, expiry: listed.expiry_date }).toEqual({
    is_expired: false,
    expiry: wanted.expiry,
  })
  expect({ ...summary, plan: { ...summary.plan, entitlements: summary.plan.entitlements.length } }).toMatchObject({
    is_expired: false,
    expiry_date: iso(wanted.expiry),
    renewal_date: iso(wanted.end),
    days_remaining: wanted.daysLeft,
    plan: { renewal_length: wanted.length, is_final_cycle: wanted.isFinal, entitlements: 1 },
  })
  expect(buckets).toMatchObject([
    { validFor: { endDateTime: wanted.end, ...(wanted.start && { startDateTime: wanted.start }) } },
  ])
}

const iso = (instant: string): string => Temporal.Instant.from(instant).toString()

async function expectExpired(customer: Customer, expiry: string): Promise<void> {
  const { listed, summary, buckets } = await look(customer)
  expect(listed).toMatchObject({ is_expired: true, expiry_date: expiry })
  expect(summary).toMatchObject({ is_expired: true, days_remaining: 0, plan: { entitlements: [] } })
  expect(buckets).toEqual([])
}

const mailTimes = async ({ email }: Customer): Promise<string[]> =>
  (await world().mailTo(email))
    .filter(({ subject }) => /lose/.test(subject))
    .map(({ sent_at: at }) =>
      Temporal.Instant.from(at).toZonedDateTimeISO(zone).toPlainTime().toString({ smallestUnit: 'minute' }),
    )

// The test's clock only moves forward, so the clock changes are tested in chronological order.
describe.each(['the next daylight saving change', 'the daylight saving change after that'])(
  'plans and usage across %s',
  () => {
    test('data cycles, plan expiry and number release happen at local midnight, both in the portal and on the network', async () => {
      const change = now().add({ days: 12 }).getTimeZoneTransition('next')!
      const day = change.toPlainDate()
      const bought = day.subtract({ days: 10 })
      await afternoonOf(bought)
      const [long, short] = await Promise.all([
        makeCustomer(world(), { services: 1, plan: 'plan-90-5gb' }),
        makeCustomer(world(), { services: 1, plan: 'plan-7-500mb' }),
      ])
      const after = (days: number) => midnight(bought.add({ days }))
      // The clocks change between these days, so the period is an hour longer or shorter than thirty 24-hour days.
      expect((Date.parse(after(30)) - Date.parse(after(0))) / 3_600_000).toBe(30 * 24 + (day.month === 4 ? 1 : -1))

      await expectCycle(long, { end: after(30), expiry: after(90), length: 30, daysLeft: 30, isFinal: false })
      await justBefore(after(7))
      await expectCycle(short, { end: after(7), expiry: after(7), length: 7, daysLeft: 1, isFinal: true })
      await justAfter(after(7))
      await expectExpired(short, after(7))

      await advanceTo(day.toZonedDateTime({ timeZone: zone, plainTime: '23:30' }).toInstant())
      await addSimUsage(world(), {
        iccid: long.services[0]!.sim.iccid,
        type: 'sms',
        amount: 1,
        destination: '6421555999',
      })
      const { body: detail } = await long.visitor.get(`/api/account/usage_detail/${long.services[0]!.id}/`)
      expect(detail.end_date).toBe(day.toString())
      expect(detail.data_usage.map(({ date }: { date: string }) => date)).toEqual(
        Array.from({ length: 7 }, (_, at) => day.subtract({ days: 6 - at }).toString()),
      )
      const sent = detail.txt_usage.find(({ destination }: { destination: string }) => destination === '+6421555999')
      expect(Temporal.Instant.from(sent.date).toZonedDateTimeISO(zone).toPlainDate().toString()).toBe(day.toString())

      await justBefore(after(30))
      await expectCycle(long, { end: after(30), expiry: after(90), length: 30, daysLeft: 1, isFinal: false })
      await justAfter(after(30))
      await expectCycle(long, {
        start: after(30),
        end: after(60),
        expiry: after(90),
        length: 30,
        daysLeft: 30,
        isFinal: false,
      })

      await justBefore(after(57))
      expect((await look(short)).listed).toMatchObject({ is_expired: true })
      expect(await mailTimes(short)).toEqual(['09:00', '09:00', '09:00'])
      await justAfter(after(57))
      expect((await look(short)).listed).toBeUndefined()
      await pollUntil(async () => (await linesOf(short)).length === 0)

      await justAfter(after(60))
      await expectCycle(long, {
        start: after(60),
        end: after(90),
        expiry: after(90),
        length: 30,
        daysLeft: 30,
        isFinal: true,
      })
      await justBefore(after(90))
      await expectCycle(long, {
        start: after(60),
        end: after(90),
        expiry: after(90),
        length: 30,
        daysLeft: 1,
        isFinal: true,
      })
      await justAfter(after(90))
      await expectExpired(long, after(90))
    })
  },
)

test('29 February counts as a normal day in plans and usage', async () => {
  const leapDay = Array.from({ length: 9 }, (_, years) => now().year + years)
    .map((year) => Temporal.PlainDate.from({ year, month: 2, day: 28 }).add({ days: 1 }))
    .find((date) => date.day === 29 && Temporal.PlainDate.compare(now().toPlainDate().add({ days: 30 }), date) < 0)!
  const { year } = leapDay
  const on = (month: number, day: number, inYear = year) => Temporal.PlainDate.from({ year: inYear, month, day })
  await afternoonOf(on(1, 31))
  const month = await makeCustomer(world(), { services: 1, plan: 'plan-30-5gb' })
  const firstOfMarch = midnight(on(3, 1))
  await expectCycle(month, { end: firstOfMarch, expiry: firstOfMarch, length: 30, daysLeft: 30, isFinal: true })

  await afternoonOf(leapDay)
  await expectCycle(month, { end: firstOfMarch, expiry: firstOfMarch, length: 30, daysLeft: 1, isFinal: true })
  const { body: detail } = await month.visitor.get(`/api/account/usage_detail/${month.services[0]!.id}/`)
  expect(detail.data_usage.map(({ date }: { date: string }) => date).slice(-2)).toEqual([
    `${year}-02-28`,
    `${year}-02-29`,
  ])
  const wholeYear = await makeCustomer(world(), { services: 1, plan: 'plan-365-5gb' })
  await expectCycle(wholeYear, {
    end: midnight(on(3, 30)),
    expiry: midnight(on(2, 28, year + 1)),
    length: 30,
    daysLeft: 30,
    isFinal: false,
  })

  await justBefore(firstOfMarch)
  await expectCycle(month, { end: firstOfMarch, expiry: firstOfMarch, length: 30, daysLeft: 1, isFinal: true })
  await justAfter(firstOfMarch)
  await expectExpired(month, firstOfMarch)
})

async function linesOf({ services: [service] }: Customer): Promise<object[]> {
  const lines = (await (await fetch(`${world().deps.outside.networkUrl}/_simulator/lines`)).json()) as {
    iccid: string
  }[]
  return lines.filter(({ iccid }) => iccid === service!.sim.iccid)
}
