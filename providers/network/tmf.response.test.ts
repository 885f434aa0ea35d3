import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createCarrierAccess } from '#providers/tmf/access.ts'
import { createMobileNetwork } from './tmf.ts'

const access = createCarrierAccess({
  credentials: { kind: 'header', header: null, key: 'key' },
  tls: { cert: null, key: null, ca: null },
})

async function networkThatAnswers(status: number, body: unknown, timeoutMs = 5_000) {
  const seen: (string | undefined)[] = []
  const server = createServer((request, response) => {
    seen.push(request.headers.authorization)
    request.resume()
    response.writeHead(status, { 'Content-Type': 'application/json', Location: '/elsewhere' })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  )
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { ...createMobileNetwork({ baseUrl, timeoutMs, access }), seen }
}

const order = { externalId: 'A-1', kind: 'activate_sim', iccid: '8964010000000000011', msisdn: '64210000001' } as const
const refusal = { code: 'NO', reason: 'Not possible.' }

test.each([
  ['acknowledged', 'running'],
  ['pending', 'running'],
  ['held', 'running'],
  ['inProgress', 'running'],
  ['assessingCancellation', 'running'],
  ['pendingCancellation', 'running'],
  ['completed', 'completed'],
  ['failed', 'failed'],
  ['rejected', 'failed'],
  ['cancelled', 'failed'],
  ['partial', 'failed'],
])('a service order in the state %s counts as %s', async (wireState, state) => {
  const { place } = await networkThatAnswers(201, { id: '1', state: wireState })
  expect(await place(order)).toMatchObject({ outcome: 'known', state })
})

test('an order’s outcome is unknown if the network’s response names a different SIM, unless the order was cancelled', async () => {
  const named = [{ service: { serviceCharacteristic: [{ name: 'iccid', value: '8964010000000009042' }] } }]
  for (const state of ['completed', 'failed', 'inProgress'])
    expect(
      await (await networkThatAnswers(200, { id: '1', state, serviceOrderItem: named })).place(order),
    ).toMatchObject({ outcome: 'unknown', contradiction: 'SIM ending 9042 instead of 0011' })
  const { place } = await networkThatAnswers(200, { id: '1', state: 'cancelled', serviceOrderItem: named })
  expect(await place(order)).toMatchObject({ outcome: 'known', state: 'failed' })
})

test('a failed order’s reason is its last error or, if it has none, its state', async () => {
  const errorMessage = [
    { code: 'FIRST', reason: 'a' },
    { code: 'NETWORK_BUSY', reason: 'Busy.' },
  ]
  const explained = await networkThatAnswers(200, { id: '1', state: 'failed', errorMessage })
  expect(await explained.place(order)).toMatchObject({
    fault: { code: 'NETWORK_BUSY', message: 'Busy.', retryable: true },
  })
  const silent = await networkThatAnswers(200, { id: '1', state: 'partial', errorMessage: null })
  expect(await silent.place(order)).toMatchObject({ fault: { code: 'PARTIAL', retryable: false } })
})

test.each([
  [400, refusal],
  [404, refusal],
  [409, refusal],
  [422, { ...refusal, code: 60 }],
])('HTTP %i with an error from the network permanently rejects the order', async (status, body) => {
  const { place } = await networkThatAnswers(status, body)
  expect(await place(order)).toEqual({ outcome: 'rejected', code: String(body.code), message: 'Not possible.' })
})

test.each([
  ["a gateway's 404 page", 404, '<html>'],
  ['an error without a code', 400, { message: 'no' }],
  ['a rejected credential', 401, refusal],
  ['too many calls', 429, refusal],
  ['a server error', 503, refusal],
  ['a redirect', 302, ''],
  ['a success without an order', 200, { ok: true }],
  ['a success that is not JSON', 201, 'created'],
  ['an unknown state', 201, { id: '1', state: 'constructor' }],
])('%s leaves the outcome of an order unknown', async (_, status, body) => {
  const { place } = await networkThatAnswers(status, body)
  expect(await place(order)).toMatchObject({ outcome: 'unknown', why: expect.any(String) })
})

test('if the network ignores the filter and lists other orders, our order’s outcome is unknown rather than absent', async () => {
  const { read, seen } = await networkThatAnswers(200, [{ id: '9', externalId: 'B-9', state: 'completed' }])
  expect(await read('A-1')).toMatchObject({ outcome: 'unknown' })
  expect(await read('B-9')).toMatchObject({ outcome: 'known', state: 'completed' })
  expect(seen).toEqual(['Bearer key', 'Bearer key'])
  expect(await (await networkThatAnswers(404, refusal)).read('A-1')).toMatchObject({ outcome: 'unknown' })
  expect(await (await networkThatAnswers(200, [])).read('A-1')).toEqual({ outcome: 'absent' })
})

test('if the network responds to a subscription with HTTP 409, the subscription counts as existing', async () => {
  const { subscribe } = await networkThatAnswers(409, refusal)
  await expect(subscribe('http://127.0.0.1/events')).resolves.toBeUndefined()
})

test('text from the mobile network is truncated, and NUL characters are removed', async () => {
  const long = `A\u0000${'x'.repeat(10_000)}`
  const item = { service: { serviceCharacteristic: [{ name: 'portInState', value: long }] } }
  const errorMessage = [{ code: long, reason: long, message: long }]
  const failed = await networkThatAnswers(200, { id: '1', state: 'failed', serviceOrderItem: [item], errorMessage })
  const refused = await networkThatAnswers(409, { code: long, reason: long })
  const unheard = await networkThatAnswers(200, { id: '1', state: long })
  for (const { place } of [failed, refused, unheard]) {
    const said = JSON.stringify(await place(order))
    expect(said).toContain('xx')
    expect(said).not.toContain('u0000')
    expect(said.length).toBeLessThan(2_000)
  }
})

test('an order’s unreadable milestones are skipped, and only the last 50 are kept', async () => {
  const item = { service: { serviceCharacteristic: [{ name: 'portInState', value: 'requested' }] } }
  const good = { name: 'requested', milestoneDate: '2026-11-23T10:04:00+13:00', status: 'completed' }
  const port = (milestone: unknown) => ({ id: '1', state: 'inProgress', serviceOrderItem: [item], milestone })
  const read = async (milestone: unknown) => {
    const answer = await (await networkThatAnswers(200, port(milestone))).place(order)
    return answer.outcome === 'known' ? answer.milestones : answer
  }
  const bad = [
    null,
    7,
    {},
    { ...good, milestoneDate: 'soon' },
    { ...good, milestoneDate: 7 },
    { milestoneDate: good.milestoneDate },
  ]
  expect(await read([...bad, good])).toEqual([{ subState: 'requested', at: '2026-11-22T21:04:00.000Z' }])
  for (const none of [undefined, null, {}, 'requested', bad]) expect(await read(none)).toBeUndefined()
  expect(await read(Array.from({ length: 1_000 }, () => good))).toHaveLength(50)
})
