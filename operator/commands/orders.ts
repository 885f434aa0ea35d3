import { formatPrice, fromWire } from '#kit/contract/money.ts'
import type { OrderView } from '#app/operator/orders.routes.ts'
import type { RefundOutcome } from '#features/refunds/server/refunds.ts'
import { call } from '../call.ts'
import { type Command, type CommandDesk, exits, isSure, refuse, show } from '../command.ts'

export const orderCommands: Command[] = [
  {
    usage: 'orders show ORDER',
    says: 'what an order is, how it stands, and its documents',
    run: (desk, { names: [code = ''] }) => showOrder(desk, code),
  },
  {
    usage: 'orders refund ORDER',
    says: 'give all its money back; asks first, unless told --yes',
    run: (desk, { names: [code = ''] }) => refundOrder(desk, code),
  },
]

async function showOrder(desk: CommandDesk, code: string): Promise<number> {
  const answer = await call(desk.caller, 'GET', `/orders/${code}`)
  if (answer.status !== 200) return refuse(desk, answer)
  return show(desk, answer.body, linesOf(answer.body as OrderView))
}

async function refundOrder(desk: CommandDesk, code: string): Promise<number> {
  const found = await call(desk.caller, 'GET', `/orders/${code}`)
  if (found.status !== 200) return refuse(desk, found)
  const order = found.body as OrderView
  const amount = `${formatPrice(fromWire(order.amount))} ${order.currency}`
  const question = `Give ${amount} back to ${order.full_name} (${order.email}) for ${order.order_code}, ${order.title}?`
  if (!(await isSure(desk, question))) return exits.refused
  const answer = await call(desk.caller, 'POST', `/orders/${code}/refund`)
  if (answer.status !== 200) return refuse(desk, answer)
  const refund = answer.body as RefundOutcome
  if (refund.outcome === 'received')
    return show(desk, refund, [
      `Refunded ${amount}. The credit note ${refund.creditCode} is on its way to the customer.`,
    ])
  if (refund.outcome === 'unknown') {
    show(desk, refund, ['The gateway has not answered. The product asks on by itself, and gives the money back once.'])
    return exits.unknown
  }
  const why = `The gateway refused: ${refund.outcome === 'refused' ? refund.code : refund.why}`
  return refuse(desk, { status: answer.status, body: { why } })
}

function linesOf(order: OrderView): string[] {
  const amount = fromWire(order.amount)
  return [
    `${order.order_code}  ${order.kind}, ${order.state}`,
    `${order.title}  ${amount > 0 ? `${formatPrice(amount)} ${order.currency}` : 'paid with a voucher'}`,
    `${order.full_name} (${order.email})  ${order.msisdn}`,
    `made ${order.created}`,
    ...(order.refund ? [`refund ${order.refund}`] : []),
    ...order.documents.map(
      ({ order_code, document_type, total_price, created }) =>
        `${document_type} ${order_code}  ${formatPrice(fromWire(total_price))}  ${created}`,
    ),
  ]
}
