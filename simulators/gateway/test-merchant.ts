import { constants, createCipheriv, createPublicKey, publicEncrypt, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { vi } from 'vitest'
import type { NotificationItem } from './state.ts'

export const testCard = {
  number: '4111 1111 1111 1111',
  cvc: '737',
  holderName: 'Aroha Ngata',
  expiryMonth: '03',
  expiryYear: '2035',
}

export function encryptForGateway(publicKey: string, plaintext: string | Buffer): string {
  const padToEvenLength = (hex: string) => hex.padStart(hex.length + (hex.length % 2), '0')
  const [e, n] = publicKey.split('|').map((hex) => Buffer.from(padToEvenLength(hex), 'hex').toString('base64url'))
  const key = createPublicKey({ key: { kty: 'RSA', e, n }, format: 'jwk' })
  const aesKey = randomBytes(32)
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-ccm', aesKey, nonce, { authTagLength: 8 })
  const ciphertext = cipher.update(plaintext)
  cipher.final()
  const wrappedKey = publicEncrypt({ key, padding: constants.RSA_PKCS1_PADDING }, aesKey)
  const sealedMessage = Buffer.concat([nonce, ciphertext, cipher.getAuthTag()])
  return `adyenjs_0_1_18$${wrappedKey.toString('base64')}$${sealedMessage.toString('base64')}`
}

/** Encrypts a valid test card. `changes` replaces individual fields; setting a field to `undefined` leaves it out. */
export const encryptTestCard = (publicKey: string, changes: Record<string, unknown> = {}): string =>
  encryptForGateway(
    publicKey,
    JSON.stringify({ ...testCard, generationtime: Temporal.Now.instant().toString(), ...changes }),
  )

type SignedItem = NotificationItem & { additionalData: { hmacSignature: string } }

type Body = { notificationItems: { NotificationRequestItem: SignedItem }[] }

export type WebhookInbox = {
  url: string
  items: SignedItem[]
  bodies: unknown[]
  answer: { status: number; text: string }
  waitFor(count: number): Promise<SignedItem[]>
  close(): Promise<void>
}

export async function startWebhookInbox(): Promise<WebhookInbox> {
  const items: SignedItem[] = []
  const bodies: unknown[] = []
  const answer = { status: 200, text: '[accepted]' }
  const server = createServer(async (request, response) => {
    const body = JSON.parse(Buffer.concat(await request.toArray()).toString()) as Body
    bodies.push(body)
    items.push(...body.notificationItems.map((entry) => entry.NotificationRequestItem))
    response.writeHead(answer.status).end(answer.text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/webhooks`,
    items,
    bodies,
    answer,
    waitFor: (count) =>
      vi.waitFor(() => {
        if (items.length < count) throw new Error(`only ${items.length} of ${count} webhooks came`)
        return items
      }, 30_000),
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
