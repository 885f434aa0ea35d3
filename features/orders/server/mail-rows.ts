import { formatPrice, gstOf } from '#kit/contract/money.ts'
import { formatNational } from '#kit/contract/phone.ts'
import { dataInAll } from '#kit/contract/plans.ts'
import type { Trx } from '#kit/server/db.ts'
import { planMessages } from '#features/plans/plans.contract.ts'
import { isPlanOnOffer, presentProduct } from '#features/plans/server/plans.ts'
import { findProduct } from '#features/plans/server/plans.store.ts'
import type { OrderDeps } from './orders.deps.ts'
import { paysByCard, type Order } from './orders.store.ts'

export async function nextPlanRows(trx: Trx, { product_id: id }: Order): Promise<[string, string][]> {
  const next = (await findProduct(trx, id))?.next_product_id
  const row = next && next !== id ? await findProduct(trx, next) : undefined
  return isPlanOnOffer(row) ? [['After that', planMessages.next(presentProduct(row))]] : []
}

export function rowsOf(
  deps: OrderDeps,
  order: Order,
  what: 'Prepay Plan' | 'Add-On',
  more: [string, string][] = [],
): [string, string][] {
  const all = what === 'Prepay Plan' ? dataInAll(order.product) : null
  const tax = formatPrice(gstOf(order.amount_cents, deps.market.taxPart))
  return [
    ['Order', order.order_code],
    ['Phone number', formatNational(order.msisdn)],
    [what, order.product.title],
    ...(all ? [['Data', all] satisfies [string, string]] : []),
    ...more,
    [
      'Total',
      paysByCard(order)
        ? `${formatPrice(order.amount_cents)} ${order.currency}, including ${tax} GST`
        : 'Paid with a voucher',
    ],
  ]
}
