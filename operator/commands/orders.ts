import { formatPrice, decimalToCents } from '#kit/contract/money.ts'
import type { OrderView } from '#desk/features/orders/server/order-view.ts'
import type { RefundOutcome } from '#features/refunds/server/refunds.ts'
import { type OperatorResponse, call } from '../send-request.ts'
import {
  requestAndPrint,
  type Command,
  type CommandContext,
  exitCodes,
  operatorCommand,
  type CommandArguments,
  confirmWithOperator,
  printRejection,
  printResponse,
} from '../command.ts'
import { formatOrder, formatWirePrice } from '../format-order.ts'

export const orderCommands: Command[] = [
  {
    usage: 'orders show ORDER',
    summary: 'show an order: payment, network operations, refunds, history, documents and possible actions',
    run: (context, { names: [code = ''] }) => requestAndPrint(context, ['GET', `/orders/${code}`], formatOrder),
  },
  {
    usage: 'orders retry ORDER',
    checkCommand: 'orders show ORDER',
    summary: 'retry a held or waiting order now',
    run: (context, { names: [code = ''] }) =>
      requestAndPrint(context, ['POST', `/orders/${code}/retry`], () => [
        `The order is being tried again. To see the result: ${operatorCommand(context)} orders show ${code}`,
      ]),
  },
  {
    usage: 'orders cancel ORDER',
    checkCommand: 'orders show ORDER',
    summary:
      'cancel an order before delivery, or a next plan; lists what is undone and asks for confirmation, unless --yes is given',
    run: (context, { names: [code = ''] }) => cancelOrder(context, code),
  },
  {
    usage: 'orders refund ORDER',
    checkCommand: 'orders show ORDER',
    summary: 'refund an order: all that is left, or --amount 5.00 of it; asks for confirmation, unless --yes is given',
    options: { amount: { type: 'string' }, reason: { type: 'string' } },
    run: (context, { names: [code = ''], options }) => refundOrder(context, code, options),
  },
]

async function cancelOrder(context: CommandContext, code: string): Promise<number> {
  const found = await call(context.caller, 'GET', `/orders/${code}`)
  if (found.status !== 200) return printRejection(context, found)
  const order = found.body as OrderView
  if (order.cancel_why !== null) return printRejection(context, createRejection(order.cancel_why))
  const effects = order.undone_by_cancel
  const question =
    `Cancel ${order.order_code}, ${order.title}, of ${order.full_name} (${order.email})? ` +
    (effects.length > 0 ? `Then ${effects.join(', ')}.` : 'There’s nothing to undo.')
  if (!(await confirmWithOperator(context, question))) return exitCodes.refused
  return requestAndPrint(context, ['POST', `/orders/${code}/cancel`], () => [
    `The order is being cancelled. To see the result: ${operatorCommand(context)} orders show ${code}`,
  ])
}

async function refundOrder(
  context: CommandContext,
  code: string,
  { amount, reason }: CommandArguments['options'],
): Promise<number> {
  const found = await call(context.caller, 'GET', `/orders/${code}`)
  if (found.status !== 200) return printRejection(context, found)
  const order = found.body as OrderView
  if (order.refundable === null) return printRejection(context, createRejection(order.refund_why))
  // The amount is sent explicitly, so that exactly the amount the operator confirmed is refunded, whatever happens in the meantime.
  const requestedAmount = typeof amount === 'string' ? amount : order.refundable
  if (order.refund_all_why && requestedAmount === order.refundable)
    return printRejection(
      context,
      createRejection(`${order.refund_all_why} ${operatorCommand(context)} orders cancel ${order.order_code}`),
    )
  const sum = `${formatWirePrice(requestedAmount)} ${order.currency}`
  const question = `Refund ${sum} to ${order.full_name} (${order.email}) for ${order.order_code}, ${order.title}?`
  if (!(await confirmWithOperator(context, [...formatEarlierRefunds(order), question].join(' '))))
    return exitCodes.refused
  const json = { amount: requestedAmount, refundable: order.refundable, ...(typeof reason === 'string' && { reason }) }
  const answer = await call(context.caller, 'POST', `/orders/${code}/refund`, { json })
  if (answer.status !== 200) return printRejection(context, answer)
  const refund = answer.body as RefundOutcome
  if (refund.outcome === 'received')
    return printResponse(context, refund, [
      `Refunded ${sum}. The credit note ${refund.creditCode} is on its way to the customer.`,
    ])
  if (refund.outcome === 'unknown') {
    printResponse(context, refund, [
      'The gateway hasn’t answered yet. Fantail keeps trying; the refund is made only once.',
    ])
    return exitCodes.unknown
  }
  return printRejection(
    context,
    createRejection(`The gateway refused the request: ${refund.outcome === 'refused' ? refund.code : refund.why}`),
  )
}

const createRejection = (why: string | null): OperatorResponse => ({ status: 409, body: { why } })

/** Lists earlier refunds in the confirmation, so that the operator does not refund twice by mistake. */
const formatEarlierRefunds = ({ refunds, currency }: OrderView): string[] =>
  refunds
    .filter(({ state }) => state !== 'refused')
    .map(
      ({ amount, state, created }) =>
        `${formatPrice(decimalToCents(amount))} ${currency} was refunded at ${created} (${state}).`,
    )
