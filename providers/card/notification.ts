import { createHmac, timingSafeEqual } from 'node:crypto'
import * as v from 'valibot'
import { readCardDetails, readText } from './card-details.ts'
import type { CardNotification } from './card.port.ts'

const maxTextLength = 300

const text = v.pipe(
  v.optional(v.nullable(v.pipe(v.string(), v.maxLength(maxTextLength))), ''),
  v.transform((value) => value ?? ''),
)

const longTextSchema = v.pipe(
  v.optional(v.nullable(v.string()), ''),
  v.transform((value) => (value ?? '').slice(0, 2_000)),
)

const item = v.object({
  eventCode: v.pipe(v.string(), v.nonEmpty(), v.maxLength(80)),
  // `success` is a string in JSON webhooks, but a boolean in some of Adyen's examples.
  success: v.pipe(v.union([v.pipe(v.string(), v.maxLength(80)), v.boolean()]), v.transform(String)),
  pspReference: text,
  originalReference: text,
  merchantReference: text,
  merchantAccountCode: v.pipe(v.string(), v.maxLength(maxTextLength)),
  amount: v.optional(v.object({ value: v.optional(v.pipe(v.number(), v.safeInteger())), currency: text }), {}),
  reason: longTextSchema,
  additionalData: v.looseObject({
    hmacSignature: v.pipe(v.string(), v.maxLength(100)),
    defensePeriodEndsAt: v.optional(v.unknown()),
  }),
})
type NotificationItem = v.InferOutput<typeof item>

const notificationSchema = v.object({
  notificationItems: v.pipe(v.array(v.object({ NotificationRequestItem: item })), v.minLength(1), v.maxLength(100)),
})

type WebhookKeys = { hmacKey: string; hmacKeyPrevious?: string | null; merchantAccount: string }

export type ParsedWebhook = { ours: CardNotification[]; ignored: number }

/**
 * Reads the body of a webhook request. Returns `null` if the body has a different shape or any item lacks a valid signature, because none
 * of the items can then be trusted. An item may be signed with `hmacKey` (hex) or with the previous key. A company has one webhook endpoint
 * and one key for all its merchant accounts. Other accounts' items are left out, but must also be signed.
 */
export function readNotifications(
  body: unknown,
  { hmacKey, hmacKeyPrevious, merchantAccount }: WebhookKeys,
): ParsedWebhook | null {
  const parsed = v.safeParse(notificationSchema, body)
  if (!parsed.success) return null
  const keys = hmacKeyPrevious ? [hmacKey, hmacKeyPrevious] : [hmacKey]
  const items = parsed.output.notificationItems.map((entry) => entry.NotificationRequestItem)
  if (!items.every((item) => keys.some((key) => hasValidSignature(item, key)))) return null
  const ours = items.filter((item) => item.merchantAccountCode === merchantAccount)
  return { ours: ours.map(toCardNotification), ignored: items.length - ours.length }
}

function hasValidSignature(item: NotificationItem, hmacKey: string): boolean {
  const signedFields = [
    item.pspReference,
    item.originalReference,
    item.merchantAccountCode,
    item.merchantReference,
    item.amount.value ?? '',
    item.amount.currency,
    item.eventCode,
    item.success,
  ]
  const expectedSignature = createHmac('sha256', Buffer.from(hmacKey, 'hex')).update(signedFields.join(':')).digest()
  const givenSignature = Buffer.from(item.additionalData.hmacSignature, 'base64')
  return givenSignature.length === expectedSignature.length && timingSafeEqual(givenSignature, expectedSignature)
}

const toCardNotification = (item: NotificationItem): CardNotification => ({
  /*
   * If `success` is neither `true` nor `false`, the event code is replaced with one that Fantail does not know, so that staff review the
   * event.
   */
  eventCode: ['true', 'false'].includes(item.success) ? item.eventCode : `${item.eventCode} (success: ${item.success})`,
  success: item.success === 'true',
  pspReference: item.pspReference,
  originalReference: item.originalReference,
  merchantReference: item.merchantReference,
  amount: item.amount.value ?? 0,
  currency: item.amount.currency,
  reason: item.reason,
  dueAt: parseInstant(item.additionalData.defensePeriodEndsAt),
  card: {
    ...readCardDetails(item.additionalData),
    shopperReference: readText(item.additionalData['recurring.shopperReference']),
  },
})

function parseInstant(text: unknown): Temporal.Instant | null {
  if (typeof text !== 'string' || text.length > 40) return null
  try {
    return Temporal.Instant.from(text)
  } catch {
    return null
  }
}
