import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import { startGatewaySimulator } from './server.ts'
import type { GatewayOptions, GatewaySimulator } from './server.ts'
import { encryptTestCard, startWebhookInbox } from './test-merchant.ts'
import type { WebhookInbox } from './test-merchant.ts'

export type Answer = {
  status: number
  headers: Headers
  body: Record<string, unknown> & { pspReference: string; additionalData: Record<string, string> }
}

const options = {
  port: 0,
  apiKey: 'key',
  merchantAccount: 'FantailNZ',
  hmacKey: 'AB'.repeat(32),
  pendingDelayMs: 50,
  webhookRetryDelaysMs: [10, 10, 10, 10, 10],
}

export function setUpTestGateway() {
  let dataDir: string
  let gateway: GatewaySimulator
  let inbox: WebhookInbox

  const open = (changes: Partial<GatewayOptions> = {}) =>
    startGatewaySimulator({ ...options, dataDir, webhookUrl: inbox.url, ...changes })

  beforeEach(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'gateway-'))
    inbox = await startWebhookInbox()
    gateway = await open()
  })

  afterEach(async () => {
    await gateway.close()
    await inbox.close()
    rmSync(dataDir, { recursive: true })
  })

  return {
    get dataDir() {
      return dataDir
    },
    get gateway() {
      return gateway
    },
    get inbox() {
      return inbox
    },
    ...createTestClient(() => gateway),
    restart: async (changes: Partial<GatewayOptions> = {}) => {
      await gateway.close()
      gateway = await open(changes)
    },
  }
}

function createTestClient(gateway: () => GatewaySimulator) {
  const post = async (
    operation: string,
    body: object | string,
    headers: Record<string, string> = {},
  ): Promise<Answer> => {
    const api = operation === 'disable' ? 'Recurring' : 'Payment'
    const answer = await fetch(`${gateway().url}/pal/servlet/${api}/v68/${operation}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': options.apiKey, ...headers },
      body: typeof body === 'string' ? body : JSON.stringify({ merchantAccount: options.merchantAccount, ...body }),
    })
    return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Answer['body'] }
  }
  return {
    post,
    authorise: (changes: object = {}, card: Record<string, unknown> = {}, headers: Record<string, string> = {}) => {
      const payment = {
        reference: 'ORDER-1',
        amount: { currency: 'NZD', value: 3990 },
        shopperReference: 'shopper-1',
        additionalData: { 'card.encrypted.json': encryptTestCard(gateway().publicKey, card) },
      }
      return post('authorise', { ...payment, ...changes }, headers)
    },
    /** Sends a request to the simulator's controls. @throws unless the response status is 2xx */
    control: async (method: string, path: string, body?: unknown): Promise<unknown> => {
      const answer = await fetch(`${gateway().url}/_simulator/${path}`, {
        method,
        headers: body === undefined ? {} : { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      const text = await answer.text()
      if (!answer.ok) throw new Error(`${answer.status} ${text}`)
      return text === '' ? null : JSON.parse(text)
    },
  }
}

export const idempotencyKeyHeader = (key: string): Record<string, string> => ({ 'idempotency-key': key })

export const createModificationAmount = (value: number, currency = 'NZD') => ({
  modificationAmount: { value, currency },
})
