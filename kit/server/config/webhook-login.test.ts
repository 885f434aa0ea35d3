import { expect, test } from 'vitest'
import { readWebhookLogin } from './webhook-login.ts'

const read = (env: Record<string, string>) => {
  const faults: string[] = []
  return [readWebhookLogin(env, (line) => faults.push(line)), faults]
}

test('the webhook user name and password must be set together', () => {
  expect(read({})).toEqual([null, []])
  expect(read({ CARD_WEBHOOK_USER: 'adyen', CARD_WEBHOOK_PASSWORD: 'a: b' })).toEqual([
    { user: 'adyen', password: 'a: b' },
    [],
  ])
  expect(read({ CARD_WEBHOOK_USER: 'adyen' })[1]).toEqual([
    'CARD_WEBHOOK_PASSWORD is missing: set it together with CARD_WEBHOOK_USER.',
  ])
  expect(read({ CARD_WEBHOOK_PASSWORD: 'secret' })[1]).toEqual([
    'CARD_WEBHOOK_USER is missing: set it together with CARD_WEBHOOK_PASSWORD.',
  ])
  expect(read({ CARD_WEBHOOK_USER: 'a:b', CARD_WEBHOOK_PASSWORD: 'c' })[1]).toEqual([
    'CARD_WEBHOOK_USER must not contain a colon.',
  ])
})
