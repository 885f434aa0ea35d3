import { formatPrice } from '#kit/contract/money.ts'
import type { Trx } from '#kit/server/db.ts'
import { findUser } from '#features/auth/server/users.store.ts'
import { buildGreeting, queueMail } from '#features/messages/server/messages.ts'
import type { Order } from '#features/orders/server/orders.store.ts'
import type { RefundDeps } from './refunds.deps.ts'
import type { Refund } from './refunds.store.ts'

export async function sendRefundMail(
  trx: Trx,
  deps: RefundDeps,
  { order, refund, creditCode }: { order: Order; refund: Refund; creditCode: string },
): Promise<void> {
  const user = order.user_id ? await findUser(trx, order.user_id) : undefined
  if (!user) throw new Error(`order ${order.order_code} has no customer`)
  const isFullRefund = refund.amount_cents === order.amount_cents
  const amount = `${formatPrice(refund.amount_cents)} ${order.currency}`
  await queueMail(trx, deps, {
    eventKey: `refund:${refund.id}`,
    to: user,
    subject: `Your refund of ${amount}`,
    heading: isFullRefund ? 'We have refunded your order' : 'We have refunded part of your order',
    paragraphs: [
      `${buildGreeting(deps, user.first_name)}, we’ve refunded ${isFullRefund ? amount : `${amount} of what you paid`} to the card ` +
        `that paid for order ${order.order_code}. With some banks it can take a few days to show.`,
      'Your tax credit note is attached.',
    ],
    rows: [
      ['Order', order.order_code],
      ['Credit note', creditCode],
      ['Refunded', amount],
    ],
    button: { text: 'View refund', url: `${deps.publicUrl}/services/${order.service_id}/invoices/${creditCode}/` },
    attachment: `invoice:${creditCode}`,
  })
}
