import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { encryptCard } from '#kit/web/card/encrypt.ts'
import { startGatewaySimulator } from '#simulators/gateway/server.ts'
import type { GatewaySimulator } from '#simulators/gateway/server.ts'
import { createCardGateway } from './adyen.ts'
import type { CardGateway, CardNotification, CardPayment } from './card.port.ts'
import { readNotifications } from './notification.ts'

const account = { apiKey: 'key', merchantAccount: 'FantailNZ' }
const hmacKey = 'AB'.repeat(32)
const dataDir = mkdtempSync(join(tmpdir(), 'adyen-'))

let simulator: GatewaySimulator
let gateway: CardGateway
let webhooks: Server
let notifications: CardNotification[] = []
let orders = 0

beforeAll(async () => {
  webhooks = createServer(async (request, response) => {
    const body: unknown = JSON.parse(Buffer.concat(await request.toArray()).toString())
    const read = readNotifications(body, { hmacKey, merchantAccount: account.merchantAccount })
    notifications.push(...(read?.ours ?? []))
    response.writeHead(read ? 200 : 401).end('[accepted]')
  })
  const webhookUrl = `${await listen(webhooks)}/webhooks`
  simulator = await startGatewaySimulator({ ...account, port: 0, dataDir, hmacKey, webhookUrl, pendingDelayMs: 50 })
  gateway = createCardGateway({ ...account, baseUrl: simulator.url, timeoutMs: 5_000 })
})

afterEach(() => {
  notifications = []
})

afterAll(async () => {
  await simulator.close()
  webhooks.closeAllConnections()
  webhooks.close()
  rmSync(dataDir, { recursive: true })
})

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const encrypted = (
  holderName = 'Aroha Ngata',
  generationTime: Date | string = new Date(),
  number = '4111 1111 1111 1111',
) => {
  const card = { number, cvc: '737', holderName, expiryMonth: '03', expiryYear: '2035' }
  return { encrypted: encryptCard(simulator.publicKey, card, generationTime) }
}

function payment(card: CardPayment['card'], changes: Partial<CardPayment> = {}): CardPayment {
  orders += 1
  return {
    reference: `F${orders}-1`,
    idempotencyKey: `authorise-${orders}`,
    amount: 3990,
    currency: 'NZD',
    shopperReference: 'customer-1',
    shopperEmail: 'aroha@example.nz',
    shopperIp: '127.0.0.1',
    card,
    store: false,
    ...changes,
  }
}

async function authorised(changes: Partial<CardPayment> = {}) {
  const attempt = payment(encrypted(), changes)
  const outcome = await gateway.authorise(attempt)
  if (outcome.outcome !== 'authorised') throw new Error(`outcome was ${outcome.outcome}`)
  return { ...attempt, ...outcome }
}

const ledgerOf = (reference: string) => simulator.ledger().filter((row) => row.reference === reference)

const control = (path: string, body: unknown) =>
  fetch(`${simulator.url}/_simulator/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

const told = (wanted: Partial<CardNotification>) =>
  vi.waitFor(() => expect(notifications).toContainEqual(expect.objectContaining(wanted)), 30_000)

describe('authorising a payment with the gateway', () => {
  test('an authorised payment returns the card’s details and is confirmed by webhook', async () => {
    const paid = await authorised({ store: true })
    expect(paid.card).toEqual({
      type: 'visa',
      network: { name: 'visa', isKnown: true },
      lastFour: '1111',
      expiry: '03/2035',
      holderName: 'Aroha Ngata',
      storedId: expect.stringMatching(/^.{16}$/),
    })
    expect(ledgerOf(paid.reference)).toMatchObject([{ psp_reference: paid.pspReference, authorised: 3990 }])
    await told({
      eventCode: 'AUTHORISATION',
      success: true,
      pspReference: paid.pspReference,
      merchantReference: paid.reference,
      amount: 3990,
    })
  })

  test.each([
    ['3600 6666 3333 44', 'other'],
    ['5555 3412 4444 1115', 'mc'],
  ])('the card type for %s is %s, even while the payment is pending', async (number, type) => {
    expect(await gateway.authorise(payment(encrypted('Aroha Ngata', new Date(), number)))).toMatchObject({
      card: { type },
    })
    expect(await gateway.authorise(payment(encrypted('PENDING', new Date(), number)))).toMatchObject({
      outcome: 'pending',
      card: { type, storedId: null },
    })
  })

  test('a payment does not store the card unless requested', async () => {
    expect((await authorised()).card.storedId).toBeNull()
  })

  test('a stored card can be charged without its security code', async () => {
    const { storedId } = (await authorised({ store: true })).card
    const charge = payment({ storedId: storedId! })
    expect(await gateway.authorise(charge)).toMatchObject({
      outcome: 'authorised',
      card: { storedId, lastFour: '1111' },
    })
    expect(ledgerOf(charge.reference)).toMatchObject([{ authorised: 3990 }])
  })

  test('a stored card can be removed, and removing an unknown card also succeeds', async () => {
    const { storedId, idempotencyKey } = { ...(await authorised({ store: true })).card, idempotencyKey: 'forget-1' }
    const card = { storedId: storedId!, shopperReference: 'customer-1' }
    expect(await gateway.disable({ ...card, idempotencyKey })).toEqual({ outcome: 'disabled' })
    expect(await gateway.authorise(payment({ storedId: storedId! }))).toEqual({ outcome: 'invalid', code: '803' })
    expect(await gateway.disable({ ...card, idempotencyKey: 'forget-2' })).toEqual({ outcome: 'disabled' })
  })

  test.each([
    ['error_500', { outcome: 'unknown', why: 'HTTP 500 (701)' }],
    ['refuse', { outcome: 'refused', code: '183' }],
  ])('a failed card removal (%s) is not reported as successful', async (kind, outcome) => {
    const { storedId } = (await authorised({ store: true })).card
    await control('failures', { operation: 'disable', kind })
    const card = { storedId: storedId!, shopperReference: 'customer-1', idempotencyKey: `forget-${kind}` }
    expect(await gateway.disable(card)).toEqual(outcome)
  })

  test('a card can be stored with a zero-dollar payment', async () => {
    const stored = await authorised({ amount: 0, store: true })
    expect(stored.card.storedId).not.toBeNull()
    expect(ledgerOf(stored.reference)).toMatchObject([{ authorised: 0 }])
  })

  test.each([
    ['DECLINED', 'Refused: Refused'],
    ['NOT_ENOUGH_BALANCE', 'Refused: Not enough balance'],
    ['ERROR', 'Error: Acquirer Error'],
  ])('a payment with a card in the name %s is permanently refused', async (holderName, reason) => {
    const outcome = await gateway.authorise(payment(encrypted(holderName)))
    expect(outcome).toEqual({ outcome: 'refused', pspReference: expect.any(String), reason })
  })

  test('a pending payment is decided later, by webhook', async () => {
    const outcome = await gateway.authorise(payment(encrypted('PENDING')))
    expect(outcome).toEqual({
      outcome: 'pending',
      pspReference: expect.any(String),
      card: expect.objectContaining({ type: 'visa', storedId: null }),
    })
    await told({
      eventCode: 'AUTHORISATION',
      success: true,
      pspReference: 'pspReference' in outcome ? outcome.pspReference! : '',
    })
  })

  test("if a payment's response is lost, its outcome is unknown, and repeating it with the same key authorises no more money", async () => {
    const attempt = payment(encrypted('TIMEOUT'))
    expect(await gateway.authorise(attempt)).toMatchObject({ outcome: 'unknown' })
    expect(await gateway.authorise(attempt)).toMatchObject({ outcome: 'authorised' })
    expect(ledgerOf(attempt.reference)).toMatchObject([{ authorised: 3990 }])
  })

  test(
    'a payment that exceeds our timeout has an unknown outcome, and a repeat finds the outcome without a second charge',
    { tags: ['slow'] },
    async () => {
      const impatient = createCardGateway({ ...account, baseUrl: simulator.url, timeoutMs: 1_000 })
      const attempt = payment(encrypted())
      await control('failures', { operation: 'authorise', kind: 'slow', delay_ms: 4_000, reference: attempt.reference })
      expect(await impatient.authorise(attempt)).toEqual({ outcome: 'unknown', why: 'TimeoutError' })
      expect(ledgerOf(attempt.reference)).toMatchObject([{ authorised: 3990 }])
      expect(await gateway.authorise(attempt)).toMatchObject({ outcome: 'unknown', why: 'HTTP 409 (704)' })
      await vi.waitFor(
        async () => expect(await gateway.authorise(attempt)).toMatchObject({ outcome: 'authorised' }),
        30_000,
      )
      expect(ledgerOf(attempt.reference)).toHaveLength(1)
    },
  )

  test('a payment has an unknown outcome after HTTP 500, and succeeds when repeated', async () => {
    const attempt = payment(encrypted())
    await control('failures', { operation: 'authorise', kind: 'error_500', reference: attempt.reference })
    expect(await gateway.authorise(attempt)).toEqual({ outcome: 'unknown', why: 'HTTP 500 (701)' })
    expect(await gateway.authorise(attempt)).toMatchObject({ outcome: 'authorised' })
  })

  test.each([
    ['172', 'fault', () => encrypted('Aroha Ngata', '2026-01-01T00:00:00Z')],
    ['174', 'fault', () => ({ encrypted: 'adyenjs_0_1_18$AAAA$AAAA' })],
    ['803', 'invalid', () => ({ storedId: 'NOSUCHCARD' })],
    ['186', 'fault', () => ({ encrypted: '' })],
  ])('an unusable card fails with code %s as %s, and nothing is charged', async (code, outcome, card) => {
    const attempt = payment(card())
    expect(await gateway.authorise(attempt)).toMatchObject({ outcome, code })
    expect(ledgerOf(attempt.reference)).toEqual([])
  })

  test('an attempt to charge another customer’s stored card is rejected as invalid', async () => {
    const { storedId } = (await authorised({ store: true })).card
    const theft = payment({ storedId: storedId! }, { shopperReference: 'customer-2' })
    expect(await gateway.authorise(theft)).toEqual({ outcome: 'invalid', code: '803' })
  })
})

describe('captures, refunds and cancellations, whose outcome arrives by webhook', () => {
  test('captures a payment once per idempotency key and refunds part of it; the outcomes arrive by webhook', async () => {
    const { pspReference: originalReference, reference } = await authorised()
    const money = { originalReference, reference, amount: 3990, currency: 'NZD' }
    const captured = await gateway.capture({ ...money, idempotencyKey: `capture-${reference}` })
    expect(captured).toEqual({ outcome: 'received', pspReference: expect.any(String) })
    await told({
      eventCode: 'CAPTURE',
      success: true,
      originalReference,
      merchantReference: reference,
      amount: 3990,
      currency: 'NZD',
    })
    expect(await gateway.capture({ ...money, idempotencyKey: `capture-${reference}` })).toEqual(captured)

    await gateway.refund({ ...money, amount: 90, idempotencyKey: `refund-${reference}` })
    await told({ eventCode: 'REFUND', success: true, originalReference, amount: 90 })
    expect(ledgerOf(reference)).toMatchObject([{ authorised: 3990, captured: 3990, refunded: 90, cancelled: 0 }])
  })

  test('a capture above the authorised amount is reported as failed by webhook', async () => {
    const { pspReference: originalReference, reference } = await authorised()
    const tooMuch = {
      originalReference,
      reference,
      amount: 3991,
      currency: 'NZD',
      idempotencyKey: `capture-${reference}`,
    }
    expect(await gateway.capture(tooMuch)).toMatchObject({ outcome: 'received' })
    await told({ eventCode: 'CAPTURE', success: false, originalReference, reason: 'Insufficient balance on payment' })
  })

  test('cancels an authorised payment; the outcome arrives by webhook', async () => {
    const { pspReference: originalReference, reference } = await authorised()
    expect(await gateway.cancel({ originalReference, reference, idempotencyKey: `cancel-${reference}` })).toMatchObject(
      { outcome: 'received' },
    )
    await told({ eventCode: 'CANCELLATION', success: true, originalReference })
    expect(ledgerOf(reference)).toMatchObject([{ authorised: 3990, cancelled: 3990 }])
  })

  test('technicalCancel cancels a payment whose response was lost', async () => {
    const attempt = payment(encrypted('TIMEOUT'))
    await gateway.authorise(attempt)
    const { reference } = attempt
    const cancelled = await gateway.technicalCancel({
      originalReference: reference,
      reference: `${reference}-c`,
      idempotencyKey: `tc-${reference}`,
    })
    expect(cancelled).toMatchObject({ outcome: 'received' })
    await told({ eventCode: 'TECHNICAL_CANCEL', success: true, merchantReference: reference })
    expect(ledgerOf(reference)).toMatchObject([{ authorised: 3990, cancelled: 3990 }])
  })

  test('a payment is refused if its technicalCancel arrived first', async () => {
    const attempt = payment(encrypted())
    const { reference } = attempt
    await gateway.technicalCancel({ originalReference: reference, reference, idempotencyKey: `tc-${reference}` })
    expect(await gateway.authorise(attempt)).toMatchObject({
      outcome: 'refused',
      reason: 'Cancelled: Cancelled by technicalCancel',
    })
  })

  test('cancelling a payment that does not exist is rejected immediately', async () => {
    const nothing = { originalReference: 'NOSUCHPAYMENT', reference: 'F-1', idempotencyKey: 'cancel-nothing' }
    expect(await gateway.cancel(nothing)).toEqual({
      outcome: 'refused',
      code: '167',
      message: 'Original pspReference required for this operation',
    })
  })

  test("if a capture's response is lost, its outcome is unknown, and repeating it with the same key takes no more money", async () => {
    const { pspReference: originalReference, reference } = await authorised()
    const capture = {
      originalReference,
      reference,
      amount: 3990,
      currency: 'NZD',
      idempotencyKey: `capture-${reference}`,
    }
    await control('failures', { operation: 'capture', kind: 'lost_answer', reference })
    expect(await gateway.capture(capture)).toMatchObject({ outcome: 'unknown' })
    expect(await gateway.capture(capture)).toMatchObject({ outcome: 'received' })
    expect(ledgerOf(reference)).toMatchObject([{ captured: 3990 }])
  })
})

test('a wrong URL, key or merchant account leaves the outcome of a payment unknown', async () => {
  const elsewhere = `${simulator.url}/elsewhere`
  const changes = [{ baseUrl: 'nowhere' }, { baseUrl: elsewhere }, { apiKey: 'old' }, { merchantAccount: 'Another' }]
  for (const change of changes) {
    const other = createCardGateway({ ...account, baseUrl: simulator.url, timeoutMs: 1_000, ...change })
    expect(await other.authorise(payment(encrypted()))).toMatchObject({ outcome: 'unknown' })
    expect(await other.cancel({ originalReference: 'P', reference: 'R', idempotencyKey: 'K' })).toMatchObject({
      outcome: 'unknown',
    })
  }
})

test('the gateway client does not write anything to standard output or standard error', async () => {
  const said = vi.spyOn(process.stdout, 'write')
  const complained = vi.spyOn(process.stderr, 'write')
  await gateway.authorise(payment(encrypted()))
  await gateway.authorise(payment(encrypted('TIMEOUT')))
  await gateway.authorise(payment({ encrypted: 'adyenjs_0_1_18$AAAA$AAAA' }))
  expect([...said.mock.calls, ...complained.mock.calls]).toEqual([])
})
