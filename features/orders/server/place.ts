import { randomUUID } from 'node:crypto'
import { fromWire, toWire } from '#kit/contract/money.ts'
import type { Trx } from '#kit/server/db.ts'
import { randomCode } from '#kit/server/random-code.ts'
import { invalidForm, Refusal } from '#kit/server/refusal.ts'
import { requireUnblocked } from '#features/auth/server/auth.ts'
import type { Product } from '#features/plans/plans.contract.ts'
import { countCardAttempt } from '#features/refused-payments/server/refused-payments.ts'
import type { Payer } from '#features/refused-payments/server/refused-payments.store.ts'
import { reserveVoucher, lockVoucher } from '#features/vouchers/server/vouchers.store.ts'
import { voucherMessages } from '#features/vouchers/vouchers.contract.ts'
import type { PaymentSource } from '../card-payment.contract.ts'
import { kinds } from './kinds.ts'
import { insertAttempts, referenceOf } from './new-attempts.store.ts'
import { insertOrders, type NewOrder } from './new-orders.store.ts'
import type { OrderDeps } from './orders.deps.ts'
import type { Order } from './orders.store.ts'
import { attemptsOf, type CardSource } from './payment-source.ts'
import { acceptOrder } from './payments.ts'

/**
 * The purchase, its buyer and its SIM. The price comes from the catalogue, never from the request. `amountCents`: a
 * different catalogue price than the product's; `expectedTotal`: the total that the customer was shown.
 */
type Sale = Omit<
  NewOrder,
  'id' | 'order_code' | 'state' | 'product_id' | 'paid_with' | 'amount_cents' | 'currency' | 'product'
> & { product: Product; amountCents?: number | undefined; expectedTotal?: string | undefined }

/**
 * The payment of a purchase. At the checkout, `payer` identifies the customer. An automatic renewal charges the saved
 * card and has no payer. `voucher` is the voucher of the sale.
 */
export type Payment = (CardSource & { payer: Payer }) | { by: 'saved_card'; payer: null } | { by: 'voucher' }

export type Purchase = { sale: Sale; payment: Payment }

type Placed = Purchase & { order: Order }

export const totalOf = ({ price }: Pick<Product, 'price'>, by: PaymentSource): number =>
  by === 'voucher' ? 0 : fromWire(price)

/**
 * Inserts orders with everything that they reserve (SIM, voucher and payment attempts) and returns them in the sequence
 * of `purchases`. The caller commits before any request leaves. The number of statements is fixed, except for the
 * reservations. For a renewal or an add-on the caller has locked the service.
 * @throws 400 when a SIM or voucher is taken, a card is missing or a customer is blocked; 409 when the shown total has
 * changed; 429 after too many refusals or activations. The caller's transaction must then roll back
 */
export async function placeOrders(trx: Trx, deps: OrderDeps, purchases: readonly Purchase[]): Promise<Order[]> {
  for (const { sale } of purchases) {
    await kinds[sale.kind].lock?.(trx, sale)
    if (sale.voucher_id) await lockVoucher(trx, sale.voucher_id)
  }
  const orders = await insertOrders(
    trx,
    purchases.map((purchase) => newOrderOf(deps, purchase)),
    deps.clock.now(),
  )
  const placed = purchases.map((purchase, at): Placed => ({ ...purchase, order: orders[at]! }))
  await requireUnblocked(
    trx,
    deps,
    orders.flatMap((order) => [order.user_id, order.joins_user_id]),
  )
  for (const { order, sale } of placed) {
    await kinds[order.kind].reserve?.(trx, deps, order)
    refuseOtherTotal(order, sale.expectedTotal)
  }
  await beginCharges(trx, deps, placed)
  const begun: Order[] = []
  for (const each of placed) begun.push(each.payment.by === 'voucher' ? await redeem(trx, deps, each) : each.order)
  return begun
}

/** @throws as `placeOrders` does */
export async function placeOrder(trx: Trx, deps: OrderDeps, sale: Sale, payment: Payment): Promise<Order> {
  const [order] = await placeOrders(trx, deps, [{ sale, payment }])
  return order!
}

function newOrderOf({ market }: OrderDeps, { sale, payment }: Purchase): NewOrder {
  const { product, amountCents, expectedTotal: _, ...rest } = sale
  return {
    ...rest,
    id: randomUUID(),
    order_code: `FT${randomCode(10)}`,
    state: 'paying',
    product,
    product_id: product.unique_id,
    paid_with: payment.by,
    amount_cents: amountCents ?? totalOf(product, payment.by),
    currency: market.currency,
  }
}

function refuseOtherTotal({ amount_cents: cents }: Order, shown: string | undefined): void {
  const total = toWire(cents)
  if (shown !== undefined && shown !== total) throw new Refusal(409, { total })
}

async function beginCharges(trx: Trx, deps: OrderDeps, placed: readonly Placed[]): Promise<void> {
  const charges = placed.flatMap(({ order, payment }) =>
    payment.by === 'voucher' ? [] : [{ order, source: payment, payer: payment.payer }],
  )
  const charged = await attemptsOf(trx, deps, charges)
  await insertAttempts(
    trx,
    charges.map(({ order }, at) => ({ order, charged: charged[at]! })),
  )
  for (const { order, payer } of charges)
    if (payer)
      await countCardAttempt(trx, { reference: referenceOf(order), kind: order.kind, iccid: order.iccid, payer })
}

async function redeem(trx: Trx, deps: OrderDeps, { order, sale }: Placed): Promise<Order> {
  if (!sale.voucher_id || !(await reserveVoucher(trx, sale.voucher_id, order.id, deps.clock.now())))
    throw invalidForm(voucherMessages.used)
  return acceptOrder(trx, deps, order)
}
