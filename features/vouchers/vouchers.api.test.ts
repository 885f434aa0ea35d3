import { randomBytes, randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { transact } from '#kit/server/db.ts'
import { importCatalogue } from '#features/plans/server/plans.store.ts'
import { fantailProvider } from '#quality/support/provider.ts'
import { useRouteServer } from '#quality/support/route-server.ts'
import { createInProcessApi } from '#kit/server/in-process-api.ts'
import { generateSession } from '#kit/server/session.ts'
import type { RequestContext } from '#kit/server/request-context.ts'
import { voucherRoutes } from './server/vouchers.routes.ts'
import { importVouchers } from './server/vouchers.store.ts'
import { readVoucher } from './vouchers.contract.ts'

const rig = useRouteServer(voucherRoutes, {
  before: ({ db }) => transact(db, (trx) => importCatalogue(trx, fantailProvider.catalogue)),
})

async function newVoucher({ plan = 'plan-30-5gb', hours = 24 } = {}): Promise<string> {
  const code = randomBytes(6).toString('hex').toUpperCase()
  const { db, secrets, clock } = rig()
  await importVouchers(db, secrets, [{ code, productId: plan, expiresAt: clock.now().add({ hours }) }])
  return code
}

const look = (code: string, query = '') =>
  rig()
    .visitor()
    .get(`/api/vouchers/${encodeURIComponent(code)}/${query}`)

describe('valid vouchers', () => {
  test('returns the plan of a valid voucher', async () => {
    const code = await newVoucher()
    expect(await look(code, '?event_type=ACTIVATION')).toMatchObject({
      status: 200,
      body: { code, product: { unique_id: 'plan-30-5gb', title: '5 GB Prepay Plan', length: 30, price: '22.00' } },
    })
  })

  test.each([
    ['in lower case', (code: string) => code.toLowerCase()],
    ['with spaces around', (code: string) => ` ${code} `],
  ])('finds a voucher by its code %s', async (_how, typed) => {
    const code = await newVoucher()
    expect(await look(typed(code))).toMatchObject({ status: 200, body: { code } })
  })

  test('a voucher is also valid for a renewal', async () =>
    expect((await look(await newVoucher(), '?event_type=RENEWAL')).status).toBe(200))

  test('a voucher for new customers is valid for an activation but not for a renewal', async () => {
    const code = await newVoucher({ plan: 'welcome-30-25gb' })
    expect((await look(code, '?event_type=ACTIVATION')).status).toBe(200)
    expect(await look(code, '?event_type=RENEWAL')).toMatchObject({
      status: 412,
      body: { type: 'This voucher code is not valid.' },
    })
  })

  test('a voucher stays valid even if its plan is no longer on sale', async () => {
    expect(await look(await newVoucher({ plan: 'plan-30-10gb' }))).toMatchObject({
      status: 200,
      body: { product: { title: '10 GB Prepay Plan' } },
    })
  })
})

describe('invalid vouchers', () => {
  test.each(['ABCDEFGHJKMN', 'ABCDEFGHJKM', 'ABCDEFGHJKMNP', 'ÄÖÜßŁĐŦĦŊŒÆØ', '../products/', '%00', 'a b c d e f g'])(
    'the voucher code %o is reported as not valid, with a 412',
    async (code) => {
      const { status, body } = await look(code)
      expect({ status, body }).toEqual({ status: 412, body: { type: 'This voucher code is not valid.' } })
    },
  )

  test('a voucher is reported as expired, with a 412, from the exact instant at which it expires', async () => {
    const code = await newVoucher({ hours: 2 })
    const { clock } = rig()
    clock.setOffset(7_190_000)
    expect((await look(code)).status).toBe(200)
    clock.setOffset(7_200_000)
    const { status, body } = await look(code)
    clock.setOffset(0)
    expect({ status, body }).toEqual({ status: 412, body: { type: 'This voucher has expired.' } })
  })

  test('a voucher that is held by an order is reported as already used, with a 412', async () => {
    const code = await newVoucher()
    const { db, secrets } = rig()
    const order_id = await anOrder()
    await db.updateTable('vouchers').set({ order_id }).where('code_hash', '=', secrets.hash('voucher', code)).execute()
    const { status, body } = await look(code)
    expect({ status, body }).toEqual({ status: 412, body: { type: 'This voucher has already been used.' } })
  })

  test.each([
    '?event_type=RESALE',
    '?event_type=',
    '?event_type=ACTIVATION&event_type=RENEWAL',
    '?event_type[]=x&event_type=y',
  ])('an unknown event type (%s) gets a 400 with a message in `code`', async (query) => {
    const { status, body } = await look(await newVoucher(), query)
    expect({ status, body }).toEqual({
      status: 400,
      body: { code: 'A voucher can be used for an activation or a renewal.' },
    })
  })
})

test('a visitor who guesses voucher codes gets 429, but other visitors do not', async () => {
  const guesser = rig().visitor()
  await guesser.get('/api/vouchers/AAAAAAAAAAA0/')
  const guesses = await Promise.all(
    Array.from({ length: 30 }, (_, n) => guesser.get(`/api/vouchers/AAAAAAAAAA${String(n).padStart(2, '0')}/`)),
  )
  expect(guesses.every(({ status }) => status === 412 || status === 429)).toBe(true)
  const code = await newVoucher()
  const limited = await guesser.get(`/api/vouchers/${code}/`)
  expect(limited).toMatchObject({ status: 429, body: { code: 'Too many requests. Please try again shortly.' } })
  expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await look(code)).status).toBe(200)
})

test('voucher lookups by server-rendered pages count towards the same limit as API requests', async () => {
  const { db, secrets } = rig()
  const visit: RequestContext = {
    session: generateSession(secrets),
    user: null,
    device: null,
    clientIp: '203.0.113.9',
    inProcess: false,
  }
  const api = createInProcessApi(db, voucherRoutes(rig()), { visit: Promise.resolve(visit) })
  const ask = (code: string) => api.call(readVoucher, { params: { code }, query: {} })
  const code = await newVoucher()
  expect((await ask(code)).data).toMatchObject({ code, product: { unique_id: 'plan-30-5gb' } })
  for (let n = 1; n < 30; n++) await expect(ask('AAAAAAAAAAAA')).rejects.toMatchObject({ status: 412 })
  await expect(ask(code)).rejects.toMatchObject({ status: 429 })
})

test('the database table of vouchers contains no readable voucher codes', async () => {
  const code = await newVoucher()
  const rows = JSON.stringify(await rig().db.selectFrom('vouchers').selectAll().execute())
  expect(rows.toUpperCase()).not.toContain(code)
})

test('importing the same voucher code again changes nothing', async () => {
  const code = await newVoucher({ plan: 'plan-30-5gb' })
  const { db, secrets, clock } = rig()
  await importVouchers(db, secrets, [
    { code, productId: 'plan-365-60gb', expiresAt: clock.now().add({ hours: 9_999 }) },
  ])
  expect((await look(code)).body.product.unique_id).toBe('plan-30-5gb')
})

async function anOrder(): Promise<string> {
  const id = randomUUID()
  const { db } = rig()
  await db
    .insertInto('sim_packs')
    .values({
      iccid: '8964032000000000001',
      msisdn: '+64216000001',
      last_four: '0001',
      order_id: null,
      activated_at: null,
    })
    .execute()
  await db
    .insertInto('orders')
    .values({
      id,
      order_code: 'FT0000000001',
      kind: 'activation',
      paid_with: 'card',
      state: 'authorised',
      product_id: 'plan-30-5gb',
      product: '{}',
      amount_cents: 0,
      currency: 'NZD',
      iccid: '8964032000000000001',
      msisdn: '+64216000001',
      email: 'ana@example.nz',
      full_name: 'Ana Rewi',
      marketing_consent: false,
      version: 0,
      tries: 0,
      created_at: new Date(),
    })
    .execute()
  return id
}
