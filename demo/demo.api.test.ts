import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import * as v from 'valibot'
import { transact } from '#kit/server/db.ts'
import { queueSms } from '#features/messages/server/messages.ts'
import { activate, advanceWizardTo } from '#quality/support/activation-journey.ts'
import { sendRawRequest } from '#quality/support/raw-http.ts'
import { registerCustomer } from '#quality/support/register-customer.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { useWorld } from '#quality/support/world.ts'

const world = useWorld()
const get = async (path: string) => (await world().visitor().get(path)).body
const send = (body: unknown) =>
  world()
    .visitor()
    .send('POST', '/demo/api/clock/', { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } })

describe('the demo’s SIM packs, vouchers and other fixtures', () => {
  const about = v.pipe(v.string(), v.nonEmpty())
  const instant = v.pipe(
    v.string(),
    v.check((text) => Temporal.Instant.from(text) !== null),
  )
  const shape = v.strictObject({
    now: instant,
    customers: v.array(v.strictObject({ email: v.string(), password: v.string(), first_name: v.string(), about })),
    sims: v.array(
      v.strictObject({
        msisdn: v.string(),
        sim_serial: v.pipe(v.string(), v.regex(/^\d{4}$/)),
        about,
        behaviour: v.picklist(['ok', 'fails_once', 'fails_always', 'slow']),
      }),
    ),
    vouchers: v.array(v.strictObject({ code: v.pipe(v.string(), v.regex(/^[\dA-Z]{12}$/)), plan: v.string(), about })),
    cards: v.array(
      v.strictObject({
        number: v.string(),
        expiry: v.string(),
        cvc: v.string(),
        name: v.string(),
        about,
        behaviour: v.picklist(['ok', 'declined', 'timeout', 'pending']),
      }),
    ),
    ports: v.array(v.strictObject({ msisdn: v.string(), behaviour: v.picklist(['completes', 'fails']) })),
    staff: v.array(
      v.strictObject({
        email: v.string(),
        name: v.string(),
        roles: v.array(v.picklist(['support', 'finance', 'admin'])),
        is_lead: v.boolean(),
      }),
    ),
  })
  const fixtures = async () => v.parse(shape, await get('/demo/api/fixtures/'))
  const kinds = (things: { behaviour: string }[]) => [...new Set(things.map(({ behaviour }) => behaviour))].sort()

  test('the demo’s fixtures are in the format that the demo guide reads, with enough stock of every kind', async () => {
    const { sims, vouchers, cards, ports } = await fixtures()
    expect(sims.filter(({ behaviour }) => behaviour === 'ok').length).toBeGreaterThanOrEqual(20)
    expect(vouchers.length).toBeGreaterThanOrEqual(10)
    expect(new Set(sims.map(({ msisdn }) => msisdn)).size).toBe(sims.length)
    expect(kinds(sims)).toEqual(['fails_always', 'fails_once', 'ok', 'slow'])
    expect(kinds(cards)).toEqual(['declined', 'ok', 'pending', 'timeout'])
    expect(kinds(ports)).toEqual(['completes', 'fails'])
  })

  test('a SIM pack and a voucher from the demo’s fixtures can be used, and are no longer listed afterwards', async () => {
    const { sims, vouchers } = await fixtures()
    const [pack, voucher] = [sims.find(({ behaviour }) => behaviour === 'ok'), vouchers[0]]
    if (!pack || !voucher) throw new Error('there is no stock')
    const { done } = await activate(world(), { sim: { ...pack, iccid: '' }, voucher: voucher.code })
    expect(done).toMatchObject({
      state: 'SUCCESSFUL',
      phone_number: pack.msisdn,
      plan_title: voucher.plan.split(',')[0],
    })
    const after = await fixtures()
    expect(after.sims.map(({ msisdn }) => msisdn)).not.toContain(pack.msisdn)
    expect(after.vouchers.map(({ code }) => code)).not.toContain(voucher.code)
    expect(after.vouchers.length).toBe(vouchers.length)
  })

  test('the demo restocks SIM packs when they run out, and the network knows about the new ones', async () => {
    await takeAllSims()
    const { sims } = await fixtures()
    const fresh = sims.filter(({ behaviour }) => behaviour === 'ok')
    expect(fresh.length).toBeGreaterThanOrEqual(20)
    const pack = fresh.at(-1)
    if (!pack) throw new Error('there is no stock')
    expect((await activate(world(), { sim: { ...pack, iccid: '' } })).done.state).toBe('SUCCESSFUL')
  })

  async function takeAllSims(): Promise<void> {
    const { db } = world()
    const order = await db.selectFrom('orders').selectAll().where('state', '=', 'completed').executeTakeFirstOrThrow()
    const packs = await db
      .selectFrom('demo_sims')
      .innerJoin('sim_packs', 'sim_packs.iccid', 'demo_sims.iccid')
      .select('demo_sims.iccid')
      .where('order_id', 'is', null)
      .execute()
    for (const { iccid } of packs) {
      const id = randomUUID()
      await db
        .insertInto('orders')
        .values({
          ...order,
          id,
          order_code: id.slice(0, 12),
          idempotency_key: id,
          product: JSON.stringify(order.product),
          porting: null,
        })
        .execute()
      await db.updateTable('sim_packs').set({ order_id: id }).where('iccid', '=', iccid).execute()
    }
  }
})

test('the demo mailbox lists messages newest first, for one address or for all of them', async () => {
  const { email } = await registerCustomer(world())
  // Pay with a voucher, because a card payment would trigger an extra email.
  await activate(world(), { email, voucher: await world().newVoucher() })
  const mails = await pollUntil(async () => {
    const found = await get(`/demo/api/messages/?to=${encodeURIComponent(email.toUpperCase())}`)
    return found.length === 2 && found
  })
  expect(mails.map(({ subject }: { subject: string }) => subject)).toEqual([
    'Your new SIM is active',
    'Welcome to Fantail Mobile: please confirm your email',
  ])
  expect(mails[1]).toMatchObject({
    id: expect.any(String),
    channel: 'email',
    to: email,
    text: expect.any(String),
    html: expect.stringContaining('<!doctype html>'),
    sent_at: expect.stringMatching(/Z$/),
  })
  expect(mails[1].links[0]).toContain('/verify/?token=')
  expect((await get('/demo/api/messages/')).length).toBeGreaterThan(2)
  expect(await get('/demo/api/messages/?to=unknown%40example.nz')).toEqual([])
})

describe('text messages in the demo mailbox', () => {
  async function oneText(text: string): Promise<string> {
    const { msisdn } = await world().newSim()
    await transact(world().db, (trx) =>
      queueSms(trx, world().deps, { eventKey: `test:${randomUUID()}`, to: msisdn, userId: randomUUID(), text }),
    )
    await pollUntil(async () => (await world().smsTo(msisdn)).length > 0)
    return msisdn
  }

  test('the demo mailbox also lists text messages, including their links', async () => {
    const to = await oneText('Your code is 482911. See http://localhost/help.')
    expect(await world().smsTo(to)).toEqual([
      {
        id: expect.any(String),
        message_id: expect.stringMatching(/^<.+@.+>$/),
        channel: 'sms',
        to,
        subject: '',
        text: 'Your code is 482911. See http://localhost/help.',
        html: '',
        links: ['http://localhost/help'],
        attachments: [],
        sent_at: expect.stringMatching(/Z$/),
      },
    ])
    expect((await get('/demo/api/messages/')).map((message: { to: string }) => message.to)).toContain(to)
  })

  test('the demo mailbox finds text messages by phone number, in any common format', async () => {
    const to = await oneText('Kia ora')
    const national = `0${to.slice(3)}`
    const spaced = `${national.slice(0, 3)} ${national.slice(3, 6)} ${national.slice(6)}`
    const writings = [
      to,
      national,
      spaced,
      `(${spaced.replace(' ', ') ')}`,
      ` ${to} `,
      to.replace('+', '00'),
      to.slice(1),
    ]
    const found = await Promise.all(
      writings.map((written) => get(`/demo/api/messages/?to=${encodeURIComponent(written)}`)),
    )
    expect(found.map((messages) => messages.map((message: { to: string }) => message.to))).toEqual(
      writings.map(() => [to]),
    )
    expect(await get(`/demo/api/messages/?to=${to}`)).toMatchObject([{ to }])
    expect(await get('/demo/api/messages/?to=%2B15550100123')).toEqual([])
  })

  test('if the portal sends the same text message twice, the demo mailbox contains it once', async () => {
    const { msisdn: to } = await world().newSim()
    for (let time = 0; time < 2; time++)
      expect(await world().deps.sms.send({ messageId: `<${to}@localhost>`, to, text: 'Twice' })).toBe('sent')
    expect(await world().smsTo(to)).toHaveLength(1)
  })
})

// Run the ledger test before the tests that move the clock forward, because the test cards would have expired by then.
test('the demo returns the simulators’ ledgers, with amounts in cents', async () => {
  const { orderCode } = await activate(world(), { plan: 'plan-7-500mb' })
  const { gateway, network } = await get('/demo/api/ledgers/')
  expect(gateway.at(-1)).toEqual({
    reference: `${orderCode}-1`,
    psp_reference: expect.stringMatching(/^\w{16}$/),
    authorised: 600,
    captured: 600,
    refunded: 0,
    cancelled: 0,
  })
  expect(network.at(-1)).toEqual({ external_id: `${orderCode}-plan-1`, action: 'add_plan', state: 'completed' })
})

describe('the demo’s clock', () => {
  test.each([['-P1D'], ['-PT1S'], ['P11Y'], ['P999999Y'], ['3 days'], [''], ['P'], [3], [null], [{ days: 3 }]])(
    'the demo’s clock cannot be advanced by %o',
    async (advance) => {
      const { status, body } = await send({ advance })
      expect({ status, body }).toEqual({ status: 400, body: { advance: [expect.any(String)] } })
    },
  )

  test('a request to advance the demo’s clock without a duration gets a 400', async () =>
    expect((await send({})).status).toBe(400))

  test('advancing the clock also moves the simulators and the time in response headers, and needs no CSRF token', async () => {
    const started = performance.now()
    const before = Temporal.Instant.from((await get('/demo/api/fixtures/')).now)
    const cardOfBefore = world().card()
    const { status, body } = await send({ advance: 'PT36H' })
    expect(status).toBe(200)
    /*
     * A clock must have moved by 36 hours plus the real time that has passed. Allow a millisecond for reading the clocks at different
     * moments.
     */
    const expectMoved = (text: string) => {
      const over = Temporal.Instant.from(text).since(before).subtract('PT36H').total('milliseconds')
      expect(over).toBeGreaterThanOrEqual(-1)
      expect(over).toBeLessThanOrEqual(performance.now() - started + 1)
    }
    expectMoved(body.now)
    expectMoved((await world().visitor().get('/api/products/')).headers.get('x-server-time') ?? '')
    const network = await (await fetch(`${world().deps.outside.networkUrl}/_simulator/clock`)).json()
    expectMoved((network as { now: string }).now)
    // The gateway rejects card data encrypted more than a day ago, so the old card data fails and freshly encrypted data succeeds.
    const traveller = await advanceWizardTo(world(), 'PAYMENT')
    expect((await traveller.pay({ card: cardOfBefore })).status).toBe(400)
    expect((await traveller.pay()).status).toBe(200)
  })

  test(
    'advancing the clock replaces expired vouchers but ends no sessions, because sessions use real time',
    { tags: ['slow'] },
    async () => {
      const { visitor } = await advanceWizardTo(world(), 'CREATED')
      const cookie = visitor.cookie('fantail')
      await send({ advance: 'P3Y' })
      const { vouchers } = await get('/demo/api/fixtures/')
      expect(vouchers.length).toBeGreaterThanOrEqual(10)
      for (const { code } of vouchers) expect((await visitor.get(`/api/vouchers/${code}/`)).status).toBe(200)
      await visitor.get('/api/account/')
      expect(visitor.cookie('fantail')).toBe(cookie)
      expect(
        await world().db.selectFrom('sessions').select('id').where('expires_at', '<', new Date()).execute(),
      ).toEqual([])
    },
  )
})

describe('requests to the demo that use a foreign host name', () => {
  const port = () => new URL(world().url).port
  const refused = { status: 421, body: expect.stringContaining('PUBLIC_URL') }

  test.each([
    '/demo/',
    '/demo/mailbox/',
    '/demo/guide/guide.js',
    '/demo/api/messages/',
    '/demo/api/fixtures/',
    '/demo/api/ledgers/',
    '/api/account/',
    '/api/openapi.json',
    '/documents/A/B.pdf',
    '/login/',
    '/nowhere/',
    '/api/%',
  ])('a request for %s with a foreign host name gets none of its content', async (path) => {
    for (const host of [
      `evil.example:${port()}`,
      'evil.example',
      `192.168.1.20:${port()}`,
      `localhost.evil.example:${port()}`,
    ]) {
      expect(await sendRawRequest(world().url, { path, headers: { host } })).toEqual(refused)
    }
    expect(
      await sendRawRequest(world().url, {
        path: `http://evil.example:${port()}${path}`,
        headers: { host: `localhost:${port()}` },
      }),
    ).toEqual(refused)
    for (const host of [`localhost:${port()}`, `127.0.0.1:${port()}`, `fantail.localhost:${port()}`, 'localhost:8080'])
      expect((await sendRawRequest(world().url, { path, headers: { host } })).status).not.toBe(421)
  })

  test('a request with a foreign host name can neither move the demo’s clock nor send payment notifications', async () => {
    const before = world().deps.clock.offset()
    const headers = { host: `evil.example:${port()}`, 'content-type': 'application/json' }
    expect(
      await sendRawRequest(world().url, {
        method: 'POST',
        path: '/demo/api/clock/',
        headers,
        body: '{"advance":"P1D"}',
      }),
    ).toEqual(refused)
    expect(
      await sendRawRequest(world().url, { method: 'POST', path: '/callbacks/card/', headers, body: '{}' }),
    ).toEqual(refused)
    expect(world().deps.clock.offset()).toBe(before)
  })
})
