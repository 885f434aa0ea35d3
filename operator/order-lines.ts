import { formatPrice, decimalToCents } from '#kit/contract/money.ts'
import type { OrderView } from '#desk/features/orders/server/order-view.ts'
import { gatewayEventLabel } from '#features/orders/server/gateway.labels.ts'

export const formatWirePrice = (amount: string): string =>
  /^-?\d+\.\d{2}$/.test(amount) ? formatPrice(decimalToCents(amount)) : amount

const joinParts = (...parts: (string | null | false | undefined)[]): string => parts.filter(Boolean).join('  ')

const withLabel = (label: string, value: string | null): string | null => value && `${label} ${value}`

export function orderLines(order: OrderView): string[] {
  return [
    joinParts(order.order_code, `${order.kind}, ${order.state}`, order.failure),
    joinParts(
      order.title,
      decimalToCents(order.amount) > 0 ? `${formatWirePrice(order.amount)} ${order.currency}` : 'paid with a voucher',
    ),
    `${order.full_name} (${order.email})  ${order.msisdn}`,
    joinParts(
      `placed ${order.created}`,
      withLabel('next attempt', order.next_try),
      order.tries > 0 && `${order.tries} attempts so far`,
    ),
    ...(order.given_up ? [`given up at ${order.given_up}`] : []),
    ...order.attempts.map(attemptLine),
    ...order.operations.map((each) =>
      joinParts(
        `network ${each.kind} ${each.state}`,
        each.fault,
        each.external_id,
        each.created,
        withLabel('ended', each.ended),
      ),
    ),
    ...order.refunds.map((each) =>
      joinParts(
        `refund ${each.state}`,
        formatWirePrice(each.amount),
        each.created,
        each.reason,
        each.refusal,
        withLabel('next attempt', each.next_try),
      ),
    ),
    ...order.disputes.map((each) =>
      joinParts(
        `dispute ${each.state}`,
        formatWirePrice(each.amount),
        each.created,
        each.reason,
        each.psp_reference,
        each.outcome ? `closed as ${each.outcome} by ${each.closed_by}` : withLabel('due', each.due),
        each.note,
      ),
    ),
    ...order.tasks.map((each) => joinParts(`task ${each.id}`, each.reason, withLabel('due', each.due))),
    ...order.events.map(eventLine),
    ...order.documents.map(
      ({ order_code, document_type, total_price, created }) =>
        `${document_type} ${order_code}  ${formatWirePrice(total_price)}  ${created}`,
    ),
    ...possibleActionLines(order),
  ]
}

const attemptLine = (each: OrderView['attempts'][number]): string =>
  joinParts(
    `payment ${each.state}`,
    formatWirePrice(each.amount),
    each.reference,
    each.card,
    each.refusal,
    each.created,
    withLabel('gateway', each.psp_reference),
    withLabel('captured', each.captured),
    withLabel('capture failed', each.capture_failed),
    withLabel('cancelled', each.cancelled),
  )

const eventLine = (each: OrderView['events'][number]): string =>
  joinParts(
    each.at,
    each.from ? `${each.name}: ${each.from}${each.to ? ` → ${each.to}` : ''}` : joinParts(each.name, each.to),
    each.kind === 'notification' && gatewayEventLabel(each.name),
    each.subject,
    each.detail,
    each.actor,
    each.times > 1 && `${each.times} times, the last at ${each.last}`,
  )

function possibleActionLines({
  order_code: code,
  refundable,
  refund_all_why,
  retry_why,
  cancel_why,
}: OrderView): string[] {
  const acts = [
    ...(retry_why === null ? [`orders retry ${code}`] : []),
    ...(cancel_why === null ? [`orders cancel ${code}`] : []),
    ...(refundable === null
      ? []
      : [`orders refund ${code} (${refund_all_why ? 'less than' : 'at most'} ${refundable})`]),
  ]
  return acts.length > 0 ? [`possible: ${acts.join(', ')}`] : []
}
