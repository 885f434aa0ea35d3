import { describe, expect, test, vi } from 'vitest'
import { createModificationAmount, setUpTestGateway } from './test-world.ts'
import type { Answer } from './test-world.ts'

const world = setUpTestGateway()
const { authorise, control, post } = world

describe('changes to a payment at the gateway simulator', () => {
  const outcomeOf = async (answer: Answer) => {
    const items = await vi.waitFor(() => {
      const found = world.inbox.items.filter((item) => item.pspReference === answer.body.pspReference)
      expect(found).toHaveLength(1)
      return found
    }, 30_000)
    return items[0]!
  }

  test('a capture is acknowledged first and then confirmed by webhook', async () => {
    const { pspReference } = (await authorise()).body
    const answer = await post('capture', {
      originalReference: pspReference,
      reference: 'C-1',
      ...createModificationAmount(3990),
    })
    expect(answer).toMatchObject({ status: 200, body: { response: '[capture-received]' } })
    expect(await outcomeOf(answer)).toMatchObject({
      eventCode: 'CAPTURE',
      success: 'true',
      originalReference: pspReference,
      merchantReference: 'ORDER-1',
      amount: { value: 3990, currency: 'NZD' },
    })
    expect(world.gateway.ledger()).toMatchObject([{ authorised: 3990, captured: 3990, cancelled: 0 }])
  })

  test('capturing less than the authorised amount releases the rest', async () => {
    const { pspReference } = (await authorise()).body
    await post('capture', { originalReference: pspReference, ...createModificationAmount(3000) })
    expect(world.gateway.ledger()).toMatchObject([{ authorised: 3990, captured: 3000, cancelled: 990 }])
  })

  test.each([
    ['of more than was authorised', null, 3991, 'NZD'],
    ['in another currency', null, 3990, 'AUD'],
    ['of a cancelled payment', ['cancel', {}], 3990, 'NZD'],
    ['of a captured payment', ['capture', createModificationAmount(3990)], 3990, 'NZD'],
  ] as const)(
    'a webhook reports that a capture %s has failed, and nothing changes',
    async (_what, before, value, currency) => {
      const { pspReference } = (await authorise()).body
      if (before) await post(before[0], { originalReference: pspReference, ...before[1] })
      const ledger = world.gateway.ledger()
      const answer = await post('capture', {
        originalReference: pspReference,
        ...createModificationAmount(value, currency),
      })
      expect(answer.status).toBe(200)
      const outcome = { eventCode: 'CAPTURE', success: 'false', reason: 'Insufficient balance on payment' }
      expect(await outcomeOf(answer)).toMatchObject(outcome)
      expect(world.gateway.ledger()).toEqual(ledger)
    },
  )

  test('an authorised payment can be cancelled only once', async () => {
    const { pspReference } = (await authorise()).body
    const answer = await post('cancel', { originalReference: pspReference })
    expect(answer.body).toMatchObject({ response: '[cancel-received]' })
    const outcome = { eventCode: 'CANCELLATION', success: 'true', originalReference: pspReference }
    expect(await outcomeOf(answer)).toMatchObject(outcome)
    expect(world.gateway.ledger()).toMatchObject([{ authorised: 3990, captured: 0, cancelled: 3990 }])
    expect(await outcomeOf(await post('cancel', { originalReference: pspReference }))).toMatchObject({
      success: 'false',
    })
  })

  test('refunds succeed up to the amount that was captured', async () => {
    const { pspReference } = (await authorise()).body
    await post('capture', { originalReference: pspReference, ...createModificationAmount(3990) })
    const outcomes = []
    for (const value of [3000, 991, 990]) {
      outcomes.push(
        await outcomeOf(await post('refund', { originalReference: pspReference, ...createModificationAmount(value) })),
      )
    }
    expect(outcomes).toMatchObject([
      { eventCode: 'REFUND', success: 'true' },
      { eventCode: 'REFUND', success: 'false' },
      { eventCode: 'REFUND', success: 'true', amount: { value: 990 } },
    ])
    expect(world.gateway.ledger()).toMatchObject([{ captured: 3990, refunded: 3990 }])
  })

  test('an invalid change to a payment is rejected immediately', async () => {
    const { pspReference } = (await authorise()).body
    const unknown = await post('capture', { originalReference: 'NOSUCHPAYMENT', ...createModificationAmount(1) })
    expect(unknown).toMatchObject({ status: 422, body: { errorCode: '167' } })
    expect((await post('capture', { originalReference: pspReference })).body).toMatchObject({ errorCode: '137' })
    expect(
      (await post('cancel', { originalReference: pspReference, ...createModificationAmount(1) })).body,
    ).toMatchObject({
      errorCode: '166',
    })
    expect((await post('technicalCancel', {})).body).toMatchObject({ errorCode: '158' })
  })
})

describe('the gateway simulator’s technicalCancel operation', () => {
  const stop = () => post('technicalCancel', { originalMerchantReference: 'ORDER-1' })
  const outcome = () =>
    vi.waitFor(() => {
      const item = world.inbox.items.find(({ eventCode }) => eventCode === 'TECHNICAL_CANCEL')
      expect(item).toBeDefined()
      return item
    }, 30_000)

  test('technicalCancel cancels an authorised payment', async () => {
    const { pspReference } = (await authorise()).body
    expect((await stop()).body).toMatchObject({ response: '[technical-cancel-received]' })
    expect(await outcome()).toMatchObject({
      success: 'true',
      originalReference: pspReference,
      merchantReference: 'ORDER-1',
    })
    expect(world.gateway.ledger()).toMatchObject([{ authorised: 3990, cancelled: 3990 }])
  })

  test.each(['HELD', 'PENDING'])('technicalCancel cancels a payment that is %s', async (holderName) => {
    await world.restart({ pendingDelayMs: 3_600_000 })
    await authorise({}, { holderName })
    await stop()
    await control('PUT', 'clock', { offset_ms: 7_200_000 })
    expect(await outcome()).toMatchObject({ success: 'true' })
    expect(world.gateway.ledger()).toMatchObject([{ authorised: 0 }])
  })

  test('technicalCancel with an unknown reference cancels the payment if it arrives later', async () => {
    await stop()
    expect(await outcome()).toMatchObject({
      success: 'true',
      originalReference: '',
      amount: { value: 0, currency: 'XXX' },
    })
    expect((await authorise()).body).toMatchObject({ resultCode: 'Cancelled' })
    expect(world.gateway.ledger()).toMatchObject([{ authorised: 0 }])
    expect((await authorise({ reference: 'ORDER-1-2' })).body).toMatchObject({ resultCode: 'Authorised' })
  })

  test('technicalCancel fails if the payment has been captured', async () => {
    const { pspReference } = (await authorise()).body
    await post('capture', { originalReference: pspReference, ...createModificationAmount(3990) })
    await stop()
    expect(await outcome()).toMatchObject({ success: 'false' })
    expect(world.gateway.ledger()).toMatchObject([{ captured: 3990, cancelled: 0 }])
  })
})
