import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { setUpTestGateway } from './test-world.ts'

const world = setUpTestGateway()
const { authorise, control, post } = world

const aReference = expect.stringMatching(/^[A-Z\d]{16}$/)

describe('payments that the gateway simulator rejects', () => {
  const fault = (status: number, errorCode: string) => ({
    status,
    body: { status, errorCode, pspReference: aReference },
  })

  test('a payment without the right API key is rejected with HTTP 401', async () => {
    expect(await authorise({}, {}, { 'x-api-key': 'other' })).toMatchObject(fault(401, '000'))
  })

  test.each([
    [403, '901', { merchantAccount: 'Another' }],
    [422, '130', { reference: undefined }],
    [422, '137', { amount: undefined }],
    [422, '137', { amount: { currency: 'NZD', value: -1 } }],
    [422, '137', { amount: { currency: 'NZD', value: 39.9 } }],
    [422, '138', { amount: { currency: 'dollars', value: 3990 } }],
    [422, '183', { recurring: { contract: 'FOREVER' } }],
    [422, '121', { recurring: { contract: 'RECURRING' }, shopperReference: undefined }],
    [422, '186', { additionalData: {} }],
    [403, '010', { card: { number: '4111111111111111' } }],
  ])('a payment is rejected with HTTP %d and code %s for %j', async (status, code, changes) => {
    expect(await authorise(changes)).toMatchObject(fault(status, code))
  })

  test.each([
    ['101', { number: '4111 1111 1111 1112' }],
    ['101', { number: undefined }],
    ['103', { cvc: '7373' }],
    ['103', { number: '3700 000000 00002' }],
    ['128', { holderName: ' ' }],
    ['141', { expiryMonth: '13' }],
    ['141', { expiryYear: '30' }],
    ['170', { generationtime: undefined }],
    ['171', { generationtime: 'now' }],
    ['172', { generationtime: '2020-01-01T00:00:00Z' }],
  ])('a payment is rejected with code %s for a card with %j', async (code, card) =>
    expect(await authorise({}, card)).toMatchObject(fault(422, code)),
  )

  test('a payment request that cannot be parsed is rejected with HTTP 400', async () => {
    expect(await post('authorise', '{')).toMatchObject(fault(400, '702'))
    expect(await post('authorise', '"pay me"')).toMatchObject(fault(400, '702'))
  })

  test('the gateway’s ledger does not include rejected payments', async () => {
    await authorise({}, { number: '4111 1111 1111 1112' })
    expect(world.gateway.ledger()).toEqual([])
  })
})

describe('payments that the gateway simulator authorises', () => {
  test('authorising a payment returns the card’s details, and a webhook confirms it', async () => {
    const { status, body } = await authorise({ recurring: { contract: 'ONECLICK,RECURRING' } })
    expect(status).toBe(200)
    expect(body).toEqual({
      pspReference: expect.stringMatching(/^[A-Z\d]{16}$/),
      resultCode: 'Authorised',
      authCode: expect.stringMatching(/^\d{6}$/),
      additionalData: {
        cardSummary: '1111',
        expiryDate: '3/2035',
        cardHolderName: 'Aroha Ngata',
        paymentMethod: 'visa',
        'recurring.recurringDetailReference': expect.stringMatching(/^[A-Z\d]{16}$/),
        'recurring.shopperReference': 'shopper-1',
      },
    })
    expect(await world.inbox.waitFor(1)).toMatchObject([
      {
        eventCode: 'AUTHORISATION',
        success: 'true',
        pspReference: body.pspReference,
        merchantReference: 'ORDER-1',
        amount: { value: 3990, currency: 'NZD' },
        reason: '',
      },
    ])
    expect(world.gateway.ledger()).toEqual([
      {
        reference: 'ORDER-1',
        psp_reference: body.pspReference,
        authorised: 3990,
        captured: 0,
        refunded: 0,
        cancelled: 0,
      },
    ])
  })

  test.each([
    ['5555 4444 3333 1111', '737', 'mc'],
    ['2222 4000 7000 0005', '737', 'mc'],
    ['3700 000000 00002', '7373', 'amex'],
    ['6011 0000 0000 0004', '737', 'discover'],
    ['3600 6666 3333 44', '737', 'diners'],
  ])('a payment with the card %s is authorised', async (number, cvc, paymentMethod) => {
    const { body } = await authorise({}, { number, cvc })
    expect(body).toMatchObject({ resultCode: 'Authorised', additionalData: { paymentMethod } })
  })

  test.each([
    ['DECLINED', 'Refused', 'Refused'],
    ['declined', 'Refused', 'Refused'],
    ['Card Expired', 'Refused', 'Expired Card'],
    ['NOT_ENOUGH_BALANCE', 'Refused', 'Not enough balance'],
    ['ISSUER_UNAVAILABLE', 'Refused', 'Issuer Unavailable'],
    ['ERROR', 'Error', 'Acquirer Error'],
  ])(
    'a payment with a card in the name of %s is refused with HTTP 200',
    async (holderName, resultCode, refusalReason) => {
      const { status, body } = await authorise({ recurring: { contract: 'RECURRING' } }, { holderName })
      expect(status).toBe(200)
      expect(body).toMatchObject({ resultCode, refusalReason })
      expect(body.additionalData).not.toHaveProperty(['recurring.recurringDetailReference'])
      expect(world.gateway.ledger()).toMatchObject([{ authorised: 0 }])
      const webhooks = await world.inbox.waitFor(1)
      expect(webhooks).toMatchObject([{ eventCode: 'AUTHORISATION', success: 'false', reason: refusalReason }])
    },
  )

  test('a payment with an expired card is refused', async () => {
    const { body } = await authorise({}, { expiryMonth: '12', expiryYear: '2020' })
    expect(body).toMatchObject({ resultCode: 'Refused', refusalReason: 'Expired Card' })
  })

  test('a zero-dollar payment stores the card', async () => {
    const nothing = { currency: 'NZD', value: 0 }
    const { body } = await authorise({ amount: nothing, recurring: { contract: 'ONECLICK,RECURRING' } })
    expect(body.additionalData['recurring.recurringDetailReference']).toBeDefined()
    expect(world.gateway.ledger()).toMatchObject([{ authorised: 0 }])
  })

  test('the gateway simulator never writes card numbers or security codes to disk', async () => {
    await authorise({ recurring: { contract: 'RECURRING' } }, { number: '5555 4444 3333 1111', cvc: '951' })
    const journal = readFileSync(join(world.dataDir, 'gateway.jsonl'), 'utf8')
    expect(journal).toContain('Aroha Ngata')
    expect(journal).not.toMatch(/5555 ?4444 ?3333 ?1111|"951"|adyenjs/)
    expect(statSync(join(world.dataDir, 'gateway-key.pem')).mode & 0o077).toBe(0)
  })
})

describe('cards stored by the gateway simulator', () => {
  const store = async () => {
    const { body } = await authorise({ recurring: { contract: 'ONECLICK,RECURRING' } })
    return body.additionalData['recurring.recurringDetailReference']!
  }
  const charge = (id: string, changes: Record<string, unknown> = {}) =>
    authorise({
      reference: 'ORDER-2',
      additionalData: {},
      selectedRecurringDetailReference: id,
      shopperInteraction: 'ContAuth',
      recurring: { contract: 'RECURRING' },
      ...changes,
    })

  test('a stored card can be charged either by its id or by asking for the latest card', async () => {
    await store()
    const id = await store()
    for (const name of [id, 'LATEST']) {
      expect((await charge(name)).body).toMatchObject({
        resultCode: 'Authorised',
        additionalData: { cardSummary: '1111', 'recurring.recurringDetailReference': id },
      })
    }
    const charges = world.gateway.ledger().filter((row) => row.reference === 'ORDER-2')
    expect(charges).toMatchObject([{ authorised: 3990 }, { authorised: 3990 }])
  })

  test('a stored card can be charged only by its own shopper and for the agreed kind of payment', async () => {
    const id = await store()
    expect((await charge(id, { shopperReference: 'shopper-2' })).body).toMatchObject({ errorCode: '803' })
    expect((await charge('NOSUCHCARD')).body).toMatchObject({ errorCode: '803' })
    expect((await charge(id, { shopperInteraction: 'Ecommerce' })).body).toMatchObject({ errorCode: '183' })
    expect((await charge(id, { recurring: { contract: 'ONECLICK' } })).body).toMatchObject({ errorCode: '183' })
  })

  test("a stored card expires according to the simulator's clock", async () => {
    const id = await store()
    await control('PUT', 'clock', { offset_ms: 10 * 365 * 86_400_000 })
    expect((await charge(id)).body).toMatchObject({ resultCode: 'Refused', refusalReason: 'Expired Card' })
  })
})
