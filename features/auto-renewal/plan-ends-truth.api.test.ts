/* @module-tag slow */
import { beforeAll, describe, expect, test } from 'vitest'
import { processDueDeadlines } from '#features/services/server/plan-life.ts'
import {
  advanceClockTo,
  readEmails,
  createRenewingCustomer,
  formatToMinute,
  type RenewingCustomer,
  setAutoRenewal,
  zone,
} from '#quality/support/auto-renewal.ts'
import { withHeldMessages } from '#quality/support/held-messages.ts'
import { loseResponseTo } from '#quality/support/lost-response.ts'
import { renew } from '#quality/support/purchases.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { useWorld } from '#quality/support/world.ts'

const world = useWorld()
const aPlan = (enabled = false) => createRenewingCustomer(world(), { plan: 'plan-30-5gb', enabled })
const on = ({ expiry }: RenewingCustomer, days: number, hour: number): Temporal.ZonedDateTime =>
  expiry.subtract({ days }).withPlainTime({ hour })

/**
 * Runs a worker as if it were the given time. The test world's own worker only runs once the test clock reaches that
 * time.
 */
const sweep = (at: Temporal.ZonedDateTime, deps = world().deps) => processDueDeadlines(deps, at.toInstant())

async function written({ service }: RenewingCustomer): Promise<[mails: string[], texts: string[]]> {
  const rows = await world()
    .db.selectFrom('messages')
    .select(['channel', 'event_key'])
    .where('event_key', 'like', `plan-life%:${service.id}:ends-%`)
    .orderBy('created_at')
    .execute()
  const said = (channel: string) =>
    rows.filter((row) => row.channel === channel).map(({ event_key: key }) => key.split(':')[2] ?? '')
  return [said('email'), said('sms')]
}

const deadlinesOf = async ({ service }: RenewingCustomer): Promise<string[]> => {
  const rows = await world()
    .db.selectFrom('service_deadlines')
    .selectAll()
    .where('service_id', '=', service.id)
    .where('kind', 'in', ['ends-7', 'ends-3', 'ends-1'])
    .orderBy('due_at')
    .execute()
  return rows.map(
    ({ kind, due_at: at }) =>
      `${kind} ${formatToMinute(Temporal.Instant.from(at.toISOString()).toZonedDateTimeISO(zone))}`,
  )
}

describe('plan-end reminders when the worker runs late', () => {
  test('a worker that runs late sends a single plan-end reminder with the current number of days left', async () => {
    const plan = await aPlan()
    await Promise.all([1, 2, 3].map(() => sweep(on(plan, 2, 12))))
    expect(await written(plan)).toEqual([['ends-2'], ['ends-2']])
    expect(await deadlinesOf(plan)).toEqual([`ends-1 ${formatToMinute(on(plan, 1, 9))}`])
  })

  test('a plan-end reminder that fails does not hold up other reminders and is retried in the next run', async () => {
    const [bad, good] = [await aPlan(), await aPlan()]
    const { remindOfEnds: remind } = world().deps
    const deps: ReturnType<typeof world>['deps'] = {
      ...world().deps,
      async remindOfEnds(trx, ending, now) {
        if (ending.some(({ service }) => service.id === bad.service.id)) throw new Error('trouble')
        return remind(trx, ending, now)
      },
    }
    await expect(sweep(on(bad, 2, 12), deps)).rejects.toThrow('trouble')
    expect(await written(good)).toEqual([['ends-2'], ['ends-2']])
    expect(await deadlinesOf(bad)).toHaveLength(3)
    await sweep(on(bad, 2, 12))
    expect(await written(bad)).toEqual([['ends-2'], ['ends-2']])
  })

  test('a plan-end reminder due at night is sent in the morning, and states the number of days left by then', async () => {
    const plan = await aPlan()
    await sweep(on(plan, 3, 20))
    expect(await written(plan)).toEqual([[], []])
    const morning = formatToMinute(on(plan, 2, 9))
    expect((await deadlinesOf(plan)).slice(0, 2).toSorted()).toEqual([`ends-3 ${morning}`, `ends-7 ${morning}`])
    await sweep(on(plan, 2, 9))
    expect(await written(plan)).toEqual([['ends-2'], ['ends-2']])
  })

  test('does not send a plan-end reminder on the plan’s last evening', async () => {
    const plan = await aPlan()
    await sweep(on(plan, 1, 21))
    expect(await written(plan)).toEqual([[], []])
    expect(await deadlinesOf(plan)).toEqual([])
  })

  test('sends no plan-end reminder after the plan has ended', async () => {
    const plan = await aPlan()
    await sweep(plan.expiry.add({ hours: 12 }))
    expect(await written(plan)).toEqual([[], []])
  })
})

describe('plan-end reminders delayed in the outbox', () => {
  let same: RenewingCustomer,
    later: RenewingCustomer,
    moved: RenewingCustomer,
    switched: RenewingCustomer,
    renewed: RenewingCustomer
  const all = () => [same, moved, switched, renewed, later]
  const outcomes = async ({ service }: RenewingCustomer) => {
    const rows = await world()
      .db.selectFrom('messages')
      .select(['sent_at', 'dropped_at'])
      .where('service_id', '=', service.id)
      .where('event_key', 'like', '%:ends-3:%')
      .execute()
    return rows.map((row) => (row.sent_at ? 'sent' : row.dropped_at ? 'dropped' : 'waits'))
  }
  const goOut = async (of: RenewingCustomer) => {
    await world()
      .db.updateTable('messages')
      .set({ retry_at: new Date() })
      .where('service_id', '=', of.service.id)
      .where('retry_at', 'is not', null)
      .execute()
    await pollUntil(async () => !(await outcomes(of)).includes('waits'))
  }

  beforeAll(async () => {
    ;[same, later, moved, switched, renewed] = (await Promise.all([1, 2, 3, 4, 5].map(() => aPlan()))) as [
      RenewingCustomer,
      RenewingCustomer,
      RenewingCustomer,
      RenewingCustomer,
      RenewingCustomer,
    ]
    await advanceClockTo(world(), on(same, 3, 8))
    await withHeldMessages(world().db, () => sweep(on(same, 3, 9)))
    const ids = all().map(({ service }) => service.id)
    await world()
      .db.updateTable('messages')
      .set({ retry_at: new Date('2100-01-01') })
      .where('service_id', 'in', ids)
      .where('sealed_body', 'is not', null)
      .execute()
    await advanceClockTo(world(), on(same, 3, 10))
  })

  test('sends a delayed plan-end reminder if what it says is still true', async () => {
    expect(await outcomes(same)).toEqual(['waits', 'waits'])
    await goOut(same)
    expect(await outcomes(same)).toEqual(['sent', 'sent'])
  })

  test('drops a delayed plan-end reminder if the service’s number has changed', async () => {
    await world()
      .db.updateTable('services')
      .set({ msisdn: '+64275550199' })
      .where('id', '=', moved.service.id)
      .execute()
    await goOut(moved)
    expect(await outcomes(moved)).toEqual(['dropped', 'dropped'])
    expect((await world().smsTo(moved.service.msisdn)).filter(({ text }) => text.includes('3 days left'))).toEqual([])
  })

  test('drops a delayed plan-end reminder once auto-renewal is on', async () => {
    await setAutoRenewal(switched, 'PUT')
    await goOut(switched)
    expect(await outcomes(switched)).toEqual(['dropped', 'dropped'])
    expect((await readEmails(world(), switched)).map(({ subject }) => subject).join()).not.toContain('3 days left')
  })

  test('drops a delayed plan-end reminder once the plan has been renewed', async () => {
    const { status } = await renew(world(), renewed.customer.visitor, renewed.service, { saved: true })
    expect(status).toBe(200)
    await goOut(renewed)
    expect(await outcomes(renewed)).toEqual(['dropped', 'dropped'])
  })

  test('drops a delayed plan-end reminder the next day, because the number of days left has changed', async () => {
    await advanceClockTo(world(), on(later, 2, 8).add({ minutes: 30 }))
    await world().db.updateTable('messages').set({ by_day: false }).where('service_id', '=', later.service.id).execute()
    await goOut(later)
    expect(await outcomes(later)).toEqual(['dropped', 'dropped'])
  })
})

test('announces a charge by email immediately even at night, but by text only in the morning', async () => {
  const plan = await aPlan()
  await advanceClockTo(world(), on(plan, 3, 22))
  await setAutoRenewal(plan, 'PUT')
  await pollUntil(async () => (await readEmails(world(), plan)).some(({ subject }) => subject.includes('renews on')))
  const texts = async () => (await world().smsTo(plan.service.msisdn)).filter(({ text }) => text.includes('renews on'))
  expect(await texts()).toEqual([])
  await advanceClockTo(world(), on(plan, 2, 10))
  const [text, ...more] = await texts()
  expect(more).toEqual([])
  expect(formatToMinute(Temporal.Instant.from(text!.sent_at).toZonedDateTimeISO(zone))).toBe(
    formatToMinute(on(plan, 2, 9)),
  )
})

test('does not send the text that announces a charge once the charge has been made', async () => {
  const plan = await aPlan()
  await advanceClockTo(world(), on(plan, 1, 22))
  await setAutoRenewal(plan, 'PUT')
  await pollUntil(async () => (await readEmails(world(), plan)).some(({ subject }) => subject.includes('renews on')))
  await advanceClockTo(world(), plan.expiry.withPlainTime({ hour: 10 }))
  expect((await world().smsTo(plan.service.msisdn)).filter(({ text }) => text.includes('renews on'))).toEqual([])
})

test('sends no plan-end reminder while a renewal payment is in progress, and checks again half an hour later', async () => {
  const plan = await aPlan()
  const { customer, service } = plan
  const paying = { saved: true, product: 'plan-30-5gb' }
  const { status } = await loseResponseTo(world(), () => renew(world(), customer.visitor, service, paying))
  expect(status).toBe(202)
  // Without a retry time, no worker will resolve the payment.
  await world().db.updateTable('orders').set({ retry_at: null }).where('service_id', '=', service.id).execute()
  await sweep(on(plan, 3, 9))
  expect(await written(plan)).toEqual([[], []])
  expect((await deadlinesOf(plan)).slice(0, 2).map((each) => each.split('T')[1])).toEqual(['09:30', '09:30'])
})
