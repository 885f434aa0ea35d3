import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { logInAs } from '#quality/support/customer.ts'
import { activate, password, portForm } from '#quality/support/activation-journey.ts'
import {
  retryAcrossRestarts,
  type KillMoment,
  createKillMoments,
  runThroughKills,
} from '#quality/support/kill-moments.ts'
import { type KillTestWorld, startKillTestWorld } from '#quality/support/kill-test-world.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import type { Visitor } from '#quality/support/visitor.ts'

let world: KillTestWorld
beforeAll(async () => {
  world = await startKillTestWorld()
})
afterAll(() => world?.close())

const { before, lost, beforeWriting } = createKillMoments(() => world)

const advance = (duration: string): Promise<unknown> => world.visitor().post('/demo/api/clock/', { advance: duration })
const now = async () => Temporal.Instant.from((await world.visitor().get('/demo/api/fixtures/')).body.now)

const killAt = (moments: KillMoment[], act: () => Promise<unknown>) =>
  runThroughKills(world, moments, () => retryAcrossRestarts(world, act))

/**
 * Moves the clock forward to an instant, from wherever the killed process left it. Returns `true` if the clock was
 * already there, otherwise `null`.
 */
async function moveClockTo(instant: Temporal.Instant): Promise<true | null> {
  const left = instant.since(await now()).total('seconds')
  if (left <= 0) return true
  await advance(`PT${Math.ceil(left)}S`)
  return null
}

/**
 * Creates a customer whose plan is paid for by voucher. A card would have to be encrypted with the moved clock's time.
 */
async function aCustomer() {
  // All customers have the same plan, so that plans whose reminders fall due together also end together.
  const { email, sim } = await activate(world, { voucher: await world.newVoucher('30 days') })
  const link = await pollUntil(async () =>
    (await world.mailTo(email)).flatMap(({ links }) => links).find((each) => each.includes('/verify/?token=')),
  )
  await world.visitor().post('/api/account/verify_email/', { token: new URL(link).searchParams.get('token'), password })
  const visitor = await logInAs(world, { email, password })
  const [service] = await servicesOf(visitor)
  // Turn usage alerts off, because the test counts only messages about the plan's end.
  const silent = { half: 'off', most: 'off', all: 'off', before_end: 'both' }
  expect((await visitor.post(`/api/services/alerts/${service?.uuid}/`, silent)).status).toBe(200)
  return { email, sim, visitor, service: service! }
}

type Seen = {
  uuid: string
  msisdn: string
  expiry_date: string
  is_expired: boolean
  porting_request: { status: number } | null
}
const servicesOf = async (visitor: Visitor): Promise<Seen[]> =>
  Object.values((await visitor.get('/api/services/')).body)
const subjects = async (email: string): Promise<string[]> => (await world.mailTo(email)).map(({ subject }) => subject)

describe('plans that end while the process is killed', () => {
  test('when a plan ends, its number is released once and each message is sent once, even if the process is killed', async () => {
    const { email, visitor, service } = await aCustomer()
    const gone = Temporal.Instant.from(service.expiry_date)
      .toZonedDateTimeISO('Pacific/Auckland')
      .add({ days: 51 })
      .toInstant()
    const moments = [
      beforeWriting(/^insert into "messages" .*"plan-life-text:[^ ]*:ends-1:/),
      beforeWriting(/^insert into "messages" .*"plan-life:[^ ]*:expiry:/),
      beforeWriting(/^insert into "service_releases"/),
      before('release'),
      lost('release'),
      beforeWriting(/^update "service_releases" set .* completed /),
    ]
    await killAt(moments, () => moveClockTo(gone))

    const lines = () => world.ledgers().network.filter(({ external_id: id }) => id.startsWith('release-'))
    await pollUntil(async () => lines().length > 0 && lines().every(({ state }) => state === 'completed'))
    expect(lines()).toEqual([{ external_id: `release-${service.uuid}`, action: 'deactivate', state: 'completed' }])
    expect(await servicesOf(visitor)).toEqual([])
    const letters = [
      /^7 days left/,
      /^3 days left/,
      /^Today is the last day/,
      / has expired$/,
      / in 14 days$/,
      / in 7 days$/,
      / tomorrow$/,
    ]
    await pollUntil(async () => (await subjects(email)).length >= 1 + letters.length)
    for (const letter of letters)
      expect((await subjects(email)).filter((subject) => letter.test(subject))).toHaveLength(1)
    const texts = [
      / 7 days left /,
      / 3 days left /,
      / today is the last day for /,
      / in 14 days/,
      / in 7 days/,
      / today is the last day to keep /,
    ]
    const toNumber = async () => (await world.mailTo(service.msisdn)).map(({ text }) => text)
    await pollUntil(async () => (await toNumber()).length >= texts.length)
    expect(await toNumber()).toHaveLength(texts.length)
    for (const text of texts) expect((await toNumber()).filter((each) => text.test(each))).toHaveLength(1)
  })

  test('several customers each get one reminder, even if the process is killed while it sends them', async () => {
    const customers = [await aCustomer(), await aCustomer()]
    const reminders = customers.map(({ service }) => `(?=.*"plan-life:${service.uuid}:ends-7:)`).join('')
    const morning = Temporal.Instant.from(customers[0]!.service.expiry_date)
      .toZonedDateTimeISO('Pacific/Auckland')
      .subtract({ days: 7 })
      .withPlainTime({ hour: 9, minute: 1 })
      .toInstant()
    const moments = [beforeWriting(new RegExp(`^insert into "messages" ${reminders}`))]
    await killAt(moments, () => moveClockTo(morning))
    const told = async (email: string) =>
      (await subjects(email)).filter((each) => each.startsWith('7 days left')).length
    for (const { email } of customers) {
      await pollUntil(async () => (await told(email)) > 0)
      expect(await told(email)).toBe(1)
    }
  })

  test('a number transfer completes once and sends one email, even if the process is killed', async () => {
    const { email, visitor, service } = await aCustomer()
    const number = '+64275550113'
    const moments = [
      beforeWriting(/^insert into "porting_requests"/),
      before('port'),
      lost('port'),
      beforeWriting(/^update "services" set "msisdn"/),
    ]
    await killAt(moments, () => visitor.post(`/api/services/port/${service.uuid}/`, portForm(number)))
    const moved = await pollUntil(async () =>
      (await servicesOf(visitor)).find((each) => each.porting_request?.status === 3),
    )
    expect(moved).toMatchObject({ uuid: service.uuid, msisdn: number })
    expect(
      world.ledgers().network.filter(({ external_id: id }) => id.startsWith(`${service.uuid}-port`)),
    ).toMatchObject([{ state: 'completed' }])
    const told = async () => (await subjects(email)).filter((subject) => subject.includes('is now with')).length
    await pollUntil(async () => (await told()) > 0)
    expect(await told()).toBe(1)
  })

  test('our records match the gateway’s and the network’s after the process was killed while plans ended', async () => {
    expect(await world.auditAfterwards()).toEqual([])
    expect(world.product.complaints()).toEqual([])
  })
})
