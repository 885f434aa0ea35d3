import { describe, expect, test, vi } from 'vitest'
import { cents, gatewayForEachTest, withKey } from './test-world.ts'

const world = gatewayForEachTest()
const { authorise, control, post } = world

describe('an idempotency key', () => {
  test('replays the first answer, and is echoed', async () => {
    const first = await authorise({}, {}, withKey('k'))
    const again = await authorise({ amount: { currency: 'NZD', value: 1 } }, {}, withKey('k'))
    expect(again.body).toEqual(first.body)
    expect(again.headers.get('idempotency-key')).toBe('k')
    expect(world.gateway.ledger()).toHaveLength(1)
  })

  test('replays a fault too, but not one about who is asking', async () => {
    await authorise({}, {}, { ...withKey('k'), 'x-api-key': 'other' })
    const first = await authorise({}, { number: '42' }, withKey('k'))
    expect((await authorise({}, {}, withKey('k'))).body).toEqual(first.body)
    expect(first.body).toMatchObject({ errorCode: '101' })
  })

  test('has at most 64 characters', async () => {
    expect((await authorise({}, {}, withKey('k'.repeat(64)))).body).toMatchObject({ resultCode: 'Authorised' })
    expect(await authorise({}, {}, withKey('k'.repeat(65)))).toMatchObject({ status: 422, body: { errorCode: '908' } })
  })

  test('used twice at once answers 704 to the second', { tags: ['slow'] }, async () => {
    await control('POST', 'failures', { operation: 'authorise', kind: 'slow', delay_ms: 3_000 })
    const slow = authorise({}, {}, withKey('k'))
    await vi.waitFor(() => expect(world.gateway.ledger()).toHaveLength(1), 30_000)
    const second = await authorise({}, {}, withKey('k'))
    expect(second).toMatchObject({ status: 409, body: { errorCode: '704', errorType: 'validation' } })
    expect(second.headers.get('transient-error')).toBe('true')
    const { body } = await slow
    expect((await authorise({}, {}, withKey('k'))).body).toEqual(body)
    expect(world.gateway.ledger()).toHaveLength(1)
  })
})

describe('a failure that was asked for', () => {
  test('loses the request: nothing is done', async () => {
    await control('POST', 'failures', { operation: 'authorise', kind: 'lost_request' })
    await expect(authorise({}, {}, withKey('k'))).rejects.toThrow('fetch failed')
    expect(world.gateway.ledger()).toEqual([])
    expect((await authorise({}, {}, withKey('k'))).body).toMatchObject({ resultCode: 'Authorised' })
  })

  test('loses the answer: it is done, and told when it is asked again', async () => {
    await control('POST', 'failures', { operation: 'authorise', kind: 'lost_answer', times: 2 })
    for (let times = 0; times < 2; times++)
      await expect(authorise({}, {}, withKey('k'))).rejects.toThrow('fetch failed')
    expect(world.gateway.ledger()).toMatchObject([{ authorised: 3990 }])
    expect((await authorise({}, {}, withKey('k'))).body).toMatchObject({ resultCode: 'Authorised' })
    expect(world.gateway.ledger()).toHaveLength(1)
  })

  test('answers 500 before anything is done', async () => {
    await control('POST', 'failures', { operation: 'authorise', kind: 'error_500' })
    const answer = await authorise({}, {}, withKey('k'))
    expect(answer).toMatchObject({ status: 500, body: { errorCode: '701' } })
    expect(world.gateway.ledger()).toEqual([])
    expect((await authorise({}, {}, withKey('k'))).status).toBe(200)
  })

  test('refuses what would have worked', async () => {
    for (const operation of ['authorise', 'capture']) await control('POST', 'failures', { operation, kind: 'refuse' })
    expect((await authorise()).body).toMatchObject({ resultCode: 'Refused' })
    const { pspReference } = (await authorise()).body
    await post('capture', { originalReference: pspReference, ...cents(3990) })
    expect(await world.inbox.waitFor(3)).toMatchObject([
      { eventCode: 'AUTHORISATION', success: 'false' },
      { eventCode: 'AUTHORISATION', success: 'true' },
      { eventCode: 'CAPTURE', success: 'false' },
    ])
    expect(world.gateway.ledger()[1]).toMatchObject({ captured: 0 })
  })

  test('hits only the payment it names, by its own reference or as what is modified', async () => {
    await control('POST', 'failures', { operation: 'authorise', kind: 'error_500', reference: 'ORDER-9' })
    await control('POST', 'failures', { operation: 'capture', kind: 'error_500', reference: 'ORDER-1' })
    const { body } = await authorise()
    expect((await post('capture', { originalReference: body.pspReference, ...cents(1) })).status).toBe(500)
    expect((await authorise({ reference: 'ORDER-9' })).status).toBe(500)
    expect(await control('GET', 'failures')).toEqual([])
  })

  test('can be called off', async () => {
    for (const operation of ['authorise', 'capture'])
      await control('POST', 'failures', { operation, kind: 'error_500', times: 2 })
    await control('DELETE', 'failures')
    expect((await authorise()).status).toBe(200)
  })

  test('has to be one there is', async () => {
    await expect(control('POST', 'failures', { operation: 'authorise', kind: 'fire' })).rejects.toThrow('400')
    await expect(control('POST', 'failures', { operation: 'pay', kind: 'slow' })).rejects.toThrow('400')
  })

  test('the holder TIMEOUT is charged, and the answer is lost once', async () => {
    await expect(authorise({}, { holderName: 'TIMEOUT' }, withKey('k'))).rejects.toThrow('fetch failed')
    expect(world.gateway.ledger()).toMatchObject([{ authorised: 3990 }])
    expect((await authorise({}, { holderName: 'TIMEOUT' }, withKey('k'))).body).toMatchObject({
      resultCode: 'Authorised',
    })
    expect(world.gateway.ledger()).toHaveLength(1)
  })
})
