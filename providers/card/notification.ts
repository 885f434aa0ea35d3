import { createHmac, timingSafeEqual } from 'node:crypto'
import * as v from 'valibot'
import { detailsOf, textIn } from './card-details.ts'
import type { CardNotification } from './card.port.ts'

/** No reference of the gateway's, and none of ours, is as long. */
const longestText = 300

const text = v.pipe(
  v.optional(v.nullable(v.pipe(v.string(), v.maxLength(longestText))), ''),
  v.transform((value) => value ?? ''),
)

/** For people only: as much of it as anybody reads. */
const longText = v.pipe(
  v.optional(v.nullable(v.string()), ''),
  v.transform((value) => (value ?? '').slice(0, 2_000)),
)

const item = v.object({
  eventCode: v.pipe(v.string(), v.nonEmpty(), v.maxLength(80)),
  // Text in JSON webhooks; a boolean in some of the vendor's examples.
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

/** What a call told of our merchant account, and how many of its items were of others. */
export type ReadNotifications = { ours: CardNotification[]; ignored: number }

/**
 * Reads the body of a webhook call. Null where it has another shape, or where any of its items is not signed with `hmacKey` (hex) or
 * the key before it: then nothing of it may be believed. A company's webhook is one endpoint with one key, and tells of all its
 * merchant accounts: items of others are left out, but have to be signed as well.
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
  // Any other word than these two makes it an event that the product does not know, which a person looks at.
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

/** ISO 8601 with an offset, as the vendor writes it; null for anything else. */
function instantOf(text: unknown): Temporal.Instant | null {
  if (typeof text !== 'string' || text.length > 40) return null
  try {
    return Temporal.Instant.from(text)
  } catch {
    return null
  }
}
