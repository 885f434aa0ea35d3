import { formatPrice } from '#kit/contract/money.ts'
import { formatNational } from '#kit/contract/phone.ts'
import type { Trx } from '#kit/server/db.ts'
import { findUser } from '#features/auth/server/users.store.ts'
import { callSupportText, buildGreeting, queueMail } from '#features/messages/server/messages.ts'
import type { OrderDeps } from './orders.deps.ts'
import { paysByCard, type Order } from './orders.store.ts'

export const orderCancelledMailKey = (orderId: string): string => `taken-back:${orderId}`

/**
 * Tells the customer that staff cancelled the order and that nothing was charged, because the customer may no longer be on
 * the page. A first-time buyer has no account, so the email goes to the address in the order.
 */
export async function sendOrderCancelledMail(trx: Trx, deps: OrderDeps, order: Order): Promise<void> {
  const user = order.user_id ? await findUser(trx, order.user_id) : undefined
  const recipient = user ?? order.email
  if (!recipient) return
  const amount = `${formatPrice(order.amount_cents)} ${order.currency}`
  const paymentReleaseSentence = paysByCard(order)
    ? `You haven’t been charged. The ${amount} reserved on your card will be released. ` +
      'With some banks this can take a few days to show.'
    : 'Your voucher can be used again.'
  await queueMail(trx, deps, {
    eventKey: orderCancelledMailKey(order.id),
    to: recipient,
    subject: `Your order ${order.order_code} is cancelled`,
    heading: 'Order cancelled',
    paragraphs: [
      `${buildGreeting(deps, user?.first_name)}, we couldn’t complete your order for ${formatNational(order.msisdn)} ` +
        `(${order.product.title}), so we’ve cancelled it.`,
      paymentReleaseSentence,
      ...(order.kind === 'activation' ? ['The SIM pack can be activated again.'] : []),
      `If you have a question, please ${callSupportText(deps)}.`,
    ],
    rows: [
      ['Order', order.order_code],
      ['Reserved', paysByCard(order) ? `${amount}, released` : 'A voucher'],
    ],
    button: user
      ? { text: 'Go to my dashboard', url: `${deps.publicUrl}/` }
      : { text: 'Activate a SIM', url: `${deps.publicUrl}/activate/` },
  })
}
