import { describe, expect, test } from 'vitest'
import { setUpTestGateway, idempotencyKeyHeader } from './test-world.ts'

const world = setUpTestGateway()
const { authorise, control, post } = world

async function store(): Promise<string> {
  const { body } = await authorise({ recurring: { contract: 'ONECLICK,RECURRING' } })
  return body.additionalData['recurring.recurringDetailReference'] ?? ''
}
const mine = (recurringDetailReference: string) => ({ shopperReference: 'shopper-1', recurringDetailReference })

describe('removing stored cards from the gateway simulator', () => {
  test('a removed card stays removed after a restart', async () => {
    const id = await store()
    expect(await control('GET', 'cards')).toEqual([{ id, shopper_reference: 'shopper-1', last_four: '1111' }])
    expect(await post('disable', mine(id))).toMatchObject({
      status: 200,
      body: { response: '[detail-successfully-disabled]' },
    })
    await world.restart()
    expect(await control('GET', 'cards')).toEqual([])
  })

  test('a second request to remove a card returns the same response if it has the same idempotency key', async () => {
    const id = await store()
    const answers = [
      await post('disable', mine(id), idempotencyKeyHeader('k')),
      await post('disable', mine(id), idempotencyKeyHeader('k')),
    ]
    expect(answers[1]?.body).toEqual(answers[0]?.body)
  })

  test.each([
    ['121', {}],
    ['803', { shopperReference: 'shopper-1' }],
    ['803', mine('NONE')],
  ])('removing a card is rejected with code %s for %j', async (errorCode, body) =>
    expect(await post('disable', body)).toMatchObject({ status: 422, body: { errorCode } }),
  )

  test('shoppers cannot remove each other’s cards', async () => {
    const id = await store()
    expect(await post('disable', { ...mine(id), shopperReference: 'shopper-2' })).toMatchObject({ status: 422 })
    expect(await control('GET', 'cards')).toHaveLength(1)
  })
})
