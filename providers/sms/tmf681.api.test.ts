import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { type AccessOptions, createCarrierAccess } from '#providers/tmf/access.ts'
import type { Sms, SmsSender } from './sms.port.ts'
import { createSmsSender, type SmsSenderOptions } from './tmf681.ts'

const key = 'a-secret-key'
const accessBy = (credentials: AccessOptions['credentials']) =>
  createCarrierAccess({ credentials, tls: { cert: null, key: null, ca: null } })
const account = { access: accessBy({ kind: 'header', header: null, key }), sender: 'Fantail', timeoutMs: 30_000 }
const sms: Sms = {
  messageId: '<1@my.example.nz>',
  to: '+64215550142',
  text: 'Your code is 482911. Kia ora, tō pou Fantail.',
}
let server: Server | undefined

async function carrierThat(answers: RequestListener, options: Partial<SmsSenderOptions> = {}): Promise<SmsSender> {
  server = createServer(answers)
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve))
  return createSmsSender({
    ...account,
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/gate/`,
    ...options,
  })
}

const hangUp = async () => {
  server?.closeAllConnections()
  await new Promise((resolve) => (server ? server.close(resolve) : resolve(null)))
  server = undefined
}

afterEach(hangUp)

type Call = { method?: string; path?: string; headers: Record<string, unknown>; body: unknown }

async function callsOf(messages: Sms[], options?: Partial<SmsSenderOptions>): Promise<Call[]> {
  const calls: Call[] = []
  const { send } = await carrierThat(async (request, response) => {
    const body: unknown = JSON.parse(Buffer.concat(await request.toArray()).toString())
    calls.push({ method: request.method, path: request.url, headers: request.headers, body })
    response.writeHead(201).end('{"id":"1","state":"inProgress"}')
  }, options)
  for (const message of messages) expect(await send(message)).toBe('sent')
  return calls
}

describe('requests to the SMS carrier', () => {
  test('an SMS is sent as a TMF681 communication message, with the same id each time', async () => {
    const calls = await callsOf([sms, sms])
    expect(calls).toHaveLength(2)
    for (const call of calls) {
      expect(call).toMatchObject({
        method: 'POST',
        path: '/gate/tmf-api/communicationManagement/v4/communicationMessage',
        headers: {
          authorization: 'Bearer a-secret-key',
          'content-type': 'application/json',
          'idempotency-key': '<1@my.example.nz>',
        },
      })
      expect(call.body).toEqual({
        messageType: 'SMS',
        content: sms.text,
        sender: { name: 'Fantail' },
        receiver: [{ phoneNumber: '+64215550142' }],
        characteristic: [{ name: 'externalId', valueType: 'string', value: '<1@my.example.nz>' }],
      })
    }
  })

  test.each([['+6421555000'], ['4567']])('an SMS is sent from the number %s', async (sender) => {
    expect((await callsOf([sms], { sender }))[0]?.body).toMatchObject({ sender: { phoneNumber: sender } })
  })

  test('the API key is sent in the header that the carrier requires', async () => {
    const [call] = await callsOf([sms], {
      access: accessBy({ kind: 'header', header: 'X-Api-Key', key }),
    })
    expect(call?.headers).toMatchObject({ 'x-api-key': 'a-secret-key' })
    expect(call?.headers).not.toHaveProperty('authorization')
  })

  test.each([['021 555 0142'], ['+64 21 555 0142'], ['ana@example.nz'], ['']])(
    'an SMS to %j is rejected before it is sent',
    async (to) => {
      const calls: unknown[] = []
      const { send } = await carrierThat((request, response) => {
        calls.push(request.url)
        response.writeHead(201).end()
      })
      expect(await send({ ...sms, to })).toMatchObject({ outcome: 'refused' })
      expect(await send({ ...sms, text: '' })).toMatchObject({ outcome: 'refused' })
      expect(calls).toEqual([])
    },
  )
})

const json = (body: unknown) => JSON.stringify(body)
const fault = json({ code: '21', reason: 'No such number' })

test.each([
  ['accepted', 201, json({ id: '1', state: 'initial' }), 'sent'],
  ['accepted without a body', 201, '', 'sent'],
  ['accepted for later delivery', 202, '', 'sent'],
  ['accepted without a state', 200, json({ id: '1' }), 'sent'],
  ['a duplicate', 409, json({ code: '409', reason: 'Duplicate' }), 'sent'],
  ['accepted but failed', 201, json({ id: '1', state: 'failed' }), 'HTTP 201, failed'],
  ['accepted but cancelled', 200, json({ id: '1', state: 'cancelled' }), 'HTTP 200, cancelled'],
  ['a bad message', 400, fault, 'HTTP 400, 21: No such number'],
  ['a message that is too long', 413, fault, 'HTTP 413, 21: No such number'],
  [
    'a number that cannot be texted',
    422,
    json({ code: 21, reason: 'No such number', message: 'Unallocated' }),
    'HTTP 422, 21: No such number',
  ],
])('a response to an SMS (%s), HTTP %i %s, counts as %s', async (_what, status, body, outcome) => {
  const { send } = await carrierThat((_request, response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(body),
  )
  expect(await send(sms)).toEqual(outcome === 'sent' ? 'sent' : { outcome: 'refused', answer: outcome })
})

describe('SMS messages that can be sent again', () => {
  test.each([
    ['a rejected key', 401, fault],
    ['a closed account', 403, fault],
    ['a wrong URL', 404, fault],
    ['a rate limit', 429, fault],
    ["a fault that is not the carrier's", 400, '<html>Bad Request'],
    ['an HTML page', 200, '<html>Welcome'],
    ['an internal error of the carrier', 500, fault],
    ['an unavailable carrier', 503, ''],
  ])('an SMS can be sent again after %s', async (_what, status, body) => {
    const { send } = await carrierThat((_request, response) => response.writeHead(status).end(body))
    expect(await faultOf(send)).toBe(`Error: the SMS carrier answered HTTP ${status}`)
  })

  test('an SMS can be sent again if the response is missing or incomplete at the timeout', async () => {
    const silent = await carrierThat(() => {}, { timeoutMs: 50 })
    expect(await faultOf(silent.send)).toBe('Error: the SMS carrier gave no answer: TimeoutError')
    await hangUp()
    const half = await carrierThat((_request, response) => void response.writeHead(201).write('{'), { timeoutMs: 50 })
    expect(await faultOf(half.send)).toBe('Error: the SMS carrier gave no answer: TimeoutError')
  })

  test('an SMS can be sent again after a failed connection', async () => {
    const gone = await carrierThat(() => {})
    await hangUp()
    expect(await faultOf(gone.send)).toBe('Error: the SMS carrier gave no answer: ECONNREFUSED')
  })

  test('a redirect from the SMS carrier is not followed, and the SMS can be sent again', async () => {
    const asked: unknown[] = []
    const { send } = await carrierThat((request, response) => {
      asked.push(request.url)
      response.writeHead(307, { location: '/elsewhere' }).end()
    })
    expect(await faultOf(send)).toMatch(/^Error: the SMS carrier gave no answer: /)
    expect(asked).toHaveLength(1)
  })

  test('if the API key cannot be sent in a header, the error does not contain the key', async () => {
    const { send } = await carrierThat((_request, response) => response.writeHead(201).end(), {
      access: accessBy({ kind: 'header', header: null, key: `${key}\nō` }),
    })
    expect(await faultOf(send)).toBe('Error: the SMS carrier gave no answer: ERR_INVALID_CHAR')
  })

  /**
   * Returns a failed SMS's error message as it would be logged, and checks that it contains neither the text, nor the number, nor the key.
   */
  async function faultOf(send: SmsSender['send']): Promise<string> {
    const error: unknown = await send(sms).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(Error)
    const whole = [error, (error as Error).cause, (error as Error).stack].map(String).join()
    for (const secret of [key, sms.to, '482911']) expect(whole).not.toContain(secret)
    return String(error)
  }
})
