import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loginAs } from '#testing/customer.ts'
import { startAfterLeases } from '#testing/end-leases.ts'
import { activate, password, portAnswers } from '#testing/journey.ts'
import type { CallName } from '#testing/killable-outside.ts'
import { type KillableWorld, startKillableWorld } from '#testing/killable.ts'
import { until } from '#testing/until.ts'
import type { Visitor } from '#testing/visitor.ts'

let world: KillableWorld
beforeAll(async () => {
  world = await startKillableWorld()
}, 120_000)
afterAll(() => world?.close())

/** A moment at which the product is killed: `set` lays the trap, and what it answers resolves when the product is dead. */
type Moment = { name: string; set(): Promise<{ dead: Promise<void> }> }

const atCall = (name: string, call: CallName, when: 'before' | 'after'): Moment => ({
  name,
  async set() {
    const held = world.hold(call, when)
    return { dead: held.reached.then(() => world.product.kill()).then(held.drop) }
  },
})
const beforeWriting = (name: string, statement: RegExp): Moment => ({
  name,
  async set() {
    const dead = world.product.death()
    await world.product.dieBefore(statement)
    return { dead }
  },
})

const advance = (duration: string): Promise<unknown> => world.visitor().post('/demo/api/clock/', { advance: duration })
const now = async () => Temporal.Instant.from((await world.visitor().get('/demo/api/fixtures/')).body.now)

/** Kills the product at each of these moments, in this order, and starts it again; `go` is what leads to them. */
async function killAt(moments: Moment[], go: () => Promise<unknown>): Promise<void> {
  for (const moment of moments) {
    const { dead } = await moment.set()
    await startAfterLeases(world)
    // It is cut off when the product dies.
    go().catch(() => {})
    await Promise.race([dead, neverCame(moment)])
  }
  await startAfterLeases(world)
}

async function neverCame({ name }: Moment): Promise<never> {
  await pause(90_000, undefined, { ref: false })
  throw new Error(`it never came to this: ${name}`)
}

/** A customer with a service, paid for by voucher: cards would have to be sealed at the time to which the clock has been moved. */
async function aCustomer() {
  // All of them the same plan: those who are reminded at once have plans that end together.
  const { email, sim } = await activate(world, { voucher: await world.newVoucher('30 days') })
  const link = await until(async () =>
    (await world.mailTo(email)).flatMap(({ links }) => links).find((each) => each.includes('/verify/?token=')),
  )
  await world.visitor().post('/api/account/verify_email/', { token: new URL(link).searchParams.get('token'), password })
  const visitor = await loginAs(world, { email, password })
  const [service] = await servicesOf(visitor)
  // How much data is left is told by others; here it is the plan's end that is counted.
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

describe('the life of a plan survives that the product is killed', () => {
  test('at its end, and while its number goes back', async () => {
    const { email, visitor, service } = await aCustomer()
    const gone = Temporal.Instant.from(service.expiry_date)
      .toZonedDateTimeISO('Pacific/Auckland')
      .add({ days: 51 })
      .toInstant()
    // Whatever it had come to when it was cut off, it goes on from there.
    const toTheEnd = async (): Promise<void> => {
      const left = gone.since(await now()).total('seconds')
      if (left > 0) await advance(`PT${Math.ceil(left)}S`)
    }
    const moments = [
      beforeWriting(
        'the text of the last day is not written',
        /^insert into "messages" .*"plan-life-text:[^ ]*:ends-1:/,
      ),
      beforeWriting(
        'the mail about the plan’s end is not written',
        /^insert into "messages" .*"plan-life:[^ ]*:expiry:/,
      ),
      beforeWriting('that the number goes is not written', /^insert into "service_releases"/),
      atCall('the network has not been asked', 'release', 'before'),
      atCall('the network’s answer is lost', 'release', 'after'),
      beforeWriting('that the number has gone is not written', /^update "service_releases" set .* completed /),
    ]
    await killAt(moments, toTheEnd)
    await toTheEnd()

    const lines = () => world.ledgers().network.filter(({ external_id: id }) => id.startsWith('release-'))
    await until(async () => lines().length > 0 && lines().every(({ state }) => state === 'completed'))
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
    await until(async () => (await subjects(email)).length >= 1 + letters.length)
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
    await until(async () => (await toNumber()).length >= texts.length)
    expect(await toNumber()).toHaveLength(texts.length)
    for (const text of texts) expect((await toNumber()).filter((each) => text.test(each))).toHaveLength(1)
  })

  test('while several are told of it at once: each of them is, once', async () => {
    const customers = [await aCustomer(), await aCustomer()]
    const reminders = customers.map(({ service }) => `(?=.*"plan-life:${service.uuid}:ends-7:)`).join('')
    const morning = Temporal.Instant.from(customers[0]!.service.expiry_date)
      .toZonedDateTimeISO('Pacific/Auckland')
      .subtract({ days: 7 })
      .withPlainTime({ hour: 9, minute: 1 })
      .toInstant()
    const toTheMorning = async (): Promise<void> => {
      const left = morning.since(await now()).total('seconds')
      if (left > 0) await advance(`PT${Math.ceil(left)}S`)
    }
    await killAt(
      [beforeWriting('what is written to both of them is not', new RegExp(`^insert into "messages" ${reminders}`))],
      toTheMorning,
    )
    await toTheMorning()
    const told = async (email: string) =>
      (await subjects(email)).filter((each) => each.startsWith('7 days left')).length
    for (const { email } of customers) {
      await until(async () => (await told(email)) > 0)
      expect(await told(email)).toBe(1)
    }
  })

  test('while a number is transferred to it', async () => {
    const { email, visitor, service } = await aCustomer()
    const number = '+64275550113'
    const moments = [
      beforeWriting('the request is not written', /^insert into "porting_requests"/),
      atCall('the network has not been asked', 'port', 'before'),
      atCall('the network’s answer is lost', 'port', 'after'),
      beforeWriting('the new number is not written', /^update "services" set "msisdn"/),
    ]
    await killAt(moments, () => visitor.post(`/api/services/port/${service.uuid}/`, portAnswers(number)))
    const moved = await until(async () =>
      (await servicesOf(visitor)).find((each) => each.porting_request?.status === 3),
    )
    expect(moved).toMatchObject({ uuid: service.uuid, msisdn: number })
    expect(
      world.ledgers().network.filter(({ external_id: id }) => id.startsWith(`${service.uuid}-port`)),
    ).toMatchObject([{ state: 'completed' }])
    const told = async () => (await subjects(email)).filter((subject) => subject.includes('is now with')).length
    await until(async () => (await told()) > 0)
    expect(await told()).toBe(1)
  })

  test('and in the end all books agree', async () => {
    expect(await world.auditAfterwards()).toEqual([])
    expect(world.product.complaints()).toEqual([])
  })
})
