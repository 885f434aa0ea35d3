import { formatPrice, decimalToCents } from '#kit/contract/money.ts'
import type { OrderView } from '#desk/features/orders/server/order-view.ts'
import { gatewayEventLabel } from '#features/orders/server/gateway.labels.ts'

export const formatWirePrice = (amount: string): string =>
  /^-?\d+\.\d{2}$/.test(amount) ? formatPrice(decimalToCents(amount)) : amount

const joinParts = (...parts: (string | null | false | undefined)[]): string => parts.filter(Boolean).join('  ')

const addLabel = (label: string, value: string | null): string | null => value && `${label} ${value}`

export function formatOrder(order: OrderView): string[] {
  return [
    joinParts(order.order_code, `${order.kind}, ${order.state}`, order.failure),
    joinParts(
      order.title,
      decimalToCents(order.amount) > 0 ? `${formatWirePrice(order.amount)} ${order.currency}` : 'paid with a voucher',
    ),
    `${order.full_name} (${order.email})  ${order.msisdn}`,
    joinParts(
      `placed ${order.created}`,
      addLabel('next attempt', order.next_try),
      order.tries > 0 && `${order.tries} attempts so far`,
    ),
    ...(order.given_up ? [`given up at ${order.given_up}`] : []),
    ...order.attempts.map(formatAttempt),
    ...order.operations.map((each) =>
      joinParts(
        `network ${each.kind} ${each.state}`,
        each.fault,
        each.external_id,
        each.created,
        addLabel('ended', each.ended),
      ),
    ),
    ...order.refunds.map((each) =>
      joinParts(
        `refund ${each.state}`,
        formatWirePrice(each.amount),
        each.created,
        each.reason,
        each.refusal,
        addLabel('next attempt', each.next_try),
      ),
    ),
    ...order.disputes.map((each) =>
      joinParts(
        `dispute ${each.state}`,
        formatWirePrice(each.amount),
        each.created,
        each.reason,
        each.psp_reference,
        each.outcome ? `closed as ${each.outcome} by ${each.closed_by}` : addLabel('due', each.due),
        each.note,
      ),
    ),
    ...order.tasks.map((each) => joinParts(`task ${each.id}`, each.reason, addLabel('due', each.due))),
    ...order.events.map(formatEvent),
    ...order.documents.map(
      ({ order_code, document_type, total_price, created }) =>
        `${document_type} ${order_code}  ${formatWirePrice(total_price)}  ${created}`,
    ),
    ...formatPossibleActions(order),
  ]
}

const formatAttempt = (each: OrderView['attempts'][number]): string =>
  joinParts(
    `payment ${each.state}`,
    formatWirePrice(each.amount),
    each.reference,
    each.card,
    each.refusal,
    each.created,
    addLabel('gateway', each.psp_reference),
    addLabel('captured', each.captured),
    addLabel('capture failed', each.capture_failed),
    addLabel('cancelled', each.cancelled),
  )

const formatEvent = (each: OrderView['events'][number]): string =>
  joinParts(
    each.at,
    each.from ? `${each.name}: ${each.from}${each.to ? ` → ${each.to}` : ''}` : joinParts(each.name, each.to),
    each.kind === 'notification' && gatewayEventLabel(each.name),
    each.subject,
    each.detail,
    each.actor,
    each.times > 1 && `${each.times} times, the last at ${each.last}`,
  )

function formatPossibleActions({
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
