import { describe, expect, test, vi } from 'vitest'
import { createModificationAmount, setUpTestGateway, idempotencyKeyHeader } from './test-world.ts'

const world = setUpTestGateway()
const { authorise, control, post } = world

describe('idempotency keys at the gateway simulator', () => {
  test('repeating an idempotency key returns the first response, with the key in a header', async () => {
    const first = await authorise({}, {}, idempotencyKeyHeader('k'))
    const again = await authorise({ amount: { currency: 'NZD', value: 1 } }, {}, idempotencyKeyHeader('k'))
    expect(again.body).toEqual(first.body)
    expect(again.headers.get('idempotency-key')).toBe('k')
    expect(world.gateway.ledger()).toHaveLength(1)
  })

  test('repeating an idempotency key returns the first error too, unless it was an authentication error', async () => {
    await authorise({}, {}, { ...idempotencyKeyHeader('k'), 'x-api-key': 'other' })
    const first = await authorise({}, { number: '42' }, idempotencyKeyHeader('k'))
    expect((await authorise({}, {}, idempotencyKeyHeader('k'))).body).toEqual(first.body)
    expect(first.body).toMatchObject({ errorCode: '101' })
  })

  test('an idempotency key longer than 64 characters is rejected', async () => {
    expect((await authorise({}, {}, idempotencyKeyHeader('k'.repeat(64)))).body).toMatchObject({
      resultCode: 'Authorised',
    })
    expect(await authorise({}, {}, idempotencyKeyHeader('k'.repeat(65)))).toMatchObject({
      status: 422,
      body: { errorCode: '908' },
    })
  })

  test(
    'a second request with the same key is rejected with code 704 while the first is still in progress',
    { tags: ['slow'] },
    async () => {
      await control('POST', 'failures', { operation: 'authorise', kind: 'slow', delay_ms: 3_000 })
      const slow = authorise({}, {}, idempotencyKeyHeader('k'))
      await vi.waitFor(() => expect(world.gateway.ledger()).toHaveLength(1), 30_000)
      const second = await authorise({}, {}, idempotencyKeyHeader('k'))
      expect(second).toMatchObject({ status: 409, body: { errorCode: '704', errorType: 'validation' } })
      expect(second.headers.get('transient-error')).toBe('true')
      const { body } = await slow
      expect((await authorise({}, {}, idempotencyKeyHeader('k'))).body).toEqual(body)
      expect(world.gateway.ledger()).toHaveLength(1)
    },
  )
})

describe('failures simulated by the gateway', () => {
  test('a request that never reaches the gateway changes nothing', async () => {
    await control('POST', 'failures', { operation: 'authorise', kind: 'lost_request' })
    await expect(authorise({}, {}, idempotencyKeyHeader('k'))).rejects.toThrow('fetch failed')
    expect(world.gateway.ledger()).toEqual([])
    expect((await authorise({}, {}, idempotencyKeyHeader('k'))).body).toMatchObject({ resultCode: 'Authorised' })
  })

  test('if the response is lost, the payment has still been made, and repeating the request returns its outcome', async () => {
    await control('POST', 'failures', { operation: 'authorise', kind: 'lost_answer', times: 2 })
    for (let times = 0; times < 2; times++)
      await expect(authorise({}, {}, idempotencyKeyHeader('k'))).rejects.toThrow('fetch failed')
    expect(world.gateway.ledger()).toMatchObject([{ authorised: 3990 }])
    expect((await authorise({}, {}, idempotencyKeyHeader('k'))).body).toMatchObject({ resultCode: 'Authorised' })
    expect(world.gateway.ledger()).toHaveLength(1)
  })

  test('a simulated HTTP 500 from the gateway changes nothing', async () => {
    await control('POST', 'failures', { operation: 'authorise', kind: 'error_500' })
    const answer = await authorise({}, {}, idempotencyKeyHeader('k'))
    expect(answer).toMatchObject({ status: 500, body: { errorCode: '701' } })
    expect(world.gateway.ledger()).toEqual([])
    expect((await authorise({}, {}, idempotencyKeyHeader('k'))).status).toBe(200)
  })

  test('a simulated refusal makes a payment or a capture fail', async () => {
    for (const operation of ['authorise', 'capture']) await control('POST', 'failures', { operation, kind: 'refuse' })
    expect((await authorise()).body).toMatchObject({ resultCode: 'Refused' })
    const { pspReference } = (await authorise()).body
    await post('capture', { originalReference: pspReference, ...createModificationAmount(3990) })
    expect(await world.inbox.waitFor(3)).toMatchObject([
      { eventCode: 'AUTHORISATION', success: 'false' },
      { eventCode: 'AUTHORISATION', success: 'true' },
      { eventCode: 'CAPTURE', success: 'false' },
    ])
    expect(world.gateway.ledger()[1]).toMatchObject({ captured: 0 })
  })

  test('a simulated failure that names a payment reference affects only requests about that payment', async () => {
    await control('POST', 'failures', { operation: 'authorise', kind: 'error_500', reference: 'ORDER-9' })
    await control('POST', 'failures', { operation: 'capture', kind: 'error_500', reference: 'ORDER-1' })
    const { body } = await authorise()
    expect(
      (await post('capture', { originalReference: body.pspReference, ...createModificationAmount(1) })).status,
    ).toBe(500)
    expect((await authorise({ reference: 'ORDER-9' })).status).toBe(500)
    expect(await control('GET', 'failures')).toEqual([])
  })

  test('simulated failures can be cancelled', async () => {
    for (const operation of ['authorise', 'capture'])
      await control('POST', 'failures', { operation, kind: 'error_500', times: 2 })
    await control('DELETE', 'failures')
    expect((await authorise()).status).toBe(200)
  })

  test('asking the gateway to simulate an unknown kind of failure is rejected', async () => {
    await expect(control('POST', 'failures', { operation: 'authorise', kind: 'fire' })).rejects.toThrow('400')
    await expect(control('POST', 'failures', { operation: 'pay', kind: 'slow' })).rejects.toThrow('400')
  })

  test('a card with the holder name TIMEOUT is charged, but the first response is lost', async () => {
    await expect(authorise({}, { holderName: 'TIMEOUT' }, idempotencyKeyHeader('k'))).rejects.toThrow('fetch failed')
    expect(world.gateway.ledger()).toMatchObject([{ authorised: 3990 }])
    expect((await authorise({}, { holderName: 'TIMEOUT' }, idempotencyKeyHeader('k'))).body).toMatchObject({
      resultCode: 'Authorised',
    })
    expect(world.gateway.ledger()).toHaveLength(1)
  })
})
