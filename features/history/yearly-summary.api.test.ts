/* @module-tag slow */
import { expect, test } from 'vitest'
import { formatNational } from '#kit/contract/phone.ts'
import { toDate } from '#kit/server/clock.ts'
import { makeCustomer, makeSubscriber } from '#quality/support/customer.ts'
import { addPastCycles } from '#quality/support/past-cycles.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { useWorld } from '#quality/support/world.ts'
import { deleteSummary } from './server/yearly-summaries.store.ts'
import { oneYearAfter, sendDueSummaries } from './server/yearly-summary.ts'

const world = useWorld()
const zone = () => world().deps.market.zone
const dueOf = async (id: string) =>
  (await world().db.selectFrom('yearly_summaries').select('due_at').where('user_id', '=', id).executeTakeFirst())
    ?.due_at
const makeDue = async (id: string, at = world().deps.clock.now()) => {
  await world()
    .db.updateTable('yearly_summaries')
    .set({ due_at: toDate(at) })
    .where('user_id', '=', id)
    .execute()
}
const yearlyTo = async (email: string) =>
  (await world().mailTo(email)).filter(({ subject }) => subject === 'Your last 12 months: data and spending')
const morning = () => {
  const tomorrow = world().deps.clock.now().toZonedDateTimeISO(zone()).toPlainDate().add({ days: 1 })
  return tomorrow.toZonedDateTime({ timeZone: zone(), plainTime: { hour: 10 } }).toInstant()
}
const used = (...uses: (number | null)[]) => uses.map((usedMb) => ({ usedMb }))

test('a customer with two services gets one yearly summary, which is due at 10 am a year after their first plan', async () => {
  const { id } = await makeCustomer(world(), { services: 2, plan: 'plan-90-25gb' })
  const due = Temporal.Instant.fromEpochMilliseconds((await dueOf(id))!.getTime()).toZonedDateTimeISO(zone())
  const today = world().deps.clock.now().toZonedDateTimeISO(zone()).toPlainDate()
  expect([due.toPlainDate().toString(), due.hour]).toEqual([today.add({ years: 1 }).toString(), 10])
})

test('the yearly summary is sent once, with the data used, the amount paid and a cheaper plan that would have sufficed', async () => {
  const { id, email, service } = await makeSubscriber(world(), { card: true, plan: 'plan-90-25gb' })
  await addPastCycles(world(), service.id, used(9_200, 13_000, null, 11_000))
  await makeDue(id)
  await Promise.all([1, 2].map(() => sendDueSummaries(world().deps, morning())))
  const [mail, ...more] = await pollUntil(async () => {
    const mails = await yearlyTo(email)
    return mails.length > 0 && mails
  })
  expect(more).toEqual([])
  expect(mail?.text).toContain(`Phone number: ${formatNational(service.msisdn)}`)
  expect(mail?.text).toContain('Data used: 33.2 GB in 3 cycles, 1 not available')
  expect(mail?.text).toContain('Most data in one cycle: 13 GB')
  expect(mail?.text).toContain('Paid: $109.65')
  expect(mail?.text).toContain('15 GB for 90 days would have been enough each time and costs $17.85 less.')
  expect(mail?.text).toContain(`/services/${service.id}/history/`)
  expect((await dueOf(id))?.getTime()).toBe(oneYearAfter(morning(), zone()).epochMilliseconds)
})

test('a yearly summary due at night is sent at 9 am, and a summary is skipped if too little usage is known', async () => {
  const full = await makeSubscriber(world(), { plan: 'plan-90-25gb' })
  await addPastCycles(
    world(),
    full.service.id,
    [25_000, 25_000, 24_000].map((usedMb) => ({ usedMb, ranOut: usedMb === 25_000 })),
  )
  const fresh = await makeSubscriber(world(), { plan: 'plan-90-25gb' })
  await addPastCycles(world(), fresh.service.id, used(9_000, 9_000))
  const night = morning().subtract({ hours: 8 })
  for (const { id } of [full, fresh]) await makeDue(id, night)
  await sendDueSummaries(world().deps, night)
  const nine = morning().subtract({ hours: 1 })
  for (const { id } of [full, fresh]) expect((await dueOf(id))?.getTime()).toBe(nine.epochMilliseconds)
  await sendDueSummaries(world().deps, nine)
  const [mail] = await pollUntil(async () => {
    const mails = await yearlyTo(full.email)
    return mails.length > 0 && mails
  })
  expect(mail?.text).not.toMatch(/60 GB|more per 30 days/)
  expect((await dueOf(fresh.id))?.getTime()).toBe(oneYearAfter(nine, zone()).epochMilliseconds)
  expect(await yearlyTo(fresh.email)).toEqual([])
})

test('once a customer’s scheduled yearly summary is deleted, none is due any more', async () => {
  const { id } = await makeSubscriber(world())
  await world()
    .db.transaction()
    .execute((trx) => deleteSummary(trx, id))
  expect(await dueOf(id)).toBeUndefined()
})
