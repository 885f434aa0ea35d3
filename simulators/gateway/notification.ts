import { createHmac, randomUUID } from 'node:crypto'
import type { Change, NotificationItem, WebhookMode } from './state.ts'

/** The rows that queue a webhook, as the mode wants them: none when it drops, two when it duplicates. */
export function queued(item: NotificationItem, mode: WebhookMode): Change[] {
  const copies = { normal: 1, hold: 1, duplicate: 2, reorder: 1, drop: 0 }[mode]
  return Array.from({ length: copies }, () => ({
    table: 'webhooks',
    key: randomUUID(),
    row: { item, held: mode === 'hold' },
  }))
}

/** The body of the POST: one signed item. */
export function notificationBody(item: NotificationItem, hmacKey: string) {
  const additionalData = { ...item.additionalData, hmacSignature: signatureOf(item, hmacKey) }
  return { live: 'false', notificationItems: [{ NotificationRequestItem: { ...item, additionalData } }] }
}

/** HMAC-SHA256 in base64 over these fields, in this order and joined by colons; `hmacKey` is hex. */
export function signatureOf(item: NotificationItem, hmacKey: string): string {
  const signed = [
    item.pspReference,
    item.originalReference,
    item.merchantAccountCode,
    item.merchantReference,
    item.amount.value,
    item.amount.currency,
    item.eventCode,
    item.success,
  ]
  return createHmac('sha256', Buffer.from(hmacKey, 'hex')).update(signed.join(':')).digest('base64')
}
