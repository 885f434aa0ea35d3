import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createNetworkUsage } from './tmf-usage.ts'

const from = Temporal.Instant.from('2026-11-14T11:00:00Z')
const until = Temporal.Instant.from('2026-11-21T11:00:00Z')

type Reply = { status?: number; body: unknown; total?: number }

/** A network that answers as it is told, and remembers what it was asked. */
async function networkThat(answer: (url: URL) => Reply) {
  const asked: URL[] = []
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://network')
    asked.push(url)
    const { status = 200, body, total } = answer(url)
    response.writeHead(status, {
      'content-type': 'application/json',
      ...(total !== undefined && { 'x-total-count': String(total) }),
    })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return { asked, usage: createNetworkUsage({ baseUrl: `http://127.0.0.1:${port}`, timeoutMs: 30_000 }) }
}

const bucket = (change: object = {}) => ({
  id: 'b1',
  usageType: 'data',
  status: 'active',
  remainingValue: { amount: 1500, units: 'MB' },
  validFor: { startDateTime: '2026-11-20T11:00:00Z', endDateTime: '2026-12-20T11:00:00Z' },
  product: [{ id: 'FT1-plan', name: 'FT-P30-5GB' }],
  ...change,
})
const use = (change: object = {}) => ({
  usageDate: '2026-11-20T03:04:05Z',
  usageType: 'data',
  usageCharacteristic: [
    { name: 'msisdn', value: '64211234567' },
    { name: 'volume', value: '12.5 MB' },
  ],
  ...change,
})

describe('balances', () => {
  test('are asked for by the number without its plus, and read in our units', async () => {
    const { asked, usage } = await networkThat(() => ({
      body: [
        bucket(),
        bucket({ remainingValue: { amount: '1.5', units: 'GB' } }),
        bucket({ usageType: 'voice', remainingValue: { amount: 90, units: 'seconds' } }),
        bucket({
          usageType: 'sms',
          remainingValue: { amount: -3, units: 'messages' },
          product: [{ name: 'FT-TEXTS' }],
        }),
      ],
    }))
    const span = { from: '2026-11-20T11:00:00Z', until: '2026-12-20T11:00:00Z' }
    expect(await usage.balances('+64211234567')).toEqual({
      outcome: 'known',
      balances: [
        { operationId: 'FT1-plan', sku: 'FT-P30-5GB', type: 'data', remaining: 1500, ...span },
        { operationId: 'FT1-plan', sku: 'FT-P30-5GB', type: 'data', remaining: 1500, ...span },
        { operationId: 'FT1-plan', sku: 'FT-P30-5GB', type: 'voice', remaining: 1.5, ...span },
        { operationId: null, sku: 'FT-TEXTS', type: 'sms', remaining: 0, ...span },
      ],
    })
    expect(asked[0]?.searchParams.get('logicalResource.id')).toBe('64211234567')
  })

  test.each([
    ['of money', { usageType: 'monetary' }],
    ['that has ended', { status: 'expired' }],
    ['in an unknown unit', { remainingValue: { amount: 1, units: 'furlongs' } }],
    ['of no product', { product: [] }],
    ['for no time', { validFor: null }],
  ])('a bucket %s is passed over', async (_what, change) => {
    const { usage } = await networkThat(() => ({ body: [bucket(change), bucket()] }))
    expect(await usage.balances('+64211234567')).toMatchObject({ balances: [{ remaining: 1500 }] })
  })

  test('that fill more than a page are read to the end', async () => {
    const { asked, usage } = await networkThat((url) => {
      const offset = Number(url.searchParams.get('offset'))
      return { body: Array.from({ length: Math.min(200, 450 - offset) }, () => bucket()), total: 450 }
    })
    const answer = await usage.balances('+64211234567')
    expect(answer.outcome === 'known' && answer.balances).toHaveLength(450)
    expect(asked).toHaveLength(3)
  })
})

describe('usage', () => {
  test('is asked for by number and time, and comes oldest first in MB, seconds and messages', async () => {
    const { asked, usage } = await networkThat(() => ({
      body: [
        use(),
        use({ usageDate: '2026-11-19T00:00:00Z', usageCharacteristic: [{ name: 'volume', value: '0.25 GB' }] }),
        use({
          usageDate: '2026-11-18T00:00:00Z',
          usageType: 'voice',
          usageCharacteristic: [
            { name: 'duration', value: '75 s' },
            { name: 'destination', value: '64275550100' },
          ],
        }),
        use({
          usageDate: '2026-11-17T00:00:00+13:00',
          usageType: 'sms',
          usageCharacteristic: [
            { name: 'messages', value: '1' },
            { name: 'destination', value: '+64275550100' },
          ],
        }),
      ],
    }))
    expect(await usage.records('+64211234567', from, until)).toEqual({
      outcome: 'known',
      records: [
        { at: '2026-11-16T11:00:00.000Z', type: 'sms', amount: 1, destination: '+64275550100' },
        { at: '2026-11-18T00:00:00.000Z', type: 'voice', amount: 75, destination: '+64275550100' },
        { at: '2026-11-19T00:00:00.000Z', type: 'data', amount: 250, destination: null },
        { at: '2026-11-20T03:04:05.000Z', type: 'data', amount: 12.5, destination: null },
      ],
    })
    expect(Object.fromEntries(asked[0]?.searchParams ?? [])).toMatchObject({
      'usageCharacteristic.value': '64211234567',
      'usageDate.gte': '2026-11-14T11:00:00Z',
      'usageDate.lt': '2026-11-21T11:00:00Z',
    })
  })
})

describe.each([
  ['an error', { status: 500, body: { code: '1', reason: 'no' } }],
  ['a refusal', { status: 403, body: {} }],
  ['no JSON', { body: '<html>' }],
  ['no list', { body: { items: [] } }],
  ['something else in the list', { body: [{ what: 1 }] }],
] as const)('%s', (_what, reply) => {
  test('is no answer', async () => {
    const { usage } = await networkThat(() => reply)
    expect(await usage.balances('+64211234567')).toMatchObject({ outcome: 'unknown' })
    expect(await usage.records('+64211234567', from, until)).toMatchObject({ outcome: 'unknown' })
  })
})

test('a list that does not end is no answer, and is not read for ever', async () => {
  const { asked, usage } = await networkThat(() => ({ body: [bucket()], total: 1_000_000 }))
  expect(await usage.balances('+64211234567')).toEqual({ outcome: 'unknown', why: 'the list does not end' })
  expect(asked).toHaveLength(25)
})

test('no connection is no answer', async () => {
  const usage = createNetworkUsage({ baseUrl: 'http://127.0.0.1:9', timeoutMs: 500 })
  expect(await usage.balances('+64211234567')).toMatchObject({
    outcome: 'unknown',
    why: expect.stringContaining('no answer'),
  })
})
