import { formatPrice, fromWire } from '#kit/contract/money.ts'
import type { OrderView } from '#app/operator/orders.routes.ts'
import type { RefundOutcome } from '#features/refunds/server/refunds.ts'
import { call } from '../call.ts'
import { type Command, type CommandDesk, exits, type Given, isSure, refuse, show } from '../command.ts'

export const orderCommands: Command[] = [
  {
    usage: 'orders show ORDER',
    says: 'what an order is, how it stands, and its documents',
    run: (desk, { names: [code = ''] }) => showOrder(desk, code),
  },
  {
    usage: 'orders refund ORDER',
    says: 'give its money back, all that is left or --amount 5.00 of it; asks first, unless told --yes',
    options: { amount: { type: 'string' }, reason: { type: 'string' } },
    run: (desk, { names: [code = ''], options }) => refundOrder(desk, code, options),
  },
]

async function showOrder(desk: CommandDesk, code: string): Promise<number> {
  const answer = await call(desk.caller, 'GET', `/orders/${code}`)
  if (answer.status !== 200) return refuse(desk, answer)
  return show(desk, answer.body, linesOf(answer.body as OrderView))
}

async function refundOrder(desk: CommandDesk, code: string, { amount, reason }: Given['options']): Promise<number> {
  const found = await call(desk.caller, 'GET', `/orders/${code}`)
  if (found.status !== 200) return refuse(desk, found)
  const order = found.body as OrderView
  if (order.refundable === null) return refuse(desk, { status: 409, body: { why: order.refund_why } })
  // What is asked about is what is given, whatever has happened meanwhile.
  const wanted = typeof amount === 'string' ? amount : order.refundable
  const sum = `${priceOf(wanted)} ${order.currency}`
  const question = `Give ${sum} back to ${order.full_name} (${order.email}) for ${order.order_code}, ${order.title}?`
  if (!(await isSure(desk, [...givenLines(order), question].join(' ')))) return exits.refused
  const json = { amount: wanted, ...(typeof reason === 'string' && { reason }) }
  const answer = await call(desk.caller, 'POST', `/orders/${code}/refund`, { json })
  if (answer.status !== 200) return refuse(desk, answer)
  const refund = answer.body as RefundOutcome
  if (refund.outcome === 'received')
    return show(desk, refund, [`Refunded ${sum}. The credit note ${refund.creditCode} is on its way to the customer.`])
  if (refund.outcome === 'unknown') {
    show(desk, refund, ['The gateway has not answered. The product asks on by itself, and gives the money back once.'])
    return exits.unknown
  }
  const why = `The gateway refused: ${refund.outcome === 'refused' ? refund.code : refund.why}`
  return refuse(desk, { status: answer.status, body: { why } })
}

/** Whoever gives back again what they have given already is told so before. */
const givenLines = ({ refunds, currency }: OrderView): string[] =>
  refunds
    .filter(({ state }) => state !== 'refused')
    .map(({ amount, state, created }) => `${priceOf(amount)} ${currency} was refunded at ${created} (${state}).`)

/** An amount as it was typed is shown as it was typed when it is none. */
const priceOf = (amount: string): string => (/^-?\d+\.\d{2}$/.test(amount) ? formatPrice(fromWire(amount)) : amount)

function linesOf(order: OrderView): string[] {
  const amount = fromWire(order.amount)
  return [
    `${order.order_code}  ${order.kind}, ${order.state}`,
    `${order.title}  ${amount > 0 ? `${formatPrice(amount)} ${order.currency}` : 'paid with a voucher'}`,
    `${order.full_name} (${order.email})  ${order.msisdn}`,
    `made ${order.created}`,
    ...order.refunds.map(
      ({ state, amount, created, reason, refusal, next_try }) =>
        `refund ${state}  ${priceOf(amount)}  ${created}` +
        [reason, refusal, next_try && `next try ${next_try}`].map((each) => (each ? `  ${each}` : '')).join(''),
    ),
    ...order.documents.map(
      ({ order_code, document_type, total_price, created }) =>
        `${document_type} ${order_code}  ${formatPrice(fromWire(total_price))}  ${created}`,
    ),
  ]
}
