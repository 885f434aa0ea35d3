import { describe, expect, test, vi } from 'vitest'
import { makeCustomer } from '#quality/support/customer.ts'
import { failNetwork, addSimUsage } from '#quality/support/simulators.ts'
import { useWorld } from '#quality/support/world.ts'
import { usageMessages } from './usage.contract.ts'

const world = useWorld()
const withService = (plan?: string) => makeCustomer(world(), { services: 1, ...(plan && { plan }) })
const summaryOf = (uuid: string): string => `/api/account/usage_summary/${uuid}/`
const detailOf = (uuid: string, page = ''): string => `/api/account/usage_detail/${uuid}/${page}`
/** Deletes the cached usage readings. A test that changes the network's state needs a new reading. */
const purgeReadings = () => world().db.deleteFrom('usage_readings').execute()

describe('usage summary of a service', () => {
  test('the usage summary contains the plan’s remaining data and dates, and when usage was read', async () => {
    const {
      visitor,
      services: [service],
    } = await withService()
    const { status, body } = await visitor.get(summaryOf(service!.id))
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        plan: {
          title: '5 GB Prepay Plan',
          last_known: null,
          entitlements: [
            {
              name: 'Data',
              totalAllowance: { amount: 5, unit: 'GB' },
              remainingAllowance: { amount: expect.any(Number), unit: 'GB' },
            },
          ],
          renewal_length: 30,
          is_final_cycle: true,
          cycles: 1,
        },
        expiry_date: expect.stringMatching(/T1[123]:00:00Z$/),
        renewal_date: body.expiry_date,
        days_remaining: 30,
        addons: [],
        forecast: null,
        is_expired: false,
        read_at: expect.any(String),
      },
    })
  })

  test('the usage summary reflects the SIM’s usage and never rounds up the remaining data', async () => {
    const {
      visitor,
      services: [service],
    } = await withService('plan-30-1-5gb')
    const before = (await visitor.get(summaryOf(service!.id))).body.plan.entitlements[0].remainingAllowance.amount
    await addSimUsage(world(), { iccid: service!.sim.iccid, type: 'data', amount: 437.5 })
    await purgeReadings()
    const after = (await visitor.get(summaryOf(service!.id))).body.plan.entitlements[0].remainingAllowance.amount
    expect([before, after]).toEqual([1.5, 1.06])
    await addSimUsage(world(), { iccid: service!.sim.iccid, type: 'data', amount: 99_999 })
    await purgeReadings()
    expect((await visitor.get(summaryOf(service!.id))).body.plan.entitlements[0].remainingAllowance).toEqual({
      amount: 0,
      unit: 'GB',
    })
  })

  test('the usage summary of a plan under 1 GB is in MB', async () => {
    const {
      visitor,
      services: [service],
    } = await withService('plan-7-500mb')
    expect((await visitor.get(summaryOf(service!.id))).body.plan).toMatchObject({
      entitlements: [{ totalAllowance: { amount: 500, unit: 'MB' } }],
      renewal_length: 7,
    })
  })

  test('several requests in a row read the usage summary from the network only once', async () => {
    const {
      visitor,
      services: [service],
    } = await withService()
    const first = await visitor.get(summaryOf(service!.id))
    await addSimUsage(world(), { iccid: service!.sim.iccid, type: 'data', amount: 500 })
    expect((await visitor.get(summaryOf(service!.id))).body).toEqual(first.body)
  })

  test(
    'the usage summary contains the last reading while the network fails, unless that reading is a day old',
    { tags: ['slow'] },
    async () => {
      const {
        visitor,
        services: [service],
      } = await withService('plan-90-5gb')
      const { plan, read_at } = (await visitor.get(summaryOf(service!.id))).body
      expect(plan.last_known).toBeNull()
      await world().advance('PT1M')
      await failNetwork(world(), { operation: 'balance', kind: 'error_500' })
      const silent = (await visitor.get(summaryOf(service!.id))).body
      expect(silent).toMatchObject({ read_at: null, addons: null, plan: { entitlements: null } })
      expect(silent.plan.last_known).toEqual({ entitlements: plan.entitlements, read_at })
      await world().advance('PT24H')
      await failNetwork(world(), { operation: 'balance', kind: 'error_500' })
      expect((await visitor.get(summaryOf(service!.id))).body.plan).toMatchObject({
        entitlements: null,
        last_known: null,
      })
    },
  )

  for (const { kind, tags } of [
    { kind: 'error_500', tags: [] },
    { kind: 'lost_answer', tags: [] },
    { kind: 'timeout', tags: ['slow'] },
  ] as const)
    test(
      `the usage summary still contains the plan and its dates when the network fails (${kind})`,
      { tags: [...tags] },
      async () => {
        const {
          visitor,
          services: [service],
        } = await withService()
        await purgeReadings()
        await failNetwork(world(), { operation: 'balance', kind })
        const { status, body } = await visitor.get(summaryOf(service!.id))
        expect({ status, body }).toMatchObject({
          status: 200,
          body: {
            plan: { title: '5 GB Prepay Plan', entitlements: null },
            addons: null,
            days_remaining: 30,
            read_at: null,
          },
        })
        expect(body.plan.last_known).toBeNull()
        expect((await visitor.get(summaryOf(service!.id))).body.plan.entitlements).toHaveLength(1)
      },
    )
})

describe('usage details of a service', () => {
  test('the usage details list a week’s daily data usage, calls and texts', async () => {
    const {
      visitor,
      services: [service],
    } = await withService()
    const { iccid } = service!.sim
    await addSimUsage(world(), { iccid, type: 'data', amount: 100 })
    await addSimUsage(world(), { iccid, type: 'data', amount: 20.25 })
    await addSimUsage(world(), { iccid, type: 'voice', amount: 75, destination: '6421555000' })
    await addSimUsage(world(), { iccid, type: 'sms', amount: 1, destination: '6421555001' })
    const { status, body } = await visitor.get(detailOf(service!.id))
    expect(status).toBe(200)
    expect(body.data_usage.map(({ date }: { date: string }) => date)).toEqual(daysUntil(body.end_date))
    expect(body.start_date).toBe(body.data_usage[0].date)
    expect(body.data_usage.at(-1).value).toBeGreaterThanOrEqual(120.25)
    expect(body.voice_usage).toContainEqual({ date: expect.any(String), destination: '+6421555000', duration: 75 })
    expect(body.txt_usage).toContainEqual({ date: expect.any(String), destination: '+6421555001' })
  })

  test(
    'calls and texts to helplines are neither shown nor stored, exported or logged',
    { tags: ['slow'] },
    async () => {
      const { log } = world().deps
      const logged = (['info', 'warn', 'error'] as const).map((level) => vi.spyOn(log, level))
      const {
        visitor,
        password,
        services: [service],
      } = await withService()
      const { iccid } = service!.sim
      await addSimUsage(world(), { iccid, type: 'voice', amount: 900, destination: '64800733843' })
      await addSimUsage(world(), { iccid, type: 'voice', amount: 900, destination: '1737' })
      await addSimUsage(world(), { iccid, type: 'sms', amount: 1, destination: '4334' })
      await addSimUsage(world(), { iccid, type: 'voice', amount: 75, destination: '6421555000' })
      const { body: detail } = await visitor.get(detailOf(service!.id))
      expect(detail.voice_usage).toContainEqual({ date: expect.any(String), destination: '+6421555000', duration: 75 })
      const ticket = await visitor.post('/api/account/privacy/data/', { password, format: 'json' })
      const { body: exported } = await visitor.get(ticket.body.url)
      expect(JSON.stringify(exported.use)).toContain('+6421555000')
      const stored = await world().db.selectFrom('usage_readings').select('reading').execute()
      const written = logged.flatMap(({ mock }) => mock.calls)
      const helpline = /800733843|"destination":"\+?(?:64)?(?:1737|4334)"/
      for (const place of [detail, exported, stored, written]) expect(JSON.stringify(place)).not.toMatch(helpline)
    },
  )

  test('the usage details go back five weeks of seven days each', async () => {
    const {
      visitor,
      services: [service],
    } = await withService()
    const newest = (await visitor.get(detailOf(service!.id))).body
    const oldest = (await visitor.get(detailOf(service!.id, '?page=4'))).body
    expect(Temporal.PlainDate.from(oldest.end_date).until(newest.end_date).days).toBe(28)
    expect(oldest.voice_usage).toEqual([])
  })

  test.each(['-1', '5', 'abc', '1.5', '00', '', '٣'])(
    'answers 400 for page %j of the usage details',
    { tags: ['slow'] },
    async (page) => {
      const {
        visitor,
        services: [service],
      } = await withService()
      expect(await visitor.get(detailOf(service!.id, `?page=${encodeURIComponent(page)}`))).toMatchObject({
        status: 400,
        body: { page: [usageMessages.page] },
      })
    },
  )

  test('a request for usage details gets a 424 with an explanation while the network does not respond', async () => {
    const {
      visitor,
      services: [service],
    } = await withService()
    await failNetwork(world(), { operation: 'usage', kind: 'error_500' })
    expect(await visitor.get(detailOf(service!.id))).toMatchObject({
      status: 424,
      body: { code: usageMessages.detailUnavailable },
    })
    expect((await visitor.get(detailOf(service!.id))).status).toBe(200)
  })
})

describe('usage across several cycles', () => {
  test(
    'the data allowance is reset at local midnight when a cycle ends, and the last cycle ends with the plan',
    { tags: ['slow'] },
    async () => {
      const {
        visitor,
        services: [service],
      } = await withService('plan-90-5gb')
      const look = async () => (await visitor.get(summaryOf(service!.id))).body
      expect(await look()).toMatchObject({ plan: { renewal_length: 30, is_final_cycle: false }, days_remaining: 30 })
      await world().advance('P29D')
      const before = await look()
      expect(before).toMatchObject({ plan: { is_final_cycle: false }, days_remaining: 1 })
      const midnight = Temporal.Instant.from(before.renewal_date).since(world().deps.clock.now())
      await world().advance(`PT${Math.ceil(midnight.total('seconds'))}S`)
      const after = await look()
      expect(after).toMatchObject({ plan: { renewal_length: 30, is_final_cycle: false }, days_remaining: 30 })
      expect(before.plan.entitlements[0].remainingAllowance.amount).toBeLessThan(5)
      expect(after.plan.entitlements[0].remainingAllowance.amount).toBe(5)
      await world().advance('P30D')
      expect(await look()).toMatchObject({ plan: { is_final_cycle: true }, days_remaining: 30 })
      // Five weeks of usage have passed, but the day that has just begun has no usage yet.
      const pages = await Promise.all(
        [0, 1, 2, 3, 4].map(async (page) => (await visitor.get(detailOf(service!.id, `?page=${page}`))).body),
      )
      const days: { value: number }[] = pages.toReversed().flatMap(({ data_usage: week }) => week)
      expect(days).toHaveLength(35)
      expect(days.slice(0, -1).every(({ value }) => value > 0)).toBe(true)
      await world().advance('P30D')
      expect(await look()).toMatchObject({ plan: { entitlements: [] }, is_expired: true, days_remaining: 0 })
    },
  )
})

describe('usage of another customer’s service', () => {
  test.each([summaryOf, detailOf])(
    'answers 404 for the usage of another customer’s service, just as for an unknown one',
    async (path) => {
      const {
        services: [service],
      } = await withService()
      const { visitor } = await makeCustomer(world())
      const theirs = await visitor.get(path(service!.id))
      const missing = await visitor.get(path(crypto.randomUUID()))
      expect(theirs).toMatchObject({ status: 404, body: missing.body })
      expect((await visitor.get(path('nonsense'))).status).toBe(404)
      expect((await world().visitor().get(path(service!.id))).status).toBe(401)
    },
  )
})

function daysUntil(last: string): string[] {
  return Array.from({ length: 7 }, (_, index) =>
    Temporal.PlainDate.from(last)
      .subtract({ days: 6 - index })
      .toString(),
  )
}
