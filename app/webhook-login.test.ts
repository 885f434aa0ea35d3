import fastify from 'fastify'
import { expect, test } from 'vitest'
import { buildNotificationBody } from '#simulators/gateway/notification.ts'
import { noCredentials } from '#kit/server/config/access.ts'
import { cardCallbackPath, serveCallbacks } from './callbacks.ts'

const hmacKey = 'AB'.repeat(32)
const card = { gateway: 'adyen', baseUrl: '', apiKey: '', merchantAccount: 'Ours', hmacKey, publicKey: '' }
const network = { baseUrl: '', callbackSecret: 'a-secret-of-the-network', access: noCredentials }

// A notification for a different merchant account is only logged and dropped, so this test needs nothing but a log.
const foreign = buildNotificationBody(
  {
    eventCode: 'CHARGEBACK',
    success: 'true',
    pspReference: 'D1',
    originalReference: '',
    merchantReference: 'their-order-17',
    merchantAccountCode: 'Another',
    amount: { value: 100, currency: 'NZD' },
    eventDate: '2026-11-23T00:00:00Z',
    reason: '',
    additionalData: {},
  },
  hmacKey,
)

async function ask(webhookLogin: { user: string; password: string } | null, authorization?: string) {
  const app = fastify()
  const lines: unknown[] = []
  const log = { info: (...line: unknown[]) => lines.push(line) }
  serveCallbacks(app, { log } as never, { card: { ...card, webhookLogin }, network })
  const headers = authorization === undefined ? {} : { authorization }
  const { statusCode } = await app.inject({ method: 'POST', url: cardCallbackPath, payload: foreign, headers })
  await app.close()
  return { statusCode, lines }
}

const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`
const login = { user: 'adyen', password: 'kō: rimako' }

test('a webhook request gets 401 without the configured user name and password', async () => {
  expect(await ask(login, basic('adyen:kō: rimako'))).toMatchObject({ statusCode: 200 })
  for (const wrong of [
    undefined,
    '',
    basic('adyen:'),
    basic('adyen:kō: rimak'),
    `Basic ${'x'.repeat(5_000)}`,
    'Bearer x',
  ])
    expect(await ask(login, wrong)).toEqual({ statusCode: 401, lines: [] })
})

test('if no webhook login is configured, webhook requests are accepted without credentials', async () => {
  expect(await ask(null)).toEqual({
    statusCode: 200,
    lines: [[{ items: 1 }, 'the gateway sent notifications for other merchant accounts']],
  })
})
