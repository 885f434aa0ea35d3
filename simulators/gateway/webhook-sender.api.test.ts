import { describe, expect, test, vi } from 'vitest'
import { setUpTestGateway } from './test-world.ts'

const world = setUpTestGateway()
const { authorise, control } = world

describe('webhooks sent by the gateway simulator', () => {
  const pay = async (...references: string[]) => {
    for (const reference of references) await authorise({ reference })
  }
  const came = () => world.inbox.items.map((item) => item.merchantReference)
  const pending = () => control('GET', 'webhooks/pending')

  test('webhooks are retried in order until they have been accepted', async () => {
    await world.restart({ webhookRetryDelaysMs: Array(1_000).fill(10) })
    world.inbox.answer.text = 'not quite'
    await pay('A', 'B')
    await world.inbox.waitFor(3)
    expect(new Set(came())).toEqual(new Set(['A']))
    world.inbox.answer.text = '[accepted]'
    await vi.waitFor(async () => expect(await pending()).toEqual([]), 30_000)
    expect(came().filter((reference, index, all) => reference !== all[index - 1])).toEqual(['A', 'B'])
  })

  test('a webhook is dropped once its last attempt has failed', async () => {
    world.inbox.answer.status = 503
    await pay('A')
    await vi.waitFor(async () => expect(await pending()).toEqual([]), 30_000)
    expect(came()).toEqual(Array(6).fill('A'))
  })

  test('webhooks wait until there is a URL to send them to', async () => {
    world.gateway.setWebhookUrl(null)
    await pay('A')
    expect(await pending()).toMatchObject([
      { event_code: 'AUTHORISATION', success: true, reference: 'A', held: false, attempts: 0 },
    ])
    world.gateway.setWebhookUrl(world.inbox.url)
    await world.inbox.waitFor(1)
  })

  test('webhooks can be held back and released', async () => {
    await control('POST', 'webhooks', { mode: 'hold' })
    await pay('A', 'B')
    expect(await pending()).toMatchObject([
      { reference: 'A', held: true },
      { reference: 'B', held: true },
    ])
    await control('POST', 'webhooks', { release: true })
    await world.inbox.waitFor(2)
    expect(came()).toEqual(['A', 'B'])
    await pay('C')
    expect(await pending()).toMatchObject([{ reference: 'C', held: true }])
  })

  test('webhooks can be duplicated, reordered or dropped', async () => {
    await control('POST', 'webhooks', { mode: 'duplicate' })
    await pay('A')
    await world.inbox.waitFor(2)
    await control('POST', 'webhooks', { mode: 'hold' })
    await pay('B', 'C')
    await control('POST', 'webhooks', { mode: 'reorder', release: true })
    await world.inbox.waitFor(4)
    await control('POST', 'webhooks', { mode: 'drop' })
    await pay('D')
    await control('POST', 'webhooks', { mode: 'normal' })
    await pay('E')
    await world.inbox.waitFor(5)
    expect(came()).toEqual(['A', 'A', 'C', 'B', 'E'])
  })
})
