import { createHmac, timingSafeEqual } from 'node:crypto'
import * as v from 'valibot'
import { detailsOf, textIn } from './card-details.ts'
import type { CardNotification } from './card.port.ts'

const longestText = 300

const text = v.pipe(
  v.optional(v.nullable(v.pipe(v.string(), v.maxLength(longestText))), ''),
  v.transform((value) => value ?? ''),
)

const longText = v.pipe(
  v.optional(v.nullable(v.string()), ''),
  v.transform((value) => (value ?? '').slice(0, 2_000)),
)

const item = v.object({
  eventCode: v.pipe(v.string(), v.nonEmpty(), v.maxLength(80)),
  // Text in JSON webhooks, but a boolean in some of Adyen's examples.
  success: v.pipe(v.union([v.pipe(v.string(), v.maxLength(80)), v.boolean()]), v.transform(String)),
  pspReference: text,
  originalReference: text,
  merchantReference: text,
  merchantAccountCode: v.pipe(v.string(), v.maxLength(longestText)),
  amount: v.optional(v.object({ value: v.optional(v.pipe(v.number(), v.safeInteger())), currency: text }), {}),
  reason: longText,
  additionalData: v.looseObject({
    hmacSignature: v.pipe(v.string(), v.maxLength(100)),
    defensePeriodEndsAt: v.optional(v.unknown()),
  }),
})
type Item = v.InferOutput<typeof item>

const notification = v.object({
  notificationItems: v.pipe(v.array(v.object({ NotificationRequestItem: item })), v.minLength(1), v.maxLength(100)),
})

type Signers = { hmacKey: string; hmacKeyPrevious?: string | null; merchantAccount: string }

export type ReadNotifications = { ours: CardNotification[]; ignored: number }

/**
 * Reads the body of a webhook request.
 * Returns `null` if the body has another shape, or if any item lacks a valid signature. None of the items can be trusted then.
 * An item may be signed with `hmacKey` (hex) or with the previous key.
 * A company's webhook is one endpoint with one key, and covers all its merchant accounts.
 * Items of other accounts are left out, but must be signed too.
 */
export function readNotifications(
  body: unknown,
  { hmacKey, hmacKeyPrevious, merchantAccount }: Signers,
): ReadNotifications | null {
  const parsed = v.safeParse(notification, body)
  if (!parsed.success) return null
  const keys = hmacKeyPrevious ? [hmacKey, hmacKeyPrevious] : [hmacKey]
  const items = parsed.output.notificationItems.map((entry) => entry.NotificationRequestItem)
  if (!items.every((item) => keys.some((key) => isSigned(item, key)))) return null
  const ours = items.filter((item) => item.merchantAccountCode === merchantAccount)
  return { ours: ours.map(present), ignored: items.length - ours.length }
}

function isSigned(item: Item, hmacKey: string): boolean {
  const signed = [
    item.pspReference,
    item.originalReference,
    item.merchantAccountCode,
    item.merchantReference,
    item.amount.value ?? '',
    item.amount.currency,
    item.eventCode,
    item.success,
  ]
  const expected = createHmac('sha256', Buffer.from(hmacKey, 'hex')).update(signed.join(':')).digest()
  const given = Buffer.from(item.additionalData.hmacSignature, 'base64')
  return given.length === expected.length && timingSafeEqual(given, expected)
}

const present = (item: Item): CardNotification => ({
  // For any value other than `true` or `false`, the event code becomes one that the product does not know. Staff then review the event.
  eventCode: ['true', 'false'].includes(item.success) ? item.eventCode : `${item.eventCode} (success: ${item.success})`,
  success: item.success === 'true',
  pspReference: item.pspReference,
  originalReference: item.originalReference,
  merchantReference: item.merchantReference,
  amount: item.amount.value ?? 0,
  currency: item.amount.currency,
  reason: item.reason,
  dueAt: instantOf(item.additionalData.defensePeriodEndsAt),
  card: {
    ...detailsOf(item.additionalData),
    shopperReference: textIn(item.additionalData['recurring.shopperReference']),
  },
})

function instantOf(text: unknown): Temporal.Instant | null {
  if (typeof text !== 'string' || text.length > 40) return null
  try {
    return Temporal.Instant.from(text)
  } catch {
    return null
  }
}
