import { createHmac, timingSafeEqual } from 'node:crypto'
import * as v from 'valibot'
import type { CardNotification } from './card.port.ts'

const text = v.pipe(
  v.optional(v.nullable(v.string()), ''),
  v.transform((value) => value ?? ''),
)

const item = v.object({
  eventCode: v.pipe(v.string(), v.nonEmpty()),
  // Text in JSON webhooks; a boolean in some of the vendor's examples.
  success: v.pipe(v.union([v.picklist(['true', 'false']), v.boolean()]), v.transform(String)),
  pspReference: text,
  originalReference: text,
  merchantReference: text,
  merchantAccountCode: v.string(),
  amount: v.optional(v.object({ value: v.optional(v.pipe(v.number(), v.safeInteger())), currency: text }), {}),
  reason: text,
  additionalData: v.object({ hmacSignature: v.string(), defensePeriodEndsAt: v.optional(v.unknown()) }),
})
type Item = v.InferOutput<typeof item>

const notification = v.object({
  notificationItems: v.pipe(v.array(v.object({ NotificationRequestItem: item })), v.minLength(1)),
})

type Signers = { hmacKey: string; hmacKeyPrevious?: string | null; merchantAccount: string }

/**
 * Reads the body of a webhook call. Null where it has another shape, or where any of its items is not signed
 * with `hmacKey` (hex) or the key before it, or is of another merchant account: then nothing of it may be believed.
 */
export function readNotifications(
  body: unknown,
  { hmacKey, hmacKeyPrevious, merchantAccount }: Signers,
): CardNotification[] | null {
  const parsed = v.safeParse(notification, body)
  if (!parsed.success) return null
  const keys = hmacKeyPrevious ? [hmacKey, hmacKeyPrevious] : [hmacKey]
  const items = parsed.output.notificationItems.map((entry) => entry.NotificationRequestItem)
  const areOurs = items.every(
    (item) => item.merchantAccountCode === merchantAccount && keys.some((key) => isSigned(item, key)),
  )
  return areOurs ? items.map(present) : null
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
  eventCode: item.eventCode,
  success: item.success === 'true',
  pspReference: item.pspReference,
  originalReference: item.originalReference,
  merchantReference: item.merchantReference,
  amount: item.amount.value ?? 0,
  currency: item.amount.currency,
  reason: item.reason,
  dueAt: instantOf(item.additionalData.defensePeriodEndsAt),
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
