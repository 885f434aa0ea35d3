import type { DemoMessage } from '#demo/mailbox.ts'
import { zone } from '#quality/support/auto-renewal.ts'
import { findFalseMessages } from './message-checks.ts'
import type { Household } from './household.ts'
import { formatMessage } from './format-messages.ts'

export async function findMessageFaults(house: Household): Promise<string[]> {
  const messages = [...house.messages.values()].toSorted((a, b) => Date.parse(a.sent_at) - Date.parse(b.sent_at))
  return [
    ...twice(messages).map((line) => `twice: ${line}`),
    ...messages.filter(isSentAtNight).map((message) => `at night: ${formatMessage(message, zone)}`),
    ...(await findFalseMessages(house, messages)),
  ]
}

/**
 * The minimum number of milliseconds between two identical messages. After that time, the message must be about a different plan, because
 * the shortest plan lasts a week.
 */
const minRepeatIntervalMs = 6 * 86_400_000

function twice(messages: readonly DemoMessage[]): string[] {
  const seen = new Map<string, number>()
  return messages.flatMap((message) => {
    const what = JSON.stringify([message.channel, message.to, message.subject, message.text])
    const at = Date.parse(message.sent_at)
    const previousSentAt = seen.get(what) ?? -Infinity
    seen.set(what, at)
    return at - previousSentAt < minRepeatIntervalMs ? [formatMessage(message, zone)] : []
  })
}

/** Returns whether a message was sent between 9 pm and 8 am, when only messages about used-up data are allowed. */
function isSentAtNight({ sent_at: at, text, subject }: DemoMessage): boolean {
  const { hour } = Temporal.Instant.from(at).toZonedDateTimeISO(zone)
  return (hour >= 21 || hour < 8) && !/is used up/.test(subject || text)
}

export async function findMoneyFaults({ world }: Household): Promise<string[]> {
  const has = new Map<string, number>()
  const add = (order: string, cents: number): void => void has.set(order, (has.get(order) ?? 0) + cents)
  for (const { reference, captured, refunded } of (await world.ledgers()).gateway)
    add(reference.split('-')[0] ?? '', captured - refunded)
  const documents = await world.db
    .selectFrom('invoices')
    .innerJoin('orders', 'orders.id', 'invoices.order_id')
    .select(['orders.order_code', 'total_cents'])
    .execute()
  for (const { order_code: order, total_cents: cents } of documents) add(order, -cents)
  return [...has]
    .filter(([, cents]) => cents !== 0)
    .map(([order, cents]) => `${order}: ${cents} cents not explained by any document`)
}
