import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as v from 'valibot'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createClient, ports, sims, startNetwork } from '#simulators/network/test-network.ts'
import { exampleMapping } from '#quality/support/carrier.ts'
import { networkMappingSchema } from './mapping.ts'
import { createNetworkUsage } from './tmf-usage.ts'
import { createMobileNetwork } from './tmf.ts'

const example = v.parse(networkMappingSchema, JSON.parse(exampleMapping()))
const hour = 3_600_000

test('a network with different names and formats works if only its mapping is changed', async () => {
  const network = await startNetwork({ dialect: 'tasman', portDelayMs: 24 * hour })
  network.seed({
    products: [
      { sku: 'plan', kind: 'plan', lengthDays: 30, dataMb: 5_000, voiceMinutes: 10, messages: 20 },
      { sku: 'more', kind: 'addon', lengthDays: 7, dataMb: 500, voiceMinutes: 0, messages: 0 },
    ],
  })
  const options = { baseUrl: network.url, timeoutMs: 30_000, mapping: example }
  const { place, read, cancel } = createMobileNetwork(options)
  const usage = createNetworkUsage(options)
  const { iccid, msisdn } = sims.ok
  const line = { iccid, msisdn: `+${msisdn}` }
  const ended = (externalId: string, state: 'completed' | 'failed') =>
    vi.waitFor(async () => {
      const answer = await read(externalId)
      expect(answer).toMatchObject({ outcome: 'known', state })
      return answer
    }, 30_000)

  expect(await read('A-1')).toEqual({ outcome: 'absent' })
  expect(await place({ externalId: 'P-0', kind: 'add_plan', ...line, sku: 'plan' })).toMatchObject({
    outcome: 'rejected',
    code: 'E-702',
    meaning: 'nothing_there',
  })
  expect(await place({ externalId: 'A-1', kind: 'activate_sim', ...line })).toMatchObject({ state: 'running' })
  await ended('A-1', 'completed')
  expect(await place({ externalId: 'A-1', kind: 'activate_sim', ...line })).toMatchObject({ state: 'completed' })
  await place({ externalId: 'P-1', kind: 'add_plan', ...line, sku: 'plan' })
  await ended('P-1', 'completed')
  await place({ externalId: 'O-1', kind: 'add_addon', ...line, sku: 'more' })
  await ended('O-1', 'completed')

  const use = (type: string, amount: number, destination?: string) =>
    createClient(network).call('POST', '/_simulator/uses', { iccid, type, amount, destination })
  await createClient(network).call('POST', '/_simulator/sims', [{ ...sims.ok, habits: 'none' }])
  await use('data', 750.5)
  for (let second = 1; second <= 7; second++) await use('voice', 60 * second, '64275550100')
  await use('sms', 1, '64275550101')
  const answer = await usage.balances(line.msisdn)
  expect(
    answer.outcome === 'known' &&
      answer.balances.map(({ sku, operationId, type, remaining }) => [sku, operationId, type, remaining]),
  ).toEqual([
    ['plan', 'P-1', 'data', 4_249.5],
    ['plan', 'P-1', 'voice', 10],
    ['plan', 'P-1', 'sms', 20],
    ['more', 'O-1', 'data', 500],
  ])
  const now = Temporal.Now.instant()
  const records = await usage.records(line.msisdn, now.subtract({ hours: 1 }), now.add({ hours: 1 }))
  expect(
    records.outcome === 'known' && records.records.map(({ type, amount, destination }) => [type, amount, destination]),
  ).toEqual([
    ['data', 750.5, null],
    ...[60, 120, 180, 240, 300, 360, 420].map((seconds) => ['voice', seconds, '+64275550100']),
    ['sms', 1, '+64275550101'],
  ])

  const port = {
    kind: 'port_in',
    ...line,
    donorProviderId: 'spark',
    billingMethod: 'account',
    donorAccountNumber: 'A7',
  } as const
  await place({ externalId: 'X-1', ...port, portingMsisdn: `+${ports.fails}` })
  network.setClockOffset(4 * hour)
  expect(await ended('X-1', 'failed')).toMatchObject({ subState: '81', fault: { code: 'P-17', retryable: false } })
  await place({ externalId: 'X-2', ...port, portingMsisdn: `+${ports.completes}` })
  const askedAt = '2026-11-23T09:30:15.250Z'
  expect(await cancel({ externalId: 'X-2', askedAt })).toEqual({ outcome: 'undecided' })
  await vi.waitFor(
    async () => expect(await cancel({ externalId: 'X-2', askedAt })).toEqual({ outcome: 'cancelled' }),
    30_000,
  )

  await place({ externalId: 'Q-1', kind: 'remove_addon', ...line, addedBy: 'O-1' })
  await ended('Q-1', 'completed')
  await place({ externalId: 'Q-2', kind: 'remove_plan', ...line, addedBy: 'P-1' })
  await ended('Q-2', 'completed')
  network.fail({ operation: 'deactivate', kind: 'fail_retryable' })
  await place({ externalId: 'D-1', kind: 'deactivate_sim', ...line })
  expect(await ended('D-1', 'failed')).toMatchObject({ fault: { code: 'E-700', retryable: true } })
  await place({ externalId: 'D-2', kind: 'deactivate_sim', ...line })
  await ended('D-2', 'completed')
})

async function networkThat(answers: { post: [status: number, body: unknown]; get?: unknown }, mapping = example) {
  const server = createServer((request, response) => {
    request.resume()
    const [status, body] = request.method === 'POST' ? answers.post : [200, answers.get ?? []]
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return createMobileNetwork({ baseUrl, timeoutMs: 30_000, mapping })
}

const order = { externalId: 'A-1', kind: 'activate_sim', ...sims.ok } as const
const refused = (code: string | number) => ({ code, reason: 'No.' })
const known = (change: object = {}) => ({ id: '1', externalId: 'A-1', state: 'finished', ...change })

test.each([
  ['final, with HTTP 500', 500, 'E-705', { outcome: 'rejected', code: 'E-705' }],
  ['for something that is not there, with HTTP 500', 500, 'E-702', { outcome: 'rejected', meaning: 'nothing_there' }],
  ['already active, with HTTP 409', 409, 'E-706', { outcome: 'rejected', meaning: 'already_active' }],
  ['busy, with HTTP 409', 409, 'E-704', { outcome: 'rejected', meaning: 'busy' }],
  ['busy, with HTTP 503', 503, 'E-704', { outcome: 'unknown' }],
  ['retryable, with HTTP 409', 409, 'E-700', { outcome: 'unknown' }],
  ['unknown, with HTTP 500', 500, 'E-999', { outcome: 'unknown' }],
  ['a number', 409, 60, { outcome: 'rejected', code: '60' }],
])('a rejected order follows the mapping for error codes: the code is %s', async (_what, status, code, answer) => {
  expect(await (await networkThat({ post: [status, refused(code)] })).place(order)).toMatchObject(answer)
})

test('if the network says that an order already exists, the order is read; if it is not found, its outcome is unknown', async () => {
  const post: [number, unknown] = [500, refused('E-701')]
  expect(await (await networkThat({ post, get: [known()] })).place(order)).toMatchObject({ state: 'completed' })
  expect(await (await networkThat({ post })).place(order)).toMatchObject({ outcome: 'unknown' })
})

test('an order’s outcome is unknown if the response names a different order, but not if the response has no external id', async () => {
  expect(await (await networkThat({ post: [201, known({ externalId: 'B-9' })] })).place(order)).toMatchObject({
    outcome: 'unknown',
  })
  expect(await (await networkThat({ post: [201, known({ externalId: undefined })] })).place(order)).toMatchObject({
    state: 'completed',
  })
})

test('an order’s failure reason can also be read from its item, even if the error code is a number', async () => {
  const item = { errorMessage: [{ code: 17, message: 'No such SIM.' }] }
  const { place } = await networkThat({
    post: [201, known({ state: 'broken', errorMessage: [], serviceOrderItem: [item] })],
  })
  expect(await place(order)).toMatchObject({ fault: { code: '17', message: 'No such SIM.' } })
})
