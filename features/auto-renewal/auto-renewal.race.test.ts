import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import {
  readCharges,
  computeChargeTimes,
  readFailureEmails,
  readEmails,
  createRenewingCustomer,
  type RenewingCustomer,
  readCustomerSchedule,
  setAutoRenewal,
  runAutoRenewal,
} from '#quality/support/auto-renewal.ts'
import { makeCustomer } from '#quality/support/customer.ts'
import { findFaultsWhenIdle } from '#quality/support/reconciliation.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { useWorld } from '#quality/support/world.ts'

const world = useWorld()

/**
 * Runs the scheduler as if it were the given time. The test world's own scheduler stays idle, because its clock has not
 * reached any due time yet.
 */
const round = (now: Temporal.ZonedDateTime): Promise<boolean> => runAutoRenewal(world().deps, now.toInstant())
const noticeOf = ({ expiry }: RenewingCustomer): Temporal.ZonedDateTime =>
  expiry.subtract({ days: 3 }).withPlainTime({ hour: 9 })
const chargesEnded = (renewing: RenewingCustomer): Promise<boolean> =>
  pollUntil(async () =>
    (await readCharges(world(), renewing)).every(({ state }) => ['completed', 'refused', 'undone'].includes(state)),
  )

async function announced(count: number): Promise<[RenewingCustomer, ...RenewingCustomer[]]> {
  const all = (await Promise.all(Array.from({ length: count }, () => createRenewingCustomer(world())))) as [
    RenewingCustomer,
    ...RenewingCustomer[],
  ]
  await round(noticeOf(all[0]))
  return all
}

test('concurrent schedulers send each notice and make each charge only once', async () => {
  const all = await Promise.all(Array.from({ length: 5 }, () => createRenewingCustomer(world())))
  const [first] = all as [RenewingCustomer, ...RenewingCustomer[]]
  const [charged, ...more] = computeChargeTimes(first)
  for (const now of [noticeOf(first), charged]) await Promise.all(Array.from({ length: 5 }, () => round(now)))
  for (const each of all) {
    await chargesEnded(each)
    expect(await readCharges(world(), each)).toMatchObject([{ state: 'completed' }])
    await pollUntil(async () => (await readEmails(world(), each)).some(({ subject }) => subject.includes('renews on')))
    expect((await readEmails(world(), each)).filter(({ subject }) => subject.includes('renews on'))).toHaveLength(1)
  }
  for (const now of more) await Promise.all(Array.from({ length: 5 }, () => round(now)))
  for (const each of all) expect(await readCharges(world(), each)).toHaveLength(1)
})

test('after auto-renewal is switched on and off concurrently, the audit trail and the service list match the stored setting', async () => {
  const customer = await makeCustomer(world(), { card: true })
  const [service] = customer.services
  const send = (method: string) =>
    customer.visitor.send(method, `/api/services/auto_renew/${service!.id}/${service!.shortId}/`, {
      headers: { 'x-csrftoken': customer.visitor.cookie('csrftoken') ?? '' },
    })
  const answers = await Promise.all(Array.from({ length: 20 }, (_, at) => send(at % 2 ? 'DELETE' : 'PUT')))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))

  const { enabled: isOn } = await world()
    .db.selectFrom('auto_renewals')
    .select('enabled')
    .where('service_id', '=', service!.id)
    .executeTakeFirstOrThrow()
  const audited = await world()
    .db.selectFrom('audit_events')
    .select('event')
    .where('user_id', '=', customer.id)
    .where('event', 'like', 'auto_renewal_%')
    .execute()
  const count = (event: string) => audited.filter((row) => row.event === event).length
  // Only actual changes of the setting are audited, so the two kinds of events must alternate.
  expect(count('auto_renewal_enabled') - count('auto_renewal_disabled')).toBe(isOn ? 1 : 0)
  const listed = (await customer.visitor.get('/api/services/')).body[service!.id]
  expect(listed.schedules[service!.shortId].auto_recharge_enabled).toBe(isOn)
})

describe('switching auto-renewal off during a charge', () => {
  // The gateway declines every charge in this test, so the same plan can be charged again and again.
  test('when auto-renewal is switched off during a charge, that charge may still be made but is never repeated', async () => {
    const [refused] = await announced(1)
    await world()
      .db.updateTable('saved_cards')
      .set({ stored_id: 'GONE' })
      .where('user_id', '=', refused.customer.id)
      .execute()
    const [now] = computeChargeTimes(refused)
    const outcomes = new Set<number>()
    const soon = () => pause(randomInt(12))
    /*
     * On a busy machine, switching off takes much longer than starting a scheduler. Delay the schedulers in every
     * second round to make up for it.
     */
    let switchingMs = 6
    const later = () => pause(randomInt(2 * Math.ceil(switchingMs)))
    const switchOff = async () => {
      const begun = performance.now()
      await setAutoRenewal(refused, 'DELETE')
      switchingMs = Math.min(performance.now() - begun, 1_000)
    }
    for (let times = 0; times < 40; times++) {
      const someTime = times % 2 ? later : soon
      const before = (await readCharges(world(), refused)).length
      await world()
        .db.updateTable('auto_renewals')
        .set({ enabled: true, step: 'charge', attempts: 0, due_at: new Date(now.epochMilliseconds) })
        .where('service_id', '=', refused.service.id)
        .execute()
      await Promise.all([someTime().then(() => round(now)), someTime().then(() => round(now)), soon().then(switchOff)])
      const made = (await readCharges(world(), refused)).length - before
      outcomes.add(made)
      await round(now.add({ hours: 12 }))
      expect((await readCharges(world(), refused)).length - before).toBe(made)
      await chargesEnded(refused)
      await round(now)
    }
    expect([...outcomes].toSorted((one, other) => one - other)).toEqual([0, 1])
    expect((await readCustomerSchedule(refused)).auto_recharge_enabled).toBe(false)
    const charges = await readCharges(world(), refused)
    await pollUntil(async () => (await readFailureEmails(world(), refused)).length === charges.length)
  })

  test('when auto-renewal is switched off during a charge, the customer is charged if and only if the next plan is queued', async () => {
    const switching = await announced(6)
    const charged = await Promise.all(
      switching.map(async (each) => {
        await Promise.all([
          pause(randomInt(20)).then(() => setAutoRenewal(each, 'DELETE')),
          pause(randomInt(20)).then(() => round(computeChargeTimes(each)[0])),
        ])
        await chargesEnded(each)
        await round(computeChargeTimes(each).at(-1)!)
        return readCharges(world(), each)
      }),
    )
    for (const [at, orders] of charged.entries()) {
      const schedule = await readCustomerSchedule(switching[at]!)
      expect(schedule.auto_recharge_enabled).toBe(false)
      expect(orders.length).toBeLessThan(2)
      expect([schedule.next_plan !== null, ...orders.map(({ state }) => state)]).toEqual(
        orders.length > 0 ? [true, 'completed'] : [false],
      )
    }
  })
})

test.each(['now', 'at_end'])(
  'a manual renewal (%s) at the same time as an auto-renewal charge results in exactly one renewal',
  async (starts) => {
    await Promise.all(
      (await announced(3)).map(async (each) => {
        const { service, customer } = each
        const payload = {
          uuid: service.id,
          schedule: service.shortId,
          payment_method: '1',
          use_saved_card: true,
          product: 'plan-7-500mb',
          starts,
        }
        const [{ status }] = await Promise.all([
          pause(randomInt(30)).then(() =>
            customer.visitor.post('/api/orders/recharge/', payload, { 'idempotency-key': crypto.randomUUID() }),
          ),
          pause(randomInt(30)).then(() => round(computeChargeTimes(each)[0])),
        ])
        const renewals = await pollUntil(async () => {
          const all = await world()
            .db.selectFrom('orders')
            .selectAll()
            .where('service_id', '=', service.id)
            .where('kind', '=', 'recharge')
            .execute()
          return all.every(({ state }) => state === 'completed') && all
        })
        expect(renewals).toHaveLength(1)
        // The customer may get a response to the manual renewal before its outcome is known.
        expect(renewals[0]?.auto_renewal).toBe(status === 400)
      }),
    )
  },
)

test('our records match the providers’ records after concurrent automatic renewals', async () =>
  expect(await findFaultsWhenIdle(world())).toEqual([]))
