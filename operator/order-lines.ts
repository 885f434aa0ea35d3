import { formatPrice, fromWire } from '#kit/contract/money.ts'
import type { OrderView } from '#desk/features/orders/server/order-view.ts'
import { wordsOf } from '#features/orders/server/gateway-words.present.ts'

export const priceOf = (amount: string): string =>
  /^-?\d+\.\d{2}$/.test(amount) ? formatPrice(fromWire(amount)) : amount

const line = (...parts: (string | null | false | undefined)[]): string => parts.filter(Boolean).join('  ')

const after = (word: string, what: string | null): string | null => what && `${word} ${what}`

export function linesOfOrder(order: OrderView): string[] {
  return [
    line(order.order_code, `${order.kind}, ${order.state}`, order.failure),
    line(
      order.title,
      fromWire(order.amount) > 0 ? `${priceOf(order.amount)} ${order.currency}` : 'paid with a voucher',
    ),
    `${order.full_name} (${order.email})  ${order.msisdn}`,
    line(
      `placed ${order.created}`,
      after('next attempt', order.next_try),
      order.tries > 0 && `${order.tries} attempts so far`,
    ),
    ...(order.given_up ? [`given up at ${order.given_up}`] : []),
    ...order.attempts.map(linesOfAttempt),
    ...order.operations.map((each) =>
      line(
        `network ${each.kind} ${each.state}`,
        each.fault,
        each.external_id,
        each.created,
        after('ended', each.ended),
      ),
    ),
    ...order.refunds.map((each) =>
      line(
        `refund ${each.state}`,
        priceOf(each.amount),
        each.created,
        each.reason,
        each.refusal,
        after('next attempt', each.next_try),
      ),
    ),
    ...order.disputes.map((each) =>
      line(
        `dispute ${each.state}`,
        priceOf(each.amount),
        each.created,
        each.reason,
        each.psp_reference,
        each.outcome ? `closed as ${each.outcome} by ${each.closed_by}` : after('due', each.due),
        each.note,
      ),
    ),
    ...order.tasks.map((each) => line(`task ${each.id}`, each.reason, after('due', each.due))),
    ...order.events.map(lineOfEvent),
    ...order.documents.map(
      ({ order_code, document_type, total_price, created }) =>
        `${document_type} ${order_code}  ${priceOf(total_price)}  ${created}`,
    ),
    ...linesOfActs(order),
  ]
}

const linesOfAttempt = (each: OrderView['attempts'][number]): string =>
  line(
    `payment ${each.state}`,
    priceOf(each.amount),
    each.reference,
    each.card,
    each.refusal,
    each.created,
    after('gateway', each.psp_reference),
    after('captured', each.captured),
    after('capture failed', each.capture_failed),
    after('cancelled', each.cancelled),
  )

const lineOfEvent = (each: OrderView['events'][number]): string =>
  line(
    each.at,
    each.from ? `${each.name}: ${each.from}${each.to ? ` → ${each.to}` : ''}` : line(each.name, each.to),
    each.kind === 'notification' && wordsOf(each.name),
    each.subject,
    each.detail,
    each.actor,
    each.times > 1 && `${each.times} times, the last at ${each.last}`,
  )

function linesOfActs({ order_code: code, refundable, refund_all_why, retry_why, cancel_why }: OrderView): string[] {
  const acts = [
    ...(retry_why === null ? [`orders retry ${code}`] : []),
    ...(cancel_why === null ? [`orders cancel ${code}`] : []),
    ...(refundable === null
      ? []
      : [`orders refund ${code} (${refund_all_why ? 'less than' : 'at most'} ${refundable})`]),
  ]
  return acts.length > 0 ? [`possible: ${acts.join(', ')}`] : []
}
