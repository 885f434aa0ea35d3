import { formatPrice, gstOf } from '#kit/contract/money.ts'
import { formatNational } from '#kit/contract/phone.ts'
import type { OrderDeps } from './orders.deps.ts'
import { paysByCard, type Order } from './orders.store.ts'

/** What was bought, for which number, and what it cost: the facts of every confirmation. */
export function rowsOf(
  deps: OrderDeps,
  order: Order,
  what: 'Prepay Plan' | 'Add-On',
  more: [string, string][] = [],
): [string, string][] {
  const tax = formatPrice(gstOf(order.amount_cents, deps.market.taxPart))
  return [
    ['Order', order.order_code],
    ['Phone number', formatNational(order.msisdn)],
    [what, order.product.title],
    ...more,
    [
      'Total',
      paysByCard(order)
        ? `${formatPrice(order.amount_cents)} ${order.currency}, including ${tax} GST`
        : 'Paid with a voucher',
    ],
  ]
}
