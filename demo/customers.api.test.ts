/* @module-tag slow */
import { rmSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Service } from '#features/services/services.contract.ts'
import { realNow } from '#kit/server/clock.ts'
import { findFaultsWhenIdle } from '#quality/support/reconciliation.ts'
import { logInAs } from '#quality/support/customer.ts'
import { makeDatabase } from '#quality/support/database.ts'
import { createDataFolder } from '#quality/support/data-folder.ts'
import { startWorld, useWorld, type World } from '#quality/support/world.ts'

type DemoCustomer = { email: string; password: string; first_name: string; about: string }
const customersOf = async (world: World): Promise<DemoCustomer[]> =>
  (await world.visitor().get('/demo/api/fixtures/')).body.customers

async function customerWith(world: World, words: string): Promise<DemoCustomer> {
  const customer = (await customersOf(world)).find(({ about }) => about.includes(words))
  if (!customer) throw new Error(`no customer is about ${words}`)
  return customer
}

describe('the demo’s customers', () => {
  const world = useWorld({ env: { DEMO_CUSTOMERS: 'all' } })
  const enter = async (words: string) => {
    const customer = await customerWith(world(), words)
    const visitor = await logInAs(world(), customer)
    const { user } = (await visitor.get('/api/account/')).body
    expect(user).toMatchObject({ email: customer.email, first_name: customer.first_name })
    return { customer, user, visitor, services: (await visitor.get('/api/services/')).body as Record<string, Service> }
  }

  test('the demo is ready only once all of its customers have been created', async () => {
    const customers = await customersOf(world())
    const stories = [
      'saved card and auto-renewal',
      'Several services',
      'not confirmed yet',
      'expired',
      'failed number transfer',
      'credit note',
    ]
    expect(customers.map(({ about }) => about)).toEqual(stories.map((words) => expect.stringContaining(words)))
    expect(new Set(customers.map(({ email }) => email)).size).toBe(customers.length)
  })

  test('after customers with a history have been created, the clocks of the demo and its network show the present time', async () => {
    // `realNow` follows the database's clock. The host's clock may have been adjusted while the tests were running.
    const before = realNow().epochMilliseconds
    const { now } = (await world().visitor().get('/demo/api/fixtures/')).body
    expect(Date.parse(now)).toBeGreaterThanOrEqual(before)
    expect(Date.parse(now)).toBeLessThanOrEqual(realNow().epochMilliseconds)
    const { networkUrl } = world().deps.outside
    expect(await offsetOf(networkUrl)).toBe(0)
    expect(await world().db.selectFrom('clock').select('offset_ms').executeTakeFirst()).toMatchObject({
      offset_ms: expect.toSatisfy((ms) => Number(ms) === 0),
    })
  })

  test('the demo customer with a saved card and auto-renewal has one service, whose number is the contact phone number', async () => {
    const { user, services } = await enter('saved card and auto-renewal')
    expect(user).toMatchObject({
      email_verified: true,
      credit_card_token: { card_type: 'visa', masked_card_number: '**** **** **** 1111', is_expired: false },
    })
    const [service] = Object.values(services)
    expect(Object.values(services)).toMatchObject([{ msisdn: user.phone, is_expired: false }])
    expect(Object.values(service!.schedules)).toMatchObject([{ auto_recharge_enabled: true, product: { length: 30 } }])
  })

  test('the demo customer with several services received an email for each SIM on the day it was activated', async () => {
    const { customer, services } = await enter('Several services')
    expect(Object.values(services).map(({ schedules }) => Object.values(schedules)[0]?.product.length)).toEqual([
      365, 30, 7,
    ])
    const mails = await world().mailTo(customer.email)
    expect(mails.map(({ subject, sent_at }) => [subject, daysSince(sent_at)])).toEqual([
      ['Your new SIM is active', 3],
      ['Your new SIM is active', 12],
      ['Welcome to Fantail Mobile: please confirm your email', 40],
    ])
  })

  test('the demo customer with several services has five weeks of usage and a plan in its second cycle', async () => {
    const { visitor, services } = await enter('Several services')
    const uuid = Object.keys(services)[0]
    const { body } = await visitor.get(`/api/account/usage_summary/${uuid}/`)
    expect(body).toMatchObject({
      plan: { renewal_length: 30, is_final_cycle: false },
      days_remaining: 20,
      is_expired: false,
    })
    const [{ totalAllowance: total, remainingAllowance: left }] = body.plan.entitlements
    expect(total).toEqual({ amount: 15, unit: 'GB' })
    expect(left.amount).toBeGreaterThan(0)
    expect(left.amount).toBeLessThan(15)
    const weeks = await Promise.all(
      [0, 1, 2, 3, 4].map((page) => visitor.get(`/api/account/usage_detail/${uuid}/?page=${page}`)),
    )
    const days: number[] = weeks.flatMap(({ body: week }) =>
      week.data_usage.map(({ value }: { value: number }) => value),
    )
    // There may be no usage for today yet, because the local day may have only just begun.
    expect(days.filter((mb) => mb > 0).length).toBeGreaterThanOrEqual(34)
    expect(weeks.every(({ body: week }) => week.voice_usage.length > 0 && week.txt_usage.length > 0)).toBe(true)
  })

  test('the demo customer with an expired plan was notified on the day it expired, and still has the number', async () => {
    const { customer, user, visitor, services } = await enter('expired')
    const [service] = Object.values(services)
    expect(Object.values(services)).toMatchObject([{ is_expired: true, msisdn: user.phone, porting_request: null }])
    const goneFor = daysSince(service!.expiry_date)
    expect(goneFor).toBeGreaterThanOrEqual(4)
    expect(goneFor).toBeLessThan(8)
    expect((await visitor.get(`/api/account/usage_summary/${service!.uuid}/`)).body).toMatchObject({
      is_expired: true,
      days_remaining: 0,
    })
    const mails = await world().mailTo(customer.email)
    const [told] = mails
    expect(mails.map(({ subject }) => subject)).toEqual([
      expect.stringMatching(/^Your Prepay Plan for .* has expired$/),
      expect.stringMatching(/^Today is the last day of your plan for /),
      expect.stringMatching(/^2 days left on /),
      expect.stringMatching(/^Welcome/),
    ])
    expect(Temporal.Instant.from(told!.sent_at).since(service!.expiry_date).total('hours')).toBeCloseTo(9, 0)
    expect((await world().smsTo(service!.msisdn)).map(({ text }) => text)).toEqual([
      expect.stringMatching(/^Fantail: today is the last day for /),
      expect.stringMatching(/^Fantail: 2 days left on /),
    ])
  })

  test('the demo customer with a failed number transfer has been notified but has not acknowledged the failure', async () => {
    const { customer, services } = await enter('failed number transfer')
    const [service] = Object.values(services)
    expect(Object.values(services)).toMatchObject([
      { is_expired: false, porting_request: { status: 4, failure_acknowledged_at: null } },
    ])
    expect(service?.msisdn).not.toBe(service?.porting_request?.msisdn)
    const mails = await world().mailTo(customer.email)
    expect(mails.map(({ subject, sent_at }) => [subject.replace(/ number .*/, ''), daysSince(sent_at)])).toEqual([
      ['We could not transfer your', 3],
      ['Welcome to Fantail Mobile: please confirm your email', 12],
    ])
  })

  test('the demo customer with a credit note has been notified of it, and still has the service', async () => {
    const { customer, visitor, services } = await enter('credit note')
    const [service] = Object.values(services)
    expect(Object.values(services)).toMatchObject([{ is_expired: false }])
    const { body: history } = await visitor.get(`/api/account/invoices/${service?.uuid}/`)
    expect(
      history.map(({ document_type, total_price, created }: Record<string, string>) => [
        document_type,
        total_price,
        daysSince(created ?? ''),
      ]),
    ).toEqual([
      ['credit', '-16.00', 3],
      ['invoice', '16.00', 12],
    ])
    const mails = await world().mailTo(customer.email)
    expect(mails.map(({ subject, attachments }) => [subject, attachments.length])).toEqual([
      ['Your refund of $16.00 NZD', 1],
      ['Welcome to Fantail Mobile: please confirm your email', 1],
    ])
  })

  test('the demo customer with an unconfirmed email address can log in, and the link in the confirmation email works', async () => {
    const { customer, visitor, user, services } = await enter('not confirmed yet')
    expect(user.email_verified).toBe(false)
    expect(services).toEqual({ code: 'Please confirm your email address first.' })
    const [mail] = await world().mailTo(customer.email)
    const token = new URL(mail?.links.find((link) => link.includes('/verify/')) ?? '').searchParams.get('token')
    expect(await visitor.post('/api/account/verify_email/', { token })).toMatchObject({
      status: 200,
      body: { email_verified: true },
    })
  })

  test('demo customers were created by real orders, so the ledgers of Fantail, the gateway and the network agree', async () => {
    expect(await findFaultsWhenIdle(world())).toEqual([])
    const { gateway, network } = await world().ledgers()
    expect(gateway.filter(({ captured }) => captured > 0)).toHaveLength(8)
    expect(network.filter(({ action, state }) => action === 'activate' && state === 'completed')).toHaveLength(8)
  })

  test('demo customers do not use any of the SIM packs and vouchers that the demo offers', async () => {
    const { sims, vouchers } = (await world().visitor().get('/demo/api/fixtures/')).body
    expect(sims.filter(({ behaviour }: { behaviour: string }) => behaviour === 'ok').length).toBeGreaterThanOrEqual(20)
    const held = await world()
      .db.selectFrom('sim_packs')
      .innerJoin('demo_sims', 'demo_sims.iccid', 'sim_packs.iccid')
      .select('msisdn')
      .where('order_id', 'is not', null)
      .execute()
    expect(held).toEqual([])
    expect(vouchers.length).toBeGreaterThanOrEqual(10)
  })

  test('the demo lists its customers by their current names, and omits those whose password has been changed', async () => {
    const customer = await customerWith(world(), 'Several services')
    await world().db.updateTable('users').set({ first_name: 'Sina' }).where('email', '=', customer.email).execute()
    expect((await customerWith(world(), 'Several services')).first_name).toBe('Sina')
    await world()
      .db.updateTable('users')
      .set({ password_hash: 'another' })
      .where('email', '=', customer.email)
      .execute()
    expect((await customersOf(world())).map(({ email }) => email)).not.toContain(customer.email)
  })
})

// Round the number of days, because a day is an hour longer or shorter when daylight saving begins or ends.
const daysSince = (instant: string): number => Math.round(Temporal.Now.instant().since(instant).total('hours') / 24)

/** Returns how many milliseconds a simulator's clock is ahead of real time. */
const offsetOf = async (url: string): Promise<number> =>
  ((await (await fetch(`${url}/_simulator/clock`)).json()) as { offset_ms: number }).offset_ms

test('restarting the demo completes partly created customers and duplicates none', async () => {
  const dataDir = createDataFolder('fantail-customers-')
  const database = process.env['DATABASE_URL'] ? await makeDatabase(process.env['DATABASE_URL']) : null
  const home = {
    env: { DATA_DIR: dataDir, DEMO_CUSTOMERS: 'all', MARKET: 'AU', ...(database && { DATABASE_URL: database.url }) },
  }
  try {
    const first = await startWorld(home)
    const before = await customersOf(first)
    await first.db.deleteFrom('demo_customers').execute()
    await first.db
      .updateTable('users')
      .set({ email_verified_at: null })
      .where('email', '=', before[0]?.email ?? '')
      .execute()
    await first.db.updateTable('email_tokens').set({ used_at: null }).execute()
    await first.close()

    const second = await startWorld(home)
    try {
      expect(await customersOf(second)).toEqual(before)
      const numbers = await second.db.selectFrom('services').select('msisdn').execute()
      expect(numbers.map(({ msisdn }) => msisdn.slice(0, 3))).toEqual(Array(8).fill('+61'))
      const verified = await second.db
        .selectFrom('users')
        .select('email')
        .where('email_verified_at', 'is not', null)
        .execute()
      expect(verified.map(({ email }) => email).sort()).toEqual(
        before
          .filter(({ about }) => !about.includes('not confirmed yet'))
          .map(({ email }) => email)
          .sort(),
      )
      const { gateway, network } = await second.ledgers()
      expect(gateway.map(({ authorised, captured }) => authorised > 0 && authorised === captured)).toEqual(
        Array(8).fill(true),
      )
      expect(network.map(({ action }) => action).sort()).toEqual([
        ...Array(8).fill('activate'),
        ...Array(8).fill('add_plan'),
        'port_in',
      ])
      expect(await findFaultsWhenIdle(second)).toEqual([])
    } finally {
      await second.close()
    }
  } finally {
    await database?.drop()
    rmSync(dataDir, { recursive: true, force: true })
  }
})

test('turning on demo customers in an existing demo creates only the customers that need no history', async () => {
  const dataDir = createDataFolder('fantail-customers-')
  const database = process.env['DATABASE_URL'] ? await makeDatabase(process.env['DATABASE_URL']) : null
  const home = (customers: 'all' | 'none') => ({
    env: { DATA_DIR: dataDir, DEMO_CUSTOMERS: customers, ...(database && { DATABASE_URL: database.url }) },
  })
  try {
    const before = await startWorld(home('none'))
    expect({ offset: before.deps.clock.offset(), customers: await customersOf(before) }).toEqual({
      offset: 0,
      customers: [],
    })
    expect(await before.db.selectFrom('users').select('id').execute()).toEqual([])
    await before.close()

    const after = await startWorld(home('all'))
    try {
      expect(after.deps.clock.offset()).toBe(0)
      const stories = [
        'saved card and auto-renewal',
        'Several services',
        'not confirmed yet',
        'failed number transfer',
        'credit note',
      ]
      expect((await customersOf(after)).map(({ about }) => about)).toEqual(
        stories.map((words) => expect.stringContaining(words)),
      )
      expect(await after.db.selectFrom('users').select('email').where('email', 'like', 'tama@%').execute()).toEqual([])
      expect(await findFaultsWhenIdle(after)).toEqual([])
    } finally {
      await after.close()
    }
  } finally {
    await database?.drop()
    rmSync(dataDir, { recursive: true, force: true })
  }
})
