import { maskName } from '#kit/server/masks.ts'
import { maxResponseLength } from '#features/messages/server/provider-response.ts'
import type { DomainRow, DomainStatistics, MessageList, MessageRow, SendingTimes } from '../messages.contract.ts'
import { type DomainCount, type MeasuredSendingTimes, maxCountedMessages } from './domains.view.ts'
import { messageTypeLabel } from './message-types.ts'
import type { ListedMessage } from './messages.view.ts'

/** Returns one row of the message list. The customer's name is masked, and their address never leaves the server. */
export const presentMessage = (
  message: ListedMessage,
  { of, isComposedAgain }: { of: MessageList; isComposedAgain(kind: string): boolean },
): MessageRow => ({
  id: message.id,
  channel: message.channel,
  what: messageTypeLabel(message.kind),
  at: message.at.toISOString(),
  domain: message.domain,
  customer: { id: message.customer_id, name: customerName(message) },
  answer: message.answer?.slice(0, maxResponseLength) || null,
  // In the database, `tries` does not include the attempt at which the message was refused.
  tries: of === 'refused' ? message.tries + 1 : message.tries,
  next_try: message.retry_at?.toISOString() ?? null,
  is_reached: message.is_reached,
  may_again:
    of === 'refused' &&
    message.customer_id !== null &&
    !message.erased_at &&
    (message.is_copyable || isComposedAgain(message.kind ?? '')),
})

function customerName({
  customer_id: id,
  first_name: first,
  last_name: last,
  erased_at: erased,
}: ListedMessage): string {
  if (id === null) return 'Unknown customer'
  return erased ? 'Erased customer' : maskName({ first: first ?? '', last: last ?? '' })
}

const maxDomains = 20

type DomainCounts = {
  refused: readonly DomainCount[]
  stuck: readonly DomainCount[]
  paces: readonly MeasuredSendingTimes[]
  now: number
}

export function presentDomains({ refused, stuck, paces, now }: DomainCounts): DomainStatistics {
  const names = [...new Set([...stuck, ...refused].map(({ domain }) => domain))]
  const rows = names.map((domain): DomainRow => {
    const stuckDomainCount = findDomainCount(stuck, domain)
    const pace = paces.find((each) => !each.isWhole && each.domain === domain)
    return {
      domain,
      refused: findDomainCount(refused, domain)?.count ?? 0,
      stuck: stuckDomainCount?.count ?? 0,
      oldest_seconds: stuckDomainCount?.oldest
        ? Math.max(0, Math.round((now - stuckDomainCount.oldest.getTime()) / 1_000))
        : null,
      pace: presentSendingTimes(pace),
    }
  })
  const worst = rows.toSorted((one, other) => other.refused + other.stuck - one.refused - one.stuck)
  return {
    most_counted: maxCountedMessages,
    refused: sumOf(refused),
    stuck: sumOf(stuck),
    mails: presentSendingTimes(paces.find(({ channel, isWhole }) => isWhole && channel === 'email')),
    texts: presentSendingTimes(paces.find(({ channel, isWhole }) => isWhole && channel === 'sms')),
    domains: worst.slice(0, maxDomains),
    others: Math.max(0, worst.length - maxDomains),
  }
}

const findDomainCount = (counts: readonly DomainCount[], domain: string | null) =>
  counts.find((each) => each.domain === domain)
const sumOf = (counts: readonly DomainCount[]): number => counts.reduce((sum, { count }) => sum + count, 0)

const roundToTenth = (seconds: number): number => Math.round(seconds * 10) / 10
const presentSendingTimes = (pace: MeasuredSendingTimes | undefined): SendingTimes | null =>
  pace ? { sent: pace.sent, half_seconds: roundToTenth(pace.half), most_seconds: roundToTenth(pace.most) } : null
