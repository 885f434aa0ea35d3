import { createHmac, randomUUID } from 'node:crypto'
import type { TableChange, NotificationItem, QueuedWebhook, WebhookMode } from './state.ts'

export function buildWebhookChanges(webhook: Omit<QueuedWebhook, 'held'>, mode: WebhookMode): TableChange[] {
  const copyCount = { normal: 1, hold: 1, duplicate: 2, reorder: 1, drop: 0 }[mode]
  return Array.from({ length: copyCount }, () => ({
    table: 'webhooks',
    key: randomUUID(),
    row: { ...webhook, held: mode === 'hold' },
  }))
}

export const buildNotificationBody = (item: NotificationItem, hmacKey: string) => buildWebhookBody({ item }, hmacKey)

export const buildWebhookBody = (
  { item, beside = [], unsigned = false }: Omit<QueuedWebhook, 'held'>,
  hmacKey: string,
) => ({
  live: 'false',
  notificationItems: [item, ...beside].map((each) => ({
    NotificationRequestItem: unsigned ? each : signItem(each, hmacKey),
  })),
})

const signItem = (item: NotificationItem, hmacKey: string): NotificationItem => ({
  ...item,
  additionalData: { ...item.additionalData, hmacSignature: computeSignature(item, hmacKey) },
})

/**
 * Signs a notification with HMAC-SHA256 and returns the signature in base64. The signed text consists of the listed fields, joined by
 * colons. `hmacKey` is in hex.
 */
export function computeSignature(item: NotificationItem, hmacKey: string): string {
  const signedFields = [
    item.pspReference,
    item.originalReference,
    item.merchantAccountCode,
    item.merchantReference,
    item.amount.value,
    item.amount.currency,
    item.eventCode,
    item.success,
  ]
  return createHmac('sha256', Buffer.from(hmacKey, 'hex')).update(signedFields.join(':')).digest('base64')
}
