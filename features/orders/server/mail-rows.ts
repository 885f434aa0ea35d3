import { formatPrice, gstOf } from '#kit/contract/money.ts'
import { formatNational } from '#kit/contract/phone.ts'
import { getTotalAndCycleDataLabel } from '#kit/contract/plans.ts'
import type { Trx } from '#kit/server/db.ts'
import { planMessages } from '#features/plans/plans.contract.ts'
import { isPlanOnSale, presentProduct } from '#features/plans/server/plans.ts'
import { findProduct } from '#features/plans/server/plans.store.ts'
import type { OrderDeps } from './orders.deps.ts'
import { paysByCard, type Order } from './orders.store.ts'

export async function nextPlanRows(trx: Trx, { product_id: id }: Order): Promise<[string, string][]> {
  const next = (await findProduct(trx, id))?.next_product_id
  const row = next && next !== id ? await findProduct(trx, next) : undefined
  return isPlanOnSale(row) ? [['After that', planMessages.next(presentProduct(row))]] : []
}

export function purchaseRows(
  deps: OrderDeps,
  order: Order,
  what: 'Prepay Plan' | 'Add-On',
  more: [string, string][] = [],
): [string, string][] {
  const totalDataText = what === 'Prepay Plan' ? getTotalAndCycleDataLabel(order.product) : null
  const gstText = formatPrice(gstOf(order.amount_cents, deps.market.taxPart))
  return [
    ['Order', order.order_code],
    ['Phone number', formatNational(order.msisdn)],
    [what, order.product.title],
    ...(totalDataText ? [['Data', totalDataText] satisfies [string, string]] : []),
    ...more,
    [
      'Total',
      paysByCard(order)
        ? `${formatPrice(order.amount_cents)} ${order.currency}, including ${gstText} GST`
        : 'Paid with a voucher',
    ],
  ]
}
