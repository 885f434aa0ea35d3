import { expect, test } from 'vitest'
import { formatDay } from '#kit/contract/moments.ts'
import { makeCustomer } from '#testing/customer.ts'
import { useWorld } from '#testing/world.ts'
import type { Service } from './services.contract.ts'

const world = useWorld({ env: { NUMBER_KEPT_DAYS: '10' } })
const zone = 'Pacific/Auckland'
const advanceTo = (when: Temporal.ZonedDateTime) =>
  world().advance(`PT${Math.ceil(when.toInstant().since(world().deps.clock.now()).total('seconds'))}S`)

test('a provider that keeps numbers for ten days says ten, and the last of them, in the list and in each mail', async () => {
  const customer = await makeCustomer(world(), { services: 1, plan: 'plan-7-500mb' })
  const listed = async () =>
    Object.values((await customer.visitor.get('/api/services/')).body as Record<string, Service>)[0]
  const expiry = Temporal.Instant.from((await listed())!.expiry_date).toZonedDateTimeISO(zone)
  const lastDay = expiry.toPlainDate().add({ days: 9 }).toString()
  expect(await listed()).toMatchObject({ number_kept: { days: 10, last_day: lastDay } })

  await advanceTo(expiry.add({ days: 9, hours: 12 }))
  expect(await listed()).toMatchObject({ is_expired: true, number_kept: { days: 10, last_day: lastDay } })
  const mails = (await world().mailTo(customer.email)).filter(({ subject }) => /has expired|will lose/.test(subject))
  expect(mails).toHaveLength(3)
  for (const { text, html, sent_at } of mails) {
    const day = formatDay(lastDay, { zone, now: sent_at })
    for (const body of [text, html].map((each) => each.replaceAll(/\s+/g, ' '))) {
      expect(body).toContain('Your Phone Number will be reserved for 10 days past your Prepay Plan expiry.')
      expect(body).toContain(`The last day to keep it is ${day}.`)
    }
  }

  await advanceTo(expiry.add({ days: 10, seconds: 1 }))
  expect(await listed()).toBeUndefined()
})
