import { formatPrice, fromWire } from '#kit/contract/money.ts'
import type { OrderView } from '#desk/features/orders/server/order-view.ts'
import type { RefundOutcome } from '#features/refunds/server/refunds.ts'
import { type Answer, call } from '../call.ts'
import { callAndShow, type Command, type CommandDesk, exits, type Given, isSure, refuse, show } from '../command.ts'
import { linesOfOrder, priceOf } from '../order-lines.ts'

export const orderCommands: Command[] = [
  {
    usage: 'orders show ORDER',
    says: 'show an order: payment, network operations, refunds, history, documents and possible actions',
    run: (desk, { names: [code = ''] }) => callAndShow(desk, ['GET', `/orders/${code}`], linesOfOrder),
  },
  {
    usage: 'orders retry ORDER',
    look: 'orders show ORDER',
    says: 'retry a held or waiting order now',
    run: (desk, { names: [code = ''] }) =>
      callAndShow(desk, ['POST', `/orders/${code}/retry`], () => [
        `The order is being tried again. To see the result: npm run operator -- orders show ${code}`,
      ]),
  },
  {
    usage: 'orders cancel ORDER',
    look: 'orders show ORDER',
    says: 'cancel an order before delivery, or a next plan; lists what is undone and asks for confirmation, unless --yes is given',
    run: (desk, { names: [code = ''] }) => cancelOrder(desk, code),
  },
  {
    usage: 'orders refund ORDER',
    look: 'orders show ORDER',
    says: 'refund an order: all that is left, or --amount 5.00 of it; asks for confirmation, unless --yes is given',
    options: { amount: { type: 'string' }, reason: { type: 'string' } },
    run: (desk, { names: [code = ''], options }) => refundOrder(desk, code, options),
  },
]

async function cancelOrder(desk: CommandDesk, code: string): Promise<number> {
  const found = await call(desk.caller, 'GET', `/orders/${code}`)
  if (found.status !== 200) return refuse(desk, found)
  const order = found.body as OrderView
  if (order.cancel_why !== null) return refuse(desk, whyNot(order.cancel_why))
  const undone = order.undone_by_cancel
  const question =
    `Cancel ${order.order_code}, ${order.title}, of ${order.full_name} (${order.email})? ` +
    (undone.length > 0 ? `Then ${undone.join(', ')}.` : 'Nothing has to be undone.')
  if (!(await isSure(desk, question))) return exits.refused
  return callAndShow(desk, ['POST', `/orders/${code}/cancel`], () => [
    `The order is being cancelled. To see the result: npm run operator -- orders show ${code}`,
  ])
}

async function refundOrder(desk: CommandDesk, code: string, { amount, reason }: Given['options']): Promise<number> {
  const found = await call(desk.caller, 'GET', `/orders/${code}`)
  if (found.status !== 200) return refuse(desk, found)
  const order = found.body as OrderView
  if (order.refundable === null) return refuse(desk, whyNot(order.refund_why))
  // The amount is sent explicitly, so the refund equals the confirmed amount whatever happens meanwhile.
  const wanted = typeof amount === 'string' ? amount : order.refundable
  if (order.refund_all_why && wanted === order.refundable)
    return refuse(desk, whyNot(`${order.refund_all_why} npm run operator -- orders cancel ${order.order_code}`))
  const sum = `${priceOf(wanted)} ${order.currency}`
  const question = `Refund ${sum} to ${order.full_name} (${order.email}) for ${order.order_code}, ${order.title}?`
  if (!(await isSure(desk, [...givenLines(order), question].join(' ')))) return exits.refused
  const json = { amount: wanted, refundable: order.refundable, ...(typeof reason === 'string' && { reason }) }
  const answer = await call(desk.caller, 'POST', `/orders/${code}/refund`, { json })
  if (answer.status !== 200) return refuse(desk, answer)
  const refund = answer.body as RefundOutcome
  if (refund.outcome === 'received')
    return show(desk, refund, [`Refunded ${sum}. The credit note ${refund.creditCode} is on its way to the customer.`])
  if (refund.outcome === 'unknown') {
    show(desk, refund, ['The gateway hasn’t answered yet. The product keeps trying; the refund is made only once.'])
    return exits.unknown
  }
  return refuse(desk, whyNot(`The gateway refused: ${refund.outcome === 'refused' ? refund.code : refund.why}`))
}

const whyNot = (why: string | null): Answer => ({ status: 409, body: { why } })

/** Lists earlier refunds before the confirmation, so that nobody refunds twice by mistake. */
const givenLines = ({ refunds, currency }: OrderView): string[] =>
  refunds
    .filter(({ state }) => state !== 'refused')
    .map(
      ({ amount, state, created }) =>
        `${formatPrice(fromWire(amount))} ${currency} was refunded at ${created} (${state}).`,
    )
