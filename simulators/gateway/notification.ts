import { createHmac, randomUUID } from 'node:crypto'
import type { Change, WebhookMode } from './state.ts'

export type EventCode = 'AUTHORISATION' | 'CAPTURE' | 'CANCELLATION' | 'REFUND' | 'TECHNICAL_CANCEL'

/** What a webhook says, in the vendor's words. */
export type NotificationItem = {
  eventCode: EventCode
  success: 'true' | 'false'
  /** Of the request that this is the outcome of: a modification has one of its own. */
  pspReference: string
  /** Of the payment that was modified; empty for an authorisation. */
  originalReference: string
  /** The merchant's reference of the payment, also for a modification. */
  merchantReference: string
  merchantAccountCode: string
  amount: { value: number; currency: string }
  eventDate: string
  reason: string
  additionalData: Record<string, string>
}

/** The rows that queue a webhook, as the mode wants them: none when it drops, two when it duplicates. */
export function queued(item: NotificationItem, mode: WebhookMode): Change[] {
  const copies = { normal: 1, hold: 1, duplicate: 2, reorder: 1, drop: 0 }[mode]
  return Array.from({ length: copies }, () => ({ table: 'webhooks', key: randomUUID(), row: { item, held: mode === 'hold' } }))
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
