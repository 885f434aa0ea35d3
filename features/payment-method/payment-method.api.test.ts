import { sql } from 'kysely'
import { rmSync } from 'node:fs'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { toDate } from '#kit/server/clock.ts'
import { encryptCard } from '#kit/web/card/encrypt.ts'
import { createDataFolder } from '#quality/support/data-folder.ts'
import { findFaultsWhenIdle } from '#quality/support/reconciliation.ts'
import { sealCard, undecryptableCard } from '#quality/support/cards.ts'
import { type Customer, makeCustomer } from '#quality/support/customer.ts'
import { findFreePort } from '#kit/server/free-port.ts'
import { activate } from '#quality/support/activation-journey.ts'
import { createProductProcess } from '#quality/support/product-process.ts'
import { registerCustomer } from '#quality/support/register-customer.ts'
import { clearFailures, failGateway, setWebhookMode } from '#quality/support/simulators.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { type Answer, newVisitor, type Visitor } from '#quality/support/visitor.ts'
import { useWorld } from '#quality/support/world.ts'
import { wipeExpiredSealedCards } from './server/card-updates.store.ts'

const world = useWorld()
// All customers in this file share one IP address, and the number of cards tried from one address is limited.
beforeEach(() => world().db.deleteFrom('rate_limits').execute())
beforeEach(() => setWebhookMode(world(), { mode: 'normal' }))

const path = '/api/orders/update_payment/'
const declined = 'Your bank declined this card. Nothing was charged. Try another card or call your bank.'
const unconfirmed = 'Your bank could not confirm this card. Please try another card.'
const unreadable = 'Please check your payment details and try again'

type Card = { number?: string; cvc?: string; holderName?: string; expiryMonth?: string; expiryYear?: string }
const good = {
  number: '4111 1111 1111 1111',
  cvc: '737',
  holderName: 'Ana Rewi',
  expiryMonth: '03',
  expiryYear: '2030',
}
const sealed = (card: Card = {}, at = world().deps.clock.now()) =>
  encryptCard(world().deps.bootstrap.card.publicKey, { ...good, ...card }, at.toString({ fractionalSecondDigits: 3 }))

function send(visitor: Visitor, card: string | undefined, key: string = crypto.randomUUID()): Promise<Answer> {
  return visitor.post(
    path,
    { payment_method: '1', use_saved_card: false, adyen_encrypted: card },
    { 'idempotency-key': key },
  )
}
const update = ({ visitor }: Customer, holderName = 'Ana Rewi', key?: string) =>
  send(visitor, sealed({ holderName }), key)

const updatesOf = ({ id }: Customer) =>
  world().db.selectFrom('card_updates').selectAll().where('user_id', '=', id).orderBy('created_at').execute()
const savedCardOf = async ({ visitor }: Customer) => (await visitor.get('/api/account/')).body.user.credit_card_token
const savedRowOf = ({ id }: Customer) =>
  world().db.selectFrom('saved_cards').selectAll().where('user_id', '=', id).executeTakeFirst()
const actsOf = async ({ id }: Customer) =>
  (
    await world()
      .db.selectFrom('audit_events')
      .select('event')
      .where('user_id', '=', id)
      .where('event', 'like', 'card_%')
      .orderBy('id')
      .execute()
  ).map(({ event }) => event)

async function linesOf(customer: Customer) {
  const references = (await updatesOf(customer)).map(({ reference }) => reference)
  return (await world().ledgers()).gateway.filter(({ reference }) => references.includes(reference))
}

const letTimeRunOut = ({ id }: Customer) =>
  world()
    .db.updateTable('card_updates')
    .set({ resolve_by: new Date(0), retry_at: new Date(0) })
    .where('user_id', '=', id)
    .execute()

const refusedWith = (sentence: string) => ({ status: 400, body: { __all__: [sentence] } })

describe('saving a valid card', () => {
  test.each([
    ['visa', { number: '4111 1111 1111 1111' }, '1111'],
    ['mc', { number: '5555 3412 4444 1115' }, '1115'],
    ['amex', { number: '3700 0000 0000 002', cvc: '7373' }, '0002'],
  ])('saves a valid card (%s) without a charge, and shows it masked', async (type, card, lastFour) => {
    const customer = await makeCustomer(world())
    const token = {
      card_type: type,
      masked_card_number: `**** **** **** ${lastFour}`,
      formatted_expiry_date: '03 / 30',
      card_holder_name: 'Ana Rewi',
      is_expired: false,
    }
    const { status, body } = await send(customer.visitor, sealed(card))
    expect({ status, body }).toEqual({ status: 200, body: { credit_card_token: token } })
    expect(await savedCardOf(customer)).toEqual(token)
    expect(await linesOf(customer)).toMatchObject([{ authorised: 0, captured: 0, cancelled: 0 }])
    expect(await updatesOf(customer)).toMatchObject([
      {
        state: 'stored',
        sealed_card: null,
        retry_at: null,
        failure: null,
        reference: expect.stringMatching(/^CU[\dA-F]{12}-1$/),
      },
    ])
    expect(await actsOf(customer)).toEqual(['card_update_requested', 'card_updated'])
  })

  test('a new card replaces only the customer’s own saved card', { tags: ['slow'] }, async () => {
    const [customer, other] = [await makeCustomer(world(), { card: true }), await makeCustomer(world(), { card: true })]
    const [before, others] = [await savedRowOf(customer), await savedRowOf(other)]
    expect(before?.last_four).toBe('1111')
    await send(customer.visitor, sealed({ number: '5555 3412 4444 1115' }))
    const after = await savedRowOf(customer)
    expect(after).toMatchObject({ last_four: '1115', card_type: 'mc' })
    expect(after?.stored_id).not.toBe(before?.stored_id)
    expect(await savedRowOf(other)).toEqual(others)
  })

  test('a card used in a later purchase replaces the saved card', { tags: ['slow'] }, async () => {
    const customer = await makeCustomer(world(), { services: 1 })
    await send(customer.visitor, sealed({ number: '5555 3412 4444 1115' }))
    await activate({ ...world(), visitor: () => customer.visitor })
    expect(await savedCardOf(customer)).toMatchObject({ card_type: 'visa', masked_card_number: '**** **** **** 1111' })
  })

  test('the gateway charges a saved card only if the request contains the reference of the customer who saved it', async () => {
    const customer = await makeCustomer(world())
    await update(customer)
    const { stored_id: storedId } = (await savedRowOf(customer)) ?? { stored_id: '' }
    const charge = (shopperReference: string) =>
      world().deps.card.authorise({
        reference: `test-${crypto.randomUUID()}`,
        idempotencyKey: crypto.randomUUID(),
        amount: 100,
        currency: 'NZD',
        shopperReference,
        shopperEmail: '',
        card: { storedId },
        store: false,
      })
    const charged = await charge(customer.id)
    expect(charged).toMatchObject({ outcome: 'authorised' })
    expect(await charge(crypto.randomUUID())).toMatchObject({ outcome: 'invalid' })
    // Cancel this authorisation, or the reconciliation at the end of this file would report it.
    const originalReference = 'pspReference' in charged ? (charged.pspReference ?? '') : ''
    await world().deps.card.cancel({ originalReference, reference: 'test', idempotencyKey: crypto.randomUUID() })
  })

  test('saves a card even if the request has no idempotency key', async () => {
    const customer = await makeCustomer(world())
    expect((await customer.visitor.post(path, { adyen_encrypted: sealed() })).status).toBe(200)
  })
})

describe('cards that cannot be saved', () => {
  test.each([
    ['DECLINED', declined],
    ['ERROR', declined],
    ['ISSUER_UNAVAILABLE', declined],
    ['NOT_ENOUGH_BALANCE', declined],
    ['CARD_EXPIRED', declined],
    ['PENDING', unconfirmed],
    ['HELD', unconfirmed],
  ])(
    'after a rejected card (%s), the old card stays saved and the response does not say why',
    { tags: ['slow'] },
    async (holder, sentence) => {
      const customer = await makeCustomer(world())
      await update(customer)
      const before = await savedRowOf(customer)
      const { status, body } = await update(customer, holder)
      expect({ status, body }).toEqual(refusedWith(sentence))
      expect(await savedRowOf(customer)).toEqual(before)
      expect((await updatesOf(customer)).map(({ sealed_card, retry_at }) => ({ sealed_card, retry_at }))).toEqual([
        { sealed_card: null, retry_at: null },
        { sealed_card: null, retry_at: null },
      ])
      expect(await actsOf(customer)).toEqual(['card_update_requested', 'card_updated', 'card_update_requested'])
    },
  )

  test.each([
    [
      'encrypted with a different key',
      () => sealCard('10001|b3f1c0de'.padEnd(518, '5'), world().deps.clock.now(), 'Ana Rewi'),
    ],
    ['tampered with', () => sealed().replace(/.{8}$/, 'AAAAAAA=')],
    ['with a security code of the wrong length', () => sealed({ cvc: '7373' })],
  ])('rejects a card that the gateway cannot read (%s) with a message to check the details', async (_what, card) => {
    // The gateway has already decrypted a card, so the public key must be correct.
    await update(await makeCustomer(world()))
    const customer = await makeCustomer(world())
    const { status, body } = await send(customer.visitor, card())
    expect({ status, body }).toEqual(refusedWith(unreadable))
    expect(await updatesOf(customer)).toMatchObject([{ state: 'refused', failure: 'unreadable', sealed_card: null }])
    expect(await savedRowOf(customer)).toBeUndefined()
  })

  test('rejects a card that the gateway authorises but does not store', async () => {
    const customer = await makeCustomer(world())
    const { deps } = world()
    const { authorise } = deps.card
    onTestFinished(() => void Object.assign(deps.card, { authorise }))
    deps.card.authorise = (payment) => authorise({ ...payment, store: false })
    const { status, body } = await update(customer)
    expect({ status, body }).toEqual(refusedWith(unconfirmed))
    expect(await savedRowOf(customer)).toBeUndefined()
  })

  test.each([
    ['missing', { adyen_encrypted: undefined }, { adyen_encrypted: [unreadable] }],
    ['empty', { adyen_encrypted: '' }, { adyen_encrypted: [unreadable] }],
    ['too long', { adyen_encrypted: 'a'.repeat(8_001) }, { adyen_encrypted: [unreadable] }],
    ['random text', { adyen_encrypted: 'junk' }, { adyen_encrypted: [unreadable] }],
    ['random text after a version', { adyen_encrypted: 'adyenjs_0_1_18$nonsense' }, { adyen_encrypted: [unreadable] }],
    ['unencrypted', { adyen_encrypted: '4111 1111 1111 1111' }, { adyen_encrypted: [expect.any(String)] }],
    [
      'sent as a voucher payment',
      { adyen_encrypted: undecryptableCard, payment_method: '2' },
      { payment_method: [expect.any(String)] },
    ],
    [
      'sent as a saved-card payment',
      { adyen_encrypted: undecryptableCard, use_saved_card: true },
      { use_saved_card: [expect.any(String)] },
    ],
  ])('rejects input that is not an encrypted card (%s) without asking the gateway', async (_what, body, errors) => {
    const customer = await makeCustomer(world())
    expect(await customer.visitor.post(path, body)).toMatchObject({ status: 400, body: errors })
    expect(await updatesOf(customer)).toEqual([])
  })
})

describe('card updates whose gateway response is lost', () => {
  test(
    'retries an authorisation that timed out, and the gateway authorises the card only once',
    { tags: ['slow'] },
    async () => {
      const customer = await makeCustomer(world())
      expect(await update(customer, 'TIMEOUT')).toMatchObject({
        status: 200,
        body: { credit_card_token: { card_holder_name: 'TIMEOUT' } },
      })
      expect(await linesOf(customer)).toHaveLength(1)
    },
  )

  test('retries a card’s authorisation after a single gateway error', { tags: ['slow'] }, async () => {
    const customer = await makeCustomer(world())
    await failGateway(world(), { operation: 'authorise', kind: 'error_500', times: 1 })
    expect((await update(customer)).status).toBe(200)
    expect(await linesOf(customer)).toHaveLength(1)
  })

  test.each(['lost_request', 'lost_answer', 'error_500'] as const)(
    'saves a card even if the first two calls to the gateway fail (%s)',
    { tags: ['slow'] },
    async (kind) => {
      const customer = await makeCustomer(world())
      await failGateway(world(), { operation: 'authorise', kind, times: 2 })
      expect((await update(customer)).status).toBe(200)
      expect(await linesOf(customer)).toHaveLength(1)
    },
  )

  test('a repeated idempotency key returns the first result even for a different card, but only to the same customer', async () => {
    const [customer, other] = [await makeCustomer(world()), await makeCustomer(world())]
    const first = await update(customer, 'Ana Rewi', 'mine')
    const again = await update(customer, 'DECLINED', 'mine')
    expect({ status: again.status, body: again.body }).toEqual({ status: 200, body: first.body })
    expect(await linesOf(customer)).toHaveLength(1)
    expect((await update(other, 'DECLINED', 'mine')).status).toBe(400)
    const refusedAgain = await update(other, 'Ana Rewi', 'mine')
    expect({ status: refusedAgain.status, body: refusedAgain.body }).toEqual(refusedWith(declined))
  })

  test(
    'responds with 202 to a card sent while the gateway is down, and returns the result when the request is repeated later',
    { tags: ['slow'] },
    async () => {
      const customer = await makeCustomer(world())
      await failGateway(world(), { operation: 'authorise', kind: 'error_500', times: 1000 })
      const started = performance.now()
      const first = await update(customer, 'Ana Rewi', 'k')
      expect({ status: first.status, body: first.body }).toEqual({ status: 202, body: { retry: true } })
      expect(performance.now() - started).toBeLessThan(20_000)
      expect(await savedRowOf(customer)).toBeUndefined()
      const [waiting] = await updatesOf(customer)
      expect(waiting).toMatchObject({ state: 'unknown', sealed_card: expect.stringMatching(/^[\w+/=]{100,}$/) })
      expect(
        ((waiting?.resolve_by.getTime() ?? Infinity) - (waiting?.created_at.getTime() ?? 0)) / 1_000,
      ).toBeLessThanOrEqual(90)
      await clearFailures(world())
      expect(await update(customer, 'Ana Rewi', 'k')).toMatchObject({
        status: 200,
        body: { credit_card_token: { masked_card_number: '**** **** **** 1111' } },
      })
      expect(await linesOf(customer)).toHaveLength(1)
    },
  )

  test('a background job resolves an undecided card update if the customer does not return', async () => {
    const customer = await makeCustomer(world())
    await insertInDoubt(customer, sealed())
    await pollUntil(async () => (await savedRowOf(customer))?.last_four === '1111')
    expect(await updatesOf(customer)).toMatchObject([{ state: 'stored', sealed_card: null }])
  })

  test('cancels a card update that stays undecided for too long and saves no card', { tags: ['slow'] }, async () => {
    const customer = await makeCustomer(world())
    await insertInDoubt(customer, sealed(), { wakeInHours: 2 })
    await failGateway(world(), {
      operation: 'technicalCancel',
      kind: 'error_500',
      reference: (await updatesOf(customer))[0]?.reference ?? '',
    })
    await letTimeRunOut(customer)
    await pollUntil(async () => (await failuresLeft()) === 0)
    expect(await updatesOf(customer)).toMatchObject([{ state: 'unknown' }])
    await letTimeRunOut(customer)
    await pollUntil(async () => (await updatesOf(customer))[0]?.state === 'cancelled')
    expect(await updatesOf(customer)).toMatchObject([{ failure: 'unconfirmed', sealed_card: null }])
    const { status, body } = await update(customer, 'Ana Rewi', 'in doubt')
    expect({ status, body }).toEqual(refusedWith(unconfirmed))
    expect(await savedRowOf(customer)).toBeUndefined()
  })

  test('a gateway notification resolves an undecided card update', { tags: ['slow'] }, async () => {
    const customer = await makeCustomer(world())
    await insertInDoubt(customer, sealed(), { wakeInHours: 2 })
    const [row] = await updatesOf(customer)
    // The gateway has authorised the card, although its response was lost, and now sends a notification.
    await setWebhookMode(world(), { mode: 'normal' })
    await world().deps.card.authorise({
      reference: row?.reference ?? '',
      idempotencyKey: row?.idempotency_key ?? '',
      amount: 0,
      currency: 'NZD',
      shopperReference: customer.id,
      shopperEmail: customer.email,
      card: { encrypted: sealed() },
      store: true,
    })
    await pollUntil(async () => (await savedRowOf(customer)) !== undefined)
    expect(await linesOf(customer)).toHaveLength(1)
  })

  test('deletes the stored encrypted card within an hour, even if its card update is still undecided', async () => {
    const customer = await makeCustomer(world())
    await insertInDoubt(customer, sealed(), { wakeInHours: 2, minutesAgo: 56 })
    await wipeExpiredSealedCards(world().db)
    expect(await updatesOf(customer)).toMatchObject([{ sealed_card: null, state: 'unknown' }])
    await letTimeRunOut(customer)
    await pollUntil(async () => (await updatesOf(customer))[0]?.state === 'cancelled')
  })
})

describe('who may save a card', () => {
  test('only a signed-in customer with a verified email address may save a card', async () => {
    const unverified = await makeCustomer(world(), { verified: false })
    expect(await send(unverified.visitor, sealed())).toMatchObject({ status: 403, body: { code: expect.any(String) } })
    expect(await send(world().visitor(), sealed())).toMatchObject({ status: 401 })
    expect(await updatesOf(unverified)).toEqual([])
  })

  test('rejects a card sent by another site or with the CSRF token of another session', async () => {
    const [customer, other] = [await makeCustomer(world()), await makeCustomer(world())]
    const body = JSON.stringify({ adyen_encrypted: sealed() })
    const json = { 'content-type': 'application/json' }
    const token = { 'x-csrftoken': customer.visitor.cookie('csrftoken') ?? '' }
    for (const headers of [
      json,
      { ...json, 'x-csrftoken': other.visitor.cookie('csrftoken') ?? '' },
      { ...json, ...token, origin: 'https://evil.example' },
    ]) {
      expect((await customer.visitor.send('POST', path, { body, headers })).status).toBe(403)
    }
    expect(
      (await customer.visitor.send('POST', path, { body, headers: { ...token, 'content-type': 'text/plain' } })).status,
    ).toBe(415)
    expect(await updatesOf(customer)).toEqual([])
  })

  test(
    'limits a customer to ten card updates an hour, not counting repeated requests',
    { tags: ['slow'] },
    async () => {
      const customer = await makeCustomer(world())
      for (let count = 0; count < 10; count++) {
        expect((await update(customer, 'DECLINED', `card ${count}`)).status).toBe(400)
        expect((await update(customer, 'DECLINED', `card ${count}`)).status).toBe(400)
        // Declined payments have a lower limit of their own, which this test must not hit first.
        await world().db.deleteFrom('refused_payments').execute()
      }
      const eleventh = await update(customer)
      expect(eleventh.status).toBe(429)
      expect(Number(eleventh.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(await updatesOf(customer)).toHaveLength(10)
      expect((await update(await makeCustomer(world()))).status).toBe(200)
    },
  )

  test(
    'blocks a customer for several minutes after six declined cards, but not other customers at the same IP address',
    { tags: ['slow'] },
    async () => {
      const customers = [
        await makeCustomer(world()),
        await makeCustomer(world()),
        await makeCustomer(world()),
        await makeCustomer(world()),
      ]
      for (const customer of customers.slice(0, 3))
        for (let count = 0; count < 6; count++) expect((await update(customer, 'DECLINED')).status).toBe(400)
      const waiting = await update(customers[0]!)
      expect(waiting.status).toBe(429)
      expect(Number(waiting.headers.get('retry-after'))).toBeGreaterThan(280)
      expect((await update(customers[3]!)).status).toBe(200)
    },
  )
})

describe('card details stay secret', () => {
  const number = /5555[\s-]?3412[\s-]?4444[\s-]?1115/

  test('responses contain neither the card number nor the gateway’s card ID, and the database contains only the card ID', async () => {
    const customer = await makeCustomer(world())
    const card = sealed({ number: '5555 3412 4444 1115', cvc: '951' })
    const answer = await send(customer.visitor, card)
    expect(answer.status).toBe(200)
    const answers = [answer.body, (await customer.visitor.get('/api/account/')).body]
      .map((body) => JSON.stringify(body))
      .join('\n')
    expect(answers).toContain('**** **** **** 1115')
    const { stored_id: storedId } = (await savedRowOf(customer)) ?? { stored_id: '' }
    for (const secret of [number, card, storedId]) expect(answers).not.toMatch(secret)
    // The digits 951 may occur by chance in the email address or the time, so strip both before searching for the CVC.
    expect(answers.replaceAll(customer.email, '').replaceAll(/"last_updated":"[^"]*"/g, '')).not.toMatch(/951/)
    const tables = await everyTable()
    expect(tables).toContain(storedId)
    expect(tables).not.toMatch(number)
    expect(tables).not.toContain(card)
  })

  test('logs contain no card details and do not say why a card was declined', { tags: ['slow'] }, async () => {
    const dataDir = createDataFolder('fantail-log-')
    const product = createProductProcess({ PORT: String(await findFreePort()), DATA_DIR: dataDir, LOG_LEVEL: 'debug' })
    onTestFinished(async () => {
      await product.stop()
      rmSync(dataDir, { recursive: true, force: true })
    })
    await product.start()
    const { body: fixtures } = await newVisitor(product.url).get('/demo/api/fixtures/')
    const { visitor } = await registerCustomer({
      visitor: () => newVisitor(product.url),
      newSim: async () => ({
        ...fixtures.sims.find(({ behaviour }: { behaviour: string }) => behaviour === 'ok'),
        iccid: '',
      }),
      newVoucher: async () => fixtures.vouchers[0].code,
      mailTo: async (address) => (await newVisitor(product.url).get(`/demo/api/messages/?to=${address}`)).body,
      card: () => '',
    })
    const answers = []
    for (const card of ['5555 3412 4444 1115', undecryptableCard])
      answers.push((await visitor.post(path, { adyen_encrypted: card }, { 'idempotency-key': 'my own key' })).body)
    expect(answers).toEqual([{ adyen_encrypted: [expect.any(String)] }, { __all__: [unreadable] }])
    await product.stop()
    const log = product.complaints().join('\n')
    expect(log).toContain(path)
    expect(log).not.toMatch(/5555[\s-]?3412|adyenjs|my own key|invalid/)
  })

  async function everyTable(): Promise<string> {
    const tables = await sql<{
      name: string
    }>`select format('%I.%I', table_schema, table_name) as name from information_schema.tables
      where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE'`.execute(world().db)
    const rows = await Promise.all(
      tables.rows.map(({ name }) =>
        sql.raw<{ row: string }>(`select t::text as row from ${name} t`).execute(world().db),
      ),
    )
    return rows.flatMap((result) => result.rows.map(({ row }) => row)).join('\n')
  }
})

test('after all card updates, our records differ from the gateway’s and the network’s only where a test made them differ', async () => {
  const faults = await findFaultsWhenIdle(world())
  // Two of the expected differences come from charging a stored card without an order, one from a card that the gateway would not store.
  const stranger = 'for payments that we did not make: does something else use our merchant account?'
  expect(faults.filter((fault) => !fault.startsWith('test-')).toSorted()).toEqual([
    expect.stringContaining(`the gateway reports AUTHORISATION ${stranger}`),
    expect.stringContaining(`the gateway reports CANCELLATION ${stranger}`),
    expect.stringContaining('does not return recurring.recurringDetailReference: no card is saved'),
  ])
})

async function failuresLeft(): Promise<number> {
  const answer = await fetch(`${world().deps.outside.cardUrl}/_simulator/failures`)
  return ((await answer.json()) as unknown[]).length
}

async function insertInDoubt({ id }: Customer, card: string, { wakeInHours = 0, minutesAgo = 0 } = {}): Promise<void> {
  const now = Temporal.Now.instant()
  await world()
    .db.insertInto('card_updates')
    .values({
      id: crypto.randomUUID(),
      user_id: id,
      request_key: 'in doubt',
      reference: `CU${crypto.randomUUID().replaceAll('-', '').slice(0, 12).toUpperCase()}-1`,
      idempotency_key: crypto.randomUUID(),
      state: 'unknown',
      sealed_card: world().deps.secrets.seal(card),
      asked_at: toDate(world().deps.clock.now()),
      created_at: toDate(now.subtract({ minutes: minutesAgo })),
      resolve_by: toDate(now.add({ seconds: 75 })),
      retry_at: toDate(now.add({ seconds: Math.round(wakeInHours * 3_600) })),
    })
    .execute()
}
