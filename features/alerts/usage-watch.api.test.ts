/* @module-tag slow */
import { beforeEach, expect, test } from 'vitest'
import { formatNational } from '#kit/contract/phone.ts'
import {
  readSentAlerts,
  look,
  waitForUsageCheck,
  consumeData,
  consumeDataUpTo,
  waitForTime,
} from '#quality/support/data-usage.ts'
import { makeSubscriber, type Subscriber } from '#quality/support/customer.ts'
import { buyAddOn, endOf } from '#quality/support/purchases.ts'
import { failNetwork } from '#quality/support/simulators.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { useWorld } from '#quality/support/world.ts'
import type { AlertSettings } from './alerts.contract.ts'

const world = useWorld({ thresholds: { usageLooks: 100 } })
beforeEach(() => waitForTime(world(), '10:00'))

const subscriber = (plan = 'plan-30-5gb') => makeSubscriber(world(), { plan })
const choose = ({ visitor, service }: Subscriber, change: Partial<AlertSettings>) =>
  visitor.post(`/api/services/alerts/${service.id}/`, {
    half: 'off',
    most: 'text',
    all: 'both',
    before_end: 'both',
    ...change,
  })
const textsTo = async ({ service: { msisdn } }: Subscriber, count: number): Promise<string[]> =>
  pollUntil(async () => {
    const texts = (await world().smsTo(msisdn)).map(({ text }) => text).filter((text) => /used/.test(text))
    return texts.length >= count && texts.toReversed()
  })
const dueIn = async (customer: Subscriber): Promise<number> => {
  const { due_at: at } = await look(world(), customer)
  return at ? (at.getTime() - world().deps.clock.now().epochMilliseconds) / 3_600_000 : Infinity
}

test('alerts the customer once per usage threshold, and by both text and email when the data is used up', async () => {
  const customer = await subscriber()
  await consumeDataUpTo(world(), customer, 1_000)
  await look(world(), customer)
  expect(await readSentAlerts(world(), customer)).toEqual([])
  await consumeDataUpTo(world(), customer, 4_100)
  await look(world(), customer)
  await look(world(), customer)
  expect(await readSentAlerts(world(), customer)).toEqual(['sms 80'])
  const number = formatNational(customer.service.msisdn)
  const [most] = await textsTo(customer, 1)
  expect(most).toMatch(
    new RegExp(
      `^Fantail: 82% used\\. (900|89\\d) MB of 5 GB left on ${number} until it expires on \\w{3} \\d+ \\w{3}\\. ` +
        'Extra data from \\$\\d+\\.\\d\\d: log in at ',
    ),
  )
  await consumeData(world(), customer, 5_000)
  await look(world(), customer)
  await look(world(), customer)
  expect(await readSentAlerts(world(), customer)).toEqual(['sms 80', 'sms 100', 'email 100'])
  const [, all] = await textsTo(customer, 2)
  expect(all).toMatch(`Fantail: your data on ${number} is used up. Calls and texts still work. It expires on `)
  const mail = await pollUntil(async () =>
    (await world().mailTo(customer.email)).find(({ subject }) => subject === `Your data on ${number} is used up`),
  )
  expect(mail.links).toContain(`${world().url}/services/${customer.service.id}/addons/`)
  // All thresholds have been reported, so the network is not queried again until the next cycle.
  expect(await dueIn(customer)).toBeGreaterThan(24 * 28)
})

test('when usage passes two thresholds at once, only the alert for the higher threshold is sent', async () => {
  const customer = await subscriber()
  await choose(customer, { half: 'text' })
  await consumeDataUpTo(world(), customer, 4_500)
  await look(world(), customer)
  expect(await readSentAlerts(world(), customer)).toEqual(['sms 80'])
})

test('holds usage alerts until morning, but sends the alert about used-up data immediately, even at night', async () => {
  const [most, all] = [await subscriber(), await subscriber()]
  await waitForTime(world(), '21:00')
  await consumeDataUpTo(world(), most, 4_100)
  await consumeData(world(), all, 5_000)
  const { due_at: due } = await look(world(), most)
  await look(world(), all)
  expect([await readSentAlerts(world(), most), await readSentAlerts(world(), all)]).toEqual([
    [],
    ['sms 100', 'email 100'],
  ])
  const morning = world().deps.clock.now().toZonedDateTimeISO(world().deps.market.zone).add({ hours: 11 })
  expect(due!.getTime()).toBeLessThanOrEqual(morning.epochMilliseconds)
  await waitForTime(world(), '07:59')
  await look(world(), most)
  expect(await readSentAlerts(world(), most)).toEqual([])
  await waitForTime(world(), '08:00')
  await waitForUsageCheck(world(), most)
  expect(await readSentAlerts(world(), most)).toEqual(['sms 80'])
  await textsTo(most, 1)
})

test('sends usage alerts through the chosen channels, and does not query the network when all alerts are off', async () => {
  const customer = await subscriber()
  await choose(customer, { most: 'email', all: 'off' })
  await consumeDataUpTo(world(), customer, 4_100)
  await look(world(), customer)
  expect(await readSentAlerts(world(), customer)).toEqual(['email 80'])
  await choose(customer, { most: 'off', all: 'off' })
  await waitForUsageCheck(world(), customer)
  expect(await dueIn(customer)).toBe(Infinity)
  await choose(customer, { most: 'text' })
  expect(await dueIn(customer)).toBeLessThanOrEqual(24)
  expect(await readSentAlerts(world(), customer)).toEqual(['email 80'])
})

test('sends usage alerts again in the next cycle', async () => {
  const customer = await subscriber('plan-90-5gb')
  await consumeDataUpTo(world(), customer, 4_100)
  await look(world(), customer)
  await textsTo(customer, 1)
  await world().advance('P30D')
  await waitForTime(world(), '10:00')
  await consumeDataUpTo(world(), customer, 4_100)
  await look(world(), customer)
  const sent = await readSentAlerts(world(), customer)
  expect(sent.filter((each) => each === 'sms 80')).toHaveLength(2)
  expect((await textsTo(customer, sent.filter((each) => each.startsWith('sms')).length)).at(-1)).toContain(
    'it renews on ',
  )
})

test('sends no alert about used-up data while an add-on has data left', async () => {
  const customer = await subscriber()
  await endOf(customer.visitor, buyAddOn(world(), customer.visitor, customer.service))
  await consumeDataUpTo(world(), customer, 5_000)
  await look(world(), customer)
  expect(await readSentAlerts(world(), customer)).toEqual(['sms 80'])
  await consumeData(world(), customer, 2_500)
  await look(world(), customer)
  expect(await readSentAlerts(world(), customer)).toEqual(['sms 80', 'sms 100', 'email 100'])
})

test('when the network fails to report a balance, usage is checked again an hour later and no alert is lost', async () => {
  const customer = await subscriber()
  await consumeDataUpTo(world(), customer, 4_100)
  await failNetwork(world(), { operation: 'balance', kind: 'error_500' })
  expect(await dueIn(customer)).toBeCloseTo(1, 1)
  expect(await readSentAlerts(world(), customer)).toEqual([])
  await world().advance('PT1H1M')
  await waitForUsageCheck(world(), customer)
  expect(await readSentAlerts(world(), customer)).toEqual(['sms 80'])
})

test('checks usage daily if a service uses little data, and sooner if it uses a lot', async () => {
  const customer = await subscriber('plan-90-25gb')
  expect(await dueIn(customer)).toBeCloseTo(24, 0)
  await world().advance('PT12H')
  await consumeDataUpTo(world(), customer, 15_000)
  const hours = await dueIn(customer)
  expect(hours).toBeGreaterThanOrEqual(0.9)
  expect(hours).toBeLessThan(5)
})

test('an unsent usage alert is outdated once a higher threshold has been reached or the next cycle has begun', async () => {
  const customer = await subscriber('plan-90-5gb')
  const { deps, db } = world()
  const premise = async () => {
    const alert = { serviceId: customer.service.id, kind: 'usage-alert', premise: null }
    const [found = null] = await deps.readSendConditions(db, [alert], deps.clock.now())
    return found
  }
  await consumeDataUpTo(world(), customer, 4_100)
  await look(world(), customer)
  const atMost = await premise()
  expect(atMost).toMatch(/^usage:.*:80$/)
  await consumeData(world(), customer, 5_000)
  await look(world(), customer)
  expect(await premise()).toMatch(/^usage:.*:100$/)
  await world().advance('P30D')
  await waitForTime(world(), '10:00')
  expect(await premise()).toMatch(/^usage:.*:0$/)
})

test('does not check usage once the plan has expired', async () => {
  const customer = await subscriber('plan-7-500mb')
  await world().advance('P8D')
  expect(await dueIn(customer)).toBe(Infinity)
})
