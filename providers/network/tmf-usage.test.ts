import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as v from 'valibot'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { networkMappingSchema } from './mapping.ts'
import { createNetworkUsage } from './tmf-usage.ts'

const from = Temporal.Instant.from('2026-11-14T11:00:00Z')
const until = Temporal.Instant.from('2026-11-21T11:00:00Z')

/**
 * A response from the test's network. `total` is sent as the X-Total-Count header. It defaults to the body's length; null omits the header.
 */
type Reply = { status?: number; body: unknown; total?: number | string | null }

async function networkThat(answer: (url: URL) => Reply, change: v.InferInput<typeof networkMappingSchema> = {}) {
  const asked: URL[] = []
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://network')
    asked.push(url)
    const { status = 200, body, total = Array.isArray(body) ? body.length : null } = answer(url)
    response.writeHead(status, {
      'content-type': 'application/json',
      ...(total !== null && { 'x-total-count': String(total) }),
    })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const mapping = v.parse(networkMappingSchema, change)
  return { asked, usage: createNetworkUsage({ baseUrl: `http://127.0.0.1:${port}`, timeoutMs: 30_000, mapping }) }
}

let made = 0
const newId = (): string => `id-${made++}`
const line = '64211234567'

const bucket = (change: object = {}) => ({
  id: newId(),
  usageType: 'data',
  status: 'active',
  remainingValue: { amount: 1500, units: 'MB' },
  validFor: { startDateTime: '2026-11-20T11:00:00Z', endDateTime: '2026-12-20T11:00:00Z' },
  product: [{ id: 'FT1-plan', name: 'FT-P30-5GB' }],
  logicalResource: [{ id: line }],
  ...change,
})
const ofLine = { name: 'msisdn', value: line }
const use = (change: object = {}) => ({
  id: newId(),
  usageDate: '2026-11-20T03:04:05Z',
  usageType: 'data',
  usageCharacteristic: [ofLine, { name: 'volume', value: '12.5 MB' }],
  ...change,
})

describe('unusual responses from the mobile network', () => {
  test('a usage record whose phone number is not text is not assigned to any phone number', async () => {
    const odd: unknown[] = [{ toString: 1 }, { name: line }, [[line]], true]
    const { usage } = await networkThat(() => ({
      body: odd.map((value) =>
        use({
          usageCharacteristic: [
            { name: 'msisdn', value },
            { name: 'volume', value },
          ],
        }),
      ),
    }))
    expect(await usage.records(`+${line}`, from, until)).toMatchObject({ outcome: 'unknown' })
  })

  test('the usage list can still be read if a record has an unreadable amount', async () => {
    const { usage } = await networkThat(() => ({
      body: [use({ usageCharacteristic: [ofLine, { name: 'volume', value: { toString: 1 } }] })],
    }))
    expect(await usage.records(`+${line}`, from, until)).toMatchObject({ outcome: 'known' })
  })

  test('a response with 230,000 entries in a single page can be read', async () => {
    const { usage } = await networkThat(() => ({
      body: `[${Array(230_000).fill('{"usageType":"d"}').join(',')}]`,
      total: null,
    }))
    expect(await usage.balances(`+${line}`)).toMatchObject({ outcome: 'unknown', foreign: 230_000 })
  }, 30_000)

  test.each([1_000, 4_000, 7_000, 20_000, 200_000])(
    'a page that is nested %s levels deep leaves the usage unknown and does not cause a crash',
    async (depth) => {
      const { usage } = await networkThat(() => ({
        body: `[{"usageType":"data","x":${'['.repeat(depth)}${']'.repeat(depth)}}]`,
        total: null,
      }))
      expect(await usage.balances(`+${line}`)).toMatchObject({ outcome: 'unknown' })
    },
  )

  test('a list whose pages arrive too slowly is abandoned', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const { asked, usage } = await networkThat(() => {
      vi.advanceTimersByTime(2_900)
      return { body: [use()], total: 1_000 }
    })
    expect(await usage.records(`+${line}`, from, until)).toMatchObject({ why: 'the list takes too long' })
    expect(asked.length).toBeLessThan(8)
  })
})

describe('a phone number’s balances', () => {
  test('balances are requested using the number without its plus sign, and converted to our units', async () => {
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
      foreign: 0,
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
    ['in money', { usageType: 'monetary' }],
    ['that has ended', { status: 'expired' }],
    ['in an unknown unit', { remainingValue: { amount: 1, units: 'furlongs' } }],
    ['without a product', { product: [] }],
    ['without a period', { validFor: null }],
  ])('a balance %s is skipped', async (_what, change) => {
    const { usage } = await networkThat(() => ({ body: [bucket(change), bucket()] }))
    expect(await usage.balances('+64211234567')).toMatchObject({ balances: [{ remaining: 1500 }] })
  })

  test('all balances are read if they fill several pages', async () => {
    const { asked, usage } = await networkThat((url) => {
      const offset = Number(url.searchParams.get('offset'))
      return { body: Array.from({ length: Math.min(200, 450 - offset) }, () => bucket()), total: 450 }
    })
    const answer = await usage.balances('+64211234567')
    expect(answer.outcome === 'known' && answer.balances).toHaveLength(450)
    expect(asked).toHaveLength(3)
  })
})

describe('a phone number’s usage records', () => {
  test('usage is requested by number and time, and returned oldest first in MB, seconds and messages', async () => {
    const { asked, usage } = await networkThat(() => ({
      body: [
        use(),
        use({ usageDate: '2026-11-19T00:00:00Z', usageCharacteristic: [ofLine, { name: 'volume', value: '0.25 GB' }] }),
        use({
          usageDate: '2026-11-18T00:00:00Z',
          usageType: 'voice',
          usageCharacteristic: [
            ofLine,
            { name: 'duration', value: '75 s' },
            { name: 'destination', value: '64275550100' },
          ],
        }),
        use({
          usageDate: '2026-11-17T00:00:00+13:00',
          usageType: 'sms',
          usageCharacteristic: [
            ofLine,
            { name: 'messages', value: '1' },
            { name: 'destination', value: '+64275550100' },
          ],
        }),
      ],
    }))
    expect(await usage.records('+64211234567', from, until)).toEqual({
      outcome: 'known',
      foreign: 0,
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
  ['a response that is not JSON', { body: '<html>' }],
  ['a response without a list', { body: { items: [] } }],
  ['an unexpected item in the list', { body: [{ what: 1 }] }],
] as const)('usage and balances after %s', (_what, reply) => {
  test('an error or an unreadable response leaves usage and balances unknown', async () => {
    const { usage } = await networkThat(() => reply)
    expect(await usage.balances('+64211234567')).toMatchObject({ outcome: 'unknown' })
    expect(await usage.records('+64211234567', from, until)).toMatchObject({ outcome: 'unknown' })
  })
})

test('an endless list of balances is abandoned after 25 pages, and the balances are unknown', async () => {
  const { asked, usage } = await networkThat(() => ({ body: [bucket()], total: 1_000_000 }))
  expect(await usage.balances('+64211234567')).toMatchObject({ outcome: 'unknown', why: 'the list does not end' })
  expect(asked).toHaveLength(25)
})

describe('the network’s paginated lists', () => {
  const listOf = (count: number) => Array.from({ length: count }, () => bucket())
  const offsetOf = (url: URL): number => Number(url.searchParams.get('offset'))

  test.each([
    ['with the total count', 100, true, 3],
    ['without the total count, ended by an empty page', 100, false, 4],
    ['of one item', 1, true, 12],
  ])('all pages are read if the network chooses its own page size, %s', async (_what, most, counted, calls) => {
    const all = listOf(most === 1 ? 12 : 250)
    const { asked, usage } = await networkThat((url) => ({
      body: all.slice(offsetOf(url), offsetOf(url) + most),
      total: counted ? all.length : null,
    }))
    const answer = await usage.balances('+64211234567')
    expect(answer.outcome === 'known' && answer.balances).toHaveLength(all.length)
    expect(asked).toHaveLength(calls)
  })

  test('pages of different lengths are read until the network rejects the request for the next page', async () => {
    const all = listOf(9)
    const ends = [3, 5, 9]
    const { usage } = await networkThat((url) => {
      const end = ends.find((each) => each > offsetOf(url))
      return end ? { body: all.slice(offsetOf(url), end), total: null } : { status: 416, body: {} }
    })
    const answer = await usage.balances('+64211234567')
    expect(answer.outcome === 'known' && answer.balances).toHaveLength(9)
  })

  test('if the network does not support paging, the list is requested twice and the repeated items are dropped', async () => {
    const all = listOf(250)
    const { asked, usage } = await networkThat(() => ({ body: all, total: null }))
    const answer = await usage.balances('+64211234567')
    expect(answer.outcome === 'known' && answer.balances).toHaveLength(250)
    expect(asked).toHaveLength(2)
  })

  test('list items without ids are kept as separate items', async () => {
    const { usage } = await networkThat(() => ({
      body: [bucket({ id: undefined }), bucket({ id: undefined })],
      total: null,
    }))
    expect(await usage.balances('+64211234567')).toMatchObject({ balances: [{}, {}] })
  })

  test('a list that changes while it is being read is returned with each item once', async () => {
    const all = listOf(150)
    const { usage } = await networkThat((url) => {
      if (offsetOf(url) > 0) all.unshift(bucket())
      return { body: all.slice(offsetOf(url), offsetOf(url) + 100), total: all.length }
    })
    const answer = await usage.balances('+64211234567')
    expect(answer.outcome === 'known' && answer.balances).toHaveLength(150)
  })

  test.each([
    ['repeat themselves', (page: number) => ({ body: listOf(1).map((one) => ({ ...one, id: 'b' })), total: 9 + page })],
    ['break off', (page: number) => ({ body: page === 0 ? listOf(5) : [], total: 9 })],
    ['become shorter', (page: number) => ({ body: listOf(2), total: 9 - page })],
  ])('lists that %s leave the balances unknown', async (_what, answer) => {
    let page = 0
    const { usage } = await networkThat(() => answer(page++))
    expect(await usage.balances('+64211234567')).toMatchObject({
      outcome: 'unknown',
      why: expect.stringMatching(/^the list (repeats itself|breaks off|became shorter while it was read)$/),
    })
  })

  test.each(['', 'many', '-1'])('a list whose total count is %j is read until a page is empty', async (total) => {
    const all = listOf(3)
    const { usage } = await networkThat((url) => ({ body: all.slice(offsetOf(url)), total }))
    expect(await usage.balances('+64211234567')).toMatchObject({ balances: [{}, {}, {}] })
  })
})

describe('usage and balances of other phone numbers in the network’s responses', () => {
  const other = [{ id: '64219999999' }]
  const call = (msisdn: string | null) =>
    use({
      usageType: 'voice',
      usageCharacteristic: [
        ...(msisdn === null ? [] : [{ name: 'msisdn', value: msisdn }]),
        { name: 'duration', value: '60' },
      ],
    })

  test('usage and balances of another phone number are left out and counted', async () => {
    const { usage } = await networkThat((url) => ({
      body: url.pathname.endsWith('/bucket')
        ? [
            bucket({ logicalResource: other }),
            bucket({ logicalResource: null }),
            bucket({ logicalResource: [{ id: 'LR-1', name: '+64211234567' }] }),
          ]
        : [call('64219999999'), call(null), call('+64211234567'), call('0211234567'), call('6421123456')],
    }))
    expect(await usage.balances('+64211234567')).toMatchObject({ outcome: 'known', balances: [{}], foreign: 2 })
    const answer = await usage.records('+64211234567', from, until)
    expect(answer).toMatchObject({ outcome: 'known', foreign: 4 })
    expect(answer.outcome === 'known' && answer.records).toHaveLength(1)
  })

  test('if no item names our number, balances are unknown; usage is empty only if all items name other numbers', async () => {
    const { usage } = await networkThat((url) => ({
      body: url.pathname.endsWith('/bucket') ? [bucket({ logicalResource: other })] : [call('64219999999')],
    }))
    expect(await usage.balances('+64211234567')).toMatchObject({ outcome: 'unknown', foreign: 1 })
    expect(await usage.records('+64211234567', from, until)).toEqual({ outcome: 'known', records: [], foreign: 1 })
    const { usage: nameless } = await networkThat(() => ({ body: [call(null)] }))
    expect(await nameless.records('+64211234567', from, until)).toMatchObject({ outcome: 'unknown', foreign: 1 })
  })

  test('if the network’s filter is trusted, items without a phone number are accepted, but other numbers’ items are not', async () => {
    const { usage } = await networkThat(
      (url) => ({
        body: url.pathname.endsWith('/bucket')
          ? [bucket({ logicalResource: [] }), bucket({ logicalResource: other })]
          : [call(null), call('64219999999')],
      }),
      { usage: { trustsFilter: true } },
    )
    expect(await usage.balances('+64211234567')).toMatchObject({ outcome: 'known', balances: [{}], foreign: 1 })
    expect(await usage.records('+64211234567', from, until)).toMatchObject({ records: [{}], foreign: 1 })
  })

  test('usage outside the requested period is left out', async () => {
    const { usage } = await networkThat(() => ({
      body: [
        use({ usageDate: '2026-11-14T10:59:59Z' }),
        use({ usageDate: from.toString() }),
        use({ usageDate: until.toString() }),
      ],
    }))
    expect(await usage.records('+64211234567', from, until)).toMatchObject({
      records: [{ at: '2026-11-14T11:00:00.000Z' }],
      foreign: 0,
    })
  })
})

test('balances are unknown if there is no connection to the network', async () => {
  const usage = createNetworkUsage({ baseUrl: 'http://127.0.0.1:9', timeoutMs: 500 })
  expect(await usage.balances('+64211234567')).toMatchObject({
    outcome: 'unknown',
    why: expect.stringContaining('no answer'),
  })
})
