import { describe, expect, test } from 'vitest'
import { setUpTestGateway } from './test-world.ts'

const world = setUpTestGateway()
const { authorise, control } = world

describe('pending payments at the gateway simulator', () => {
  test('a webhook reports the outcome of a pending payment, whose card is not stored before then', async () => {
    const { body } = await authorise({ recurring: { contract: 'RECURRING' } }, { holderName: 'PENDING' })
    expect(body).toMatchObject({ resultCode: 'Received' })
    expect(body.additionalData).not.toHaveProperty(['recurring.recurringDetailReference'])
    const [item] = await world.inbox.waitFor(1)
    expect(item).toMatchObject({ eventCode: 'AUTHORISATION', success: 'true', pspReference: body.pspReference })
    expect(item!.additionalData).toHaveProperty(['recurring.recurringDetailReference'])
    expect(world.gateway.ledger()).toMatchObject([{ authorised: 3990 }])
  })

  test('a pending payment can still be refused later', async () => {
    await authorise({}, { holderName: 'PENDING_DECLINED' })
    expect(await world.inbox.waitFor(1)).toMatchObject([
      { eventCode: 'AUTHORISATION', success: 'false', reason: 'Refused' },
    ])
    expect(world.gateway.ledger()).toMatchObject([{ authorised: 0 }])
  })

  test('a pending payment is decided at its scheduled time even after a restart', async () => {
    await world.restart({ pendingDelayMs: 3_600_000 })
    await authorise({}, { holderName: 'PENDING' })
    await world.restart()
    expect(world.gateway.ledger()).toMatchObject([{ authorised: 0 }])
    await control('PUT', 'clock', { offset_ms: 3_600_000 })
    expect(world.gateway.ledger()).toMatchObject([{ authorised: 3990 }])
  })
})
