/* @module-tag slow */
import { expect, test } from 'vitest'
import { formatDay } from '#kit/contract/format-moment.ts'
import { makeCustomer, makeSubscriber } from '#quality/support/customer.ts'
import { loseResponseTo, setOrderRetryTime } from '#quality/support/lost-response.ts'
import { buyAddOn } from '#quality/support/purchases.ts'
import { findFaultsWhenIdle } from '#quality/support/reconciliation.ts'
import {
  clearFailures,
  failNetwork,
  readProviderRecords,
  readNetworkActions,
  setNetworkEvents,
} from '#quality/support/simulators.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { useWorld } from '#quality/support/world.ts'
import { buildReleaseOrderId } from './server/releases.store.ts'
import type { Service } from './services.contract.ts'

const world = useWorld({ env: { NUMBER_KEPT_DAYS: '10' } })
const zone = 'Pacific/Auckland'
const advanceTo = (when: Temporal.ZonedDateTime) =>
  world().advance(`PT${Math.ceil(when.toInstant().since(world().deps.clock.now()).total('seconds'))}S`)

test('if a provider keeps expired numbers for ten days, the list of services and every email about the number say so', async () => {
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

test('an add-on is reversed and not charged if the service is released before the add-on’s outcome is known', async () => {
  const { db } = world()
  const { visitor, service } = await makeSubscriber(world(), { plan: 'plan-7-500mb' })
  const { body } = await loseResponseTo(world(), () => buyAddOn(world(), visitor, service))
  const code: string = body.order_code
  const order = () => db.selectFrom('orders').selectAll().where('order_code', '=', code).executeTakeFirstOrThrow()
  await setNetworkEvents(world(), { mode: 'hold' })
  await failNetwork(world(), { operation: 'add_addon', kind: 'lost_answer' })
  await failNetwork(world(), { operation: 'read', kind: 'error_500', times: 1000 })
  await setOrderRetryTime(world(), -1, code)
  await pollUntil(async () => (await readNetworkActions(world(), code))[0] === 'add_addon completed')
  await pollUntil(async () => {
    await setOrderRetryTime(world(), 1, code)
    return (await order()).lease_until === null
  })
  await clearFailures(world())

  await world().advance('P18D')
  await pollUntil(async () =>
    (await world().ledgers()).network.some(
      ({ external_id: id, state }) => id === buildReleaseOrderId(service.id) && state === 'completed',
    ),
  )
  await setOrderRetryTime(world(), -1, code)
  await pollUntil(async () => (await order()).state === 'undone')
  await setNetworkEvents(world(), { mode: 'normal', release: true })
  const { gateway, network } = await readProviderRecords(world(), code)
  expect(gateway).toMatchObject([{ authorised: 1000, captured: 0, cancelled: 1000 }])
  expect(network).toMatchObject([{ action: 'add_addon' }])
  expect(await findFaultsWhenIdle(world())).toEqual([])
})
