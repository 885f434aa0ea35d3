import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Service } from '#features/services/services.contract.ts'
import { faultsWhenQuiet } from '#testing/books.ts'
import { loginAs } from '#testing/customer.ts'
import { makeDatabase } from '#testing/database.ts'
import { startWorld, useWorld, type World } from '#testing/world.ts'

type DemoCustomer = { email: string; password: string; first_name: string; about: string }
const customersOf = async (world: World): Promise<DemoCustomer[]> => (await world.visitor().get('/demo/api/fixtures/')).body.customers

/** The one whose story has these words. */
async function customerWith(world: World, words: string): Promise<DemoCustomer> {
  const customer = (await customersOf(world)).find(({ about }) => about.includes(words))
  if (!customer) throw new Error(`nobody is about ${words}`)
  return customer
}

describe('the customers of the demo', () => {
  const world = useWorld({ env: { DEMO_CUSTOMERS: 'all' } })
  const enter = async (words: string) => {
    const customer = await customerWith(world(), words)
    const visitor = await loginAs(world(), customer)
    const { user } = (await visitor.get('/api/account/')).body
    expect(user).toMatchObject({ email: customer.email, first_name: customer.first_name })
    return { customer, user, services: (await visitor.get('/api/services/')).body as Record<string, Service> }
  }

  test('are there when it is ready', async () => {
    const customers = await customersOf(world())
    expect(customers.map(({ about }) => about)).toEqual([expect.stringContaining('saved card'), expect.stringContaining('several services'), expect.stringContaining('unverified')])
    expect(new Set(customers.map(({ email }) => email)).size).toBe(customers.length)
  })

  test('who has a saved card has one service, which is their contact phone', async () => {
    const { user, services } = await enter('saved card')
    expect(user).toMatchObject({ email_verified: true, credit_card_token: { card_type: 'visa', masked_card_number: '**** **** **** 1111', is_expired: false } })
    expect(Object.values(services)).toMatchObject([{ msisdn: user.phone, is_expired: false }])
  })

  test('who has several services was told of the second one', async () => {
    const { customer, services } = await enter('several services')
    expect(Object.values(services)).toHaveLength(2)
    const mails = await world().mailTo(customer.email)
    expect(mails.map(({ subject }) => subject)).toEqual(['Your new SIM is active', 'Welcome to Fantail Mobile: please confirm your email'])
  })

  test('who is unverified can log in, and the link in their mail is good', async () => {
    const { customer, user, services } = await enter('unverified')
    expect(user.email_verified).toBe(false)
    expect(services).toEqual({ code: 'Please confirm your email address first.' })
    const [mail] = await world().mailTo(customer.email)
    const token = new URL(mail?.links.find((link) => link.includes('/verify/')) ?? '').searchParams.get('token')
    expect(await world().visitor().post('/api/account/verify_email/', { token })).toMatchObject({ status: 200, body: { email_verified: true } })
  })

  test('came through the real flows: gateway, network, invoices and mail agree', async () => {
    expect(await faultsWhenQuiet(world())).toEqual([])
    const { gateway, network } = await world().ledgers()
    expect(gateway.filter(({ captured }) => captured > 0)).toHaveLength(4)
    expect(network.filter(({ action, state }) => action === 'activate' && state === 'completed')).toHaveLength(4)
  })

  test('took nothing off the shelf', async () => {
    const { sims, vouchers } = (await world().visitor().get('/demo/api/fixtures/')).body
    expect(sims.filter(({ behaviour }: { behaviour: string }) => behaviour === 'ok').length).toBeGreaterThanOrEqual(20)
    const held = await world().db.selectFrom('sim_packs').innerJoin('demo_sims', 'demo_sims.iccid', 'sim_packs.iccid').select('msisdn').where('order_id', 'is not', null).execute()
    expect(held).toEqual([])
    expect(vouchers.length).toBeGreaterThanOrEqual(10)
  })

  test('are offered under the names they have now, and no more once their password is another', async () => {
    const customer = await customerWith(world(), 'several services')
    await world().db.updateTable('users').set({ first_name: 'Sina' }).where('email', '=', customer.email).execute()
    expect((await customerWith(world(), 'several services')).first_name).toBe('Sina')
    await world().db.updateTable('users').set({ password_hash: 'another' }).where('email', '=', customer.email).execute()
    expect((await customersOf(world())).map(({ email }) => email)).not.toContain(customer.email)
  })
})

// In the other market, so that its numbers are tried as well.
test('nobody is made twice, and whoever is half made is made whole', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'fantail-customers-'))
  const database = process.env['DATABASE_URL'] ? await makeDatabase(process.env['DATABASE_URL']) : null
  const home = { env: { DATA_DIR: dataDir, DEMO_CUSTOMERS: 'all', MARKET: 'AU', ...(database && { DATABASE_URL: database.url }) } }
  try {
    const first = await startWorld(home)
    const before = await customersOf(first)
    // As if it had been stopped when all was done but the noting down, and one link had not been followed yet.
    await first.db.deleteFrom('demo_customers').execute()
    await first.db.updateTable('users').set({ email_verified_at: null }).where('email', '=', before[0]?.email ?? '').execute()
    await first.db.updateTable('email_tokens').set({ used_at: null }).execute()
    await first.close()

    const second = await startWorld(home)
    try {
      expect(await customersOf(second)).toEqual(before)
      const numbers = await second.db.selectFrom('services').select('msisdn').execute()
      expect(numbers.map(({ msisdn }) => msisdn.slice(0, 3))).toEqual(['+61', '+61', '+61', '+61'])
      const verified = await second.db.selectFrom('users').select('email').where('email_verified_at', 'is not', null).execute()
      expect(verified.map(({ email }) => email).sort()).toEqual(before.slice(0, 2).map(({ email }) => email).sort())
      const { gateway, network } = await second.ledgers()
      expect(gateway.map(({ authorised, captured }) => authorised > 0 && authorised === captured)).toEqual([true, true, true, true])
      expect(network.map(({ action }) => action).sort()).toEqual([...Array(4).fill('activate'), ...Array(4).fill('add_plan')])
    } finally {
      await second.close()
    }
  } finally {
    await database?.drop()
    rmSync(dataDir, { recursive: true, force: true })
  }
})
