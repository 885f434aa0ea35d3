/* @module-tag slow */
import { describe, expect, test } from 'vitest'
import { formatNational } from '#kit/contract/phone.ts'
import { type Customer, makeCustomer } from '#quality/support/customer.ts'
import { clearFailures, failNetwork } from '#quality/support/simulators.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { useWorld } from '#quality/support/world.ts'

const world = useWorld()
const services = async ({ visitor }: Customer) =>
  Object.values(
    (await visitor.get('/api/services/')).body as Record<string, { is_expired: boolean; expiry_date: string }>,
  )
const advanceTo = (instant: Temporal.ZonedDateTime) =>
  world().advance(`PT${Math.max(1, Math.ceil(instant.toInstant().since(world().deps.clock.now()).total('seconds')))}S`)
const mails = async ({ email }: Customer): Promise<string[]> =>
  (await world().mailTo(email)).map(({ subject }) => subject).toReversed()
const releaseOf = (serviceId: string) =>
  world().db.selectFrom('service_releases').selectAll().where('service_id', '=', serviceId).executeTakeFirst()
const lastOrders = async (serviceId: string) =>
  (await world().ledgers()).network.filter(({ external_id }) => external_id === `release-${serviceId}`)

describe('releasing a number after its plan has ended', () => {
  test('after a plan ends, its number is kept for 50 days with three reminders and then released, but the invoice stays', async () => {
    const customer = await makeCustomer(world(), { services: 1, plan: 'plan-7-500mb' })
    const [service] = customer.services
    const number = formatNational(service!.msisdn)
    const [listed] = await services(customer)
    const expiry = Temporal.Instant.from(listed!.expiry_date).toZonedDateTimeISO('Pacific/Auckland')
    // The clock stops 40 seconds before the plan's end, so that even a slow machine checks before the end.
    await advanceTo(expiry.subtract({ seconds: 40 }))
    expect(await services(customer)).toMatchObject([{ is_expired: false }])
    await advanceTo(expiry.add({ seconds: 1 }))
    expect(await services(customer)).toMatchObject([{ is_expired: true }])
    expect((await mails(customer)).at(-1)).toBe(`Today is the last day of your plan for ${number}`)
    await advanceTo(expiry.add({ hours: 9, seconds: 1 }))
    expect((await mails(customer)).at(-1)).toBe(`Your Prepay Plan for ${number} has expired`)

    await advanceTo(expiry.add({ days: 49, hours: 12 }))
    expect(await services(customer)).toMatchObject([{ is_expired: true }])
    expect((await mails(customer)).slice(-3)).toEqual([
      `You will lose ${number} in 14 days`,
      `You will lose ${number} in 7 days`,
      `You will lose ${number} tomorrow`,
    ])
    expect(await lastOrders(service!.id)).toEqual([])

    await advanceTo(expiry.add({ days: 51 }))
    expect(await services(customer)).toEqual([])
    await pollUntil(async () => (await releaseOf(service!.id))?.state === 'completed')
    expect(await lastOrders(service!.id)).toMatchObject([{ action: 'deactivate', state: 'completed' }])
    expect((await customer.visitor.get(`/api/account/usage_summary/${service!.id}/`)).status).toBe(404)
    expect(
      await world().db.selectFrom('invoices').select('id').where('service_id', '=', service!.id).execute(),
    ).toHaveLength(1)
    expect((await customer.visitor.get('/api/account/')).body.user).toMatchObject({ phone: null, phone_display: null })
  })

  test('even if the clock jumps past all of a number’s deadlines, its last four messages are sent in order', async () => {
    const customer = await makeCustomer(world(), { services: 1, plan: 'plan-7-500mb' })
    const [service] = customer.services
    await world().advance('P90D')
    expect(await services(customer)).toEqual([])
    // The pattern includes words, because a bare number might also match digits in the phone number.
    const said = (await mails(customer)).map((subject) => /expired|14 days|7 days|tomorrow/.exec(subject)?.[0])
    expect(said.slice(-4)).toEqual(['expired', '14 days', '7 days', 'tomorrow'])
    await pollUntil(async () => (await releaseOf(service!.id))?.state === 'completed')
  })

  test('a number release that fails at the network is retried with the same network order until it succeeds', async () => {
    const customer = await makeCustomer(world(), { services: 1, plan: 'plan-7-500mb' })
    const [service] = customer.services
    await failNetwork(world(), { operation: 'deactivate', kind: 'error_500', times: 2 })
    await failNetwork(world(), { operation: 'deactivate', kind: 'lost_answer' })
    await world().advance('P60D')
    await pollUntil(async () => (await releaseOf(service!.id))?.state === 'completed')
    expect(await lastOrders(service!.id)).toHaveLength(1)
  })

  test.each(['names_other_sim', 'says_unheard_of'] as const)(
    'creates an operator task for an unusable network response about a release (%s), and closes it after a correct response',
    async (kind) => {
      const customer = await makeCustomer(world(), { services: 1, plan: 'plan-7-500mb' })
      const id = customer.services[0]!.id
      await failNetwork(world(), { operation: 'deactivate', kind })
      await failNetwork(world(), { operation: 'read', kind, times: 1_000 })
      await world().advance('P60D')
      const tasks = () =>
        world()
          .db.selectFrom('operator_tasks')
          .select(['kind', 'reason', 'done_by'])
          .where('subject', '=', `release-${id}`)
          .execute()
      const about = { kind: 'network', reason: expect.stringContaining('the number release waits') }
      expect(await pollUntil(async () => (await tasks()).length > 0 && tasks())).toEqual([{ ...about, done_by: null }])
      expect((await releaseOf(id))?.state).toBe('initiated')
      await clearFailures(world())
      await pollUntil(async () => (await releaseOf(id))?.state === 'completed')
      expect(await tasks()).toEqual([{ ...about, done_by: 'system' }])
    },
  )

  test('a number release that the network rejects creates an operator task that names the SIM', async () => {
    const customer = await makeCustomer(world(), { services: 1, plan: 'plan-7-500mb' })
    const [service] = customer.services
    await failNetwork(world(), { operation: 'deactivate', kind: 'fail_permanent' })
    await world().advance('P60D')
    const { fault } = await pollUntil(async () => {
      const release = await releaseOf(service!.id)
      return release?.state === 'failed' && release
    })
    const { iccid } = await world()
      .db.selectFrom('services')
      .select('iccid')
      .where('id', '=', service!.id)
      .executeTakeFirstOrThrow()
    const tasks = world().db.selectFrom('operator_tasks').select(['subject', 'reason', 'done_at'])
    expect(await tasks.where('kind', '=', 'release').execute()).toEqual([
      { subject: iccid, reason: `the network would not take back the number of SIM ${iccid}: ${fault}`, done_at: null },
    ])
  })
})

test('a released service has no deadlines left', async () => {
  const customer = await makeCustomer(world(), { services: 1, plan: 'plan-7-500mb' })
  await world().advance('P60D')
  expect(
    await world()
      .db.selectFrom('service_deadlines')
      .selectAll()
      .where('service_id', '=', customer.services[0]!.id)
      .execute(),
  ).toEqual([])
})
