import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { makeDataDir } from '../network/test-network.ts'
import { type SmsSimulatorOptions, startSmsSimulator } from './simulator.ts'

const path = '/tmf-api/communicationManagement/v4/communicationMessage'

async function startCarrier(options: Partial<SmsSimulatorOptions> = {}) {
  const carrier = await startSmsSimulator({ port: 0, dataDir: await makeDataDir(), ...options })
  onTestFinished(() => carrier.close())
  return carrier
}

const text = (externalId: string, to = '+64215550142', content = 'Kia ora') => ({
  messageType: 'SMS',
  content,
  sender: { name: 'Fantail' },
  receiver: [{ phoneNumber: to }],
  characteristic: [{ name: 'externalId', valueType: 'string', value: externalId }],
})

async function ask(url: string, body?: unknown, { method = 'POST', headers = {} } = {}) {
  const answer = await fetch(url, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const whole = await answer.text()
  return { status: answer.status, body: whole === '' ? null : JSON.parse(whole) }
}

test('a text message is accepted only once per externalId, even after a restart', async () => {
  const dataDir = await makeDataDir()
  const first = await startCarrier({ dataDir })
  const taken = await ask(first.url + path, text('one'))
  expect(taken).toMatchObject({
    status: 201,
    body: {
      state: 'completed',
      content: 'Kia ora',
      sender: { name: 'Fantail' },
      receiver: [{ phoneNumber: '+64215550142' }],
    },
  })
  await first.close()

  const { url, ledger } = await startCarrier({ dataDir })
  expect(await ask(url + path, text('one'))).toEqual({ status: 200, body: taken.body })
  expect(await ask(url + path, text('one', '+64215550142', 'Something else'))).toMatchObject({
    status: 409,
    body: { code: 'EXTERNAL_ID_REUSED' },
  })
  expect(await ask(`${url}${path}/${taken.body.id}`, undefined, { method: 'GET' })).toMatchObject({ status: 200 })
  expect(await ask(`${url}${path}/none`, undefined, { method: 'GET' })).toMatchObject({ status: 404 })
  expect(ledger()).toEqual([
    expect.objectContaining({ external_id: 'one', to: '+64215550142', sender: 'Fantail', text: 'Kia ora', asked: 2 }),
  ])
})

test('a text message without an externalId is identified by its Idempotency-Key header', async () => {
  const { url, ledger } = await startCarrier()
  const body = { ...text(''), characteristic: [] }
  await ask(url + path, body, { headers: { 'idempotency-key': 'two' } })
  expect(await ask(url + path, body, { headers: { 'idempotency-key': 'two' } })).toMatchObject({ status: 200 })
  expect(ledger()).toHaveLength(1)
})

test.each([
  ['no number', { receiver: [{ phoneNumber: '021555' }] }],
  ['two numbers', { receiver: [{ phoneNumber: '+64215550142' }, { phoneNumber: '+64215550143' }] }],
  ['no text', { content: '' }],
  ['a sender whose name is too long', { sender: { name: 'Fantail Mobile NZ' } }],
  ['no sender', { sender: {} }],
  ['another kind of message', { messageType: 'Email' }],
])('a text message with %s is rejected with a TM Forum error', async (_what, change) => {
  const { url, ledger } = await startCarrier()
  expect(await ask(url + path, { ...text('one'), ...change })).toMatchObject({
    status: 400,
    body: { code: 'INVALID_BODY', reason: expect.any(String), status: '400' },
  })
  expect(ledger()).toEqual([])
})

test('a text message is rejected if its API key is missing or wrong', async () => {
  const { url, ledger } = await startCarrier({
    access: { demand: { kind: 'header', header: 'X-Api-Key', value: 'key' } },
  })
  expect((await ask(url + path, text('one'))).status).toBe(401)
  expect((await ask(url + path, text('one'), { headers: { 'x-api-key': 'other' } })).status).toBe(401)
  expect((await ask(url + path, text('one'), { headers: { 'x-api-key': 'key' } })).status).toBe(201)
  expect((await ask(`${url}/_simulator/ledger`, undefined, { method: 'GET' })).body).toEqual(ledger())
})

test.each([
  ['error_500', { status: 500, body: { code: 'INTERNAL_ERROR' } }, 0],
  ['busy', { status: 429, body: { code: 'TOO_MANY_MESSAGES' } }, 0],
  ['refuse', { status: 422, body: { code: 'UNKNOWN_SUBSCRIBER' } }, 0],
  ['lost_request', 'no answer', 0],
  ['lost_answer', 'no answer', 1],
  ['failed', { status: 201, body: { state: 'failed' } }, 1],
] as const)(
  'a simulated text message failure of the kind %s is answered with %j only once',
  async (kind, answer, taken) => {
    const { url, ledger } = await startCarrier()
    expect((await ask(`${url}/_simulator/failures`, { operation: 'send', kind })).status).toBe(204)
    expect([await ask(url + path, text('one')).catch(() => 'no answer')]).toMatchObject([answer])
    expect(ledger()).toHaveLength(taken)
    expect((await ask(url + path, text('two'))).status).toBe(201)
  },
)

test('the text message carrier rejects certain numbers, and does not respond while it is unreachable', async () => {
  const { url, ledger } = await startCarrier()
  const recipients = [
    { to: '+6421000', behaviour: 'refused' },
    { to: '+64210000001', behaviour: 'refused' },
    { to: '+64210000002', behaviour: 'busy' },
  ]
  await ask(`${url}/_simulator/recipients`, recipients)
  expect((await ask(url + path, text('one', '+64210000001'))).status).toBe(422)
  expect((await ask(url + path, text('two', '+64210000002'))).status).toBe(503)
  await ask(`${url}/_simulator/away`, { away: true }, { method: 'PUT' })
  await expect(ask(url + path, text('three'))).rejects.toThrow()
  await ask(`${url}/_simulator/away`, { away: false }, { method: 'PUT' })
  expect((await ask(url + path, text('three'))).status).toBe(201)
  expect(ledger()).toHaveLength(1)
})

test('when run as a program, the text message carrier reads its environment variables and reports any errors in them', async () => {
  const env = {
    PATH: process.env['PATH'],
    PORT: '0',
    DATA_DIR: await makeDataDir(),
    AUTH: 'header',
    API_KEY: 'Bearer key',
  }
  const child = spawn(process.execPath, ['simulators/sms/main.ts'], { env })
  onTestFinished(() => void child.kill('SIGKILL'))
  let url = ''
  for await (const line of createInterface(child.stdout)) {
    url = /http:\/\/\S+/.exec(line)?.[0] ?? ''
    break
  }
  expect((await ask(url + path, text('one'), { headers: { authorization: 'Bearer key' } })).status).toBe(201)
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([0, null])

  const wrong = spawn(process.execPath, ['simulators/sms/main.ts'], { env: { ...env, API_KEY: '' } })
  expect((await wrong.stderr.toArray()).join('')).toContain('API_KEY is missing')
})
