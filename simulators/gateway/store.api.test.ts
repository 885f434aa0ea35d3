import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createModificationAmount, setUpTestGateway, idempotencyKeyHeader } from './test-world.ts'

const world = setUpTestGateway()
const { authorise, control, post } = world

const seen = async () => ({
  ledger: world.gateway.ledger(),
  publicKey: world.gateway.publicKey,
  webhooks: await control('GET', 'webhooks/pending'),
  failures: await control('GET', 'failures'),
})

describe('restarting the gateway simulator', () => {
  test('the gateway simulator’s ledger, cards, keys, cancellations, clock and webhooks survive a restart', async () => {
    world.gateway.setWebhookUrl(null)
    const first = await authorise({ recurring: { contract: 'RECURRING' } }, {}, idempotencyKeyHeader('k'))
    const originalReference = first.body.pspReference
    await post('capture', { originalReference, ...createModificationAmount(3990) })
    await post('refund', { originalReference, ...createModificationAmount(90) })
    await post('technicalCancel', { originalMerchantReference: 'ORDER-2' })
    await control('POST', 'failures', { operation: 'cancel', kind: 'error_500' })
    await control('PUT', 'clock', { offset_ms: 1_000 })
    const before = await seen()
    expect(before.webhooks).toHaveLength(4)

    await world.restart({ webhookUrl: undefined })
    expect(await seen()).toEqual(before)
    expect(await control('GET', 'ledger')).toEqual(before.ledger)
    expect((await authorise({}, {}, idempotencyKeyHeader('k'))).body).toEqual(first.body)
    expect((await authorise({ reference: 'ORDER-2' })).body).toMatchObject({ resultCode: 'Cancelled' })
    const stored = {
      selectedRecurringDetailReference: first.body.additionalData['recurring.recurringDetailReference'],
      shopperInteraction: 'ContAuth',
      recurring: { contract: 'RECURRING' },
    }
    expect((await authorise({ reference: 'ORDER-3', ...stored })).body).toMatchObject({ resultCode: 'Authorised' })
    world.gateway.setWebhookUrl(world.inbox.url)
    const events = (await world.inbox.waitFor(4)).slice(0, 4).map((item) => item.eventCode)
    expect(events).toEqual(['AUTHORISATION', 'CAPTURE', 'REFUND', 'TECHNICAL_CANCEL'])
  })

  test('an incomplete line in the gateway’s journal is dropped, and the entry after it is intact', async () => {
    await authorise({}, {}, idempotencyKeyHeader('k'))
    appendFileSync(join(world.dataDir, 'gateway.jsonl'), '[{"table":"payments","key":"HALF')
    await world.restart()
    expect(world.gateway.ledger()).toHaveLength(1)
    await authorise({ reference: 'ORDER-2' })
    await world.restart()
    expect(world.gateway.ledger().map((row) => row.reference)).toEqual(['ORDER-1', 'ORDER-2'])
  })
})
