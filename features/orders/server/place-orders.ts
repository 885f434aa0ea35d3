import { randomUUID } from 'node:crypto'
import { decimalToCents, centsToDecimal } from '#kit/contract/money.ts'
import type { Trx } from '#kit/server/db.ts'
import { randomCode } from '#kit/server/random-code.ts'
import { formError, HttpError } from '#kit/server/http-error.ts'
import { requireUnblocked } from '#features/auth/server/auth.ts'
import type { Product } from '#features/plans/plans.contract.ts'
import { countCardAttempt } from '#features/refused-payments/server/refused-payments.ts'
import type { Payer } from '#features/refused-payments/server/refused-payments.store.ts'
import { reserveVoucher, lockVoucher } from '#features/vouchers/server/vouchers.store.ts'
import { voucherMessages } from '#features/vouchers/vouchers.contract.ts'
import type { PaymentSource } from '../card-payment.contract.ts'
import { orderTypes } from './order-types.ts'
import { insertAttempts, buildPaymentReference } from './payment-attempts.store.ts'
import { insertOrders, type NewOrder } from './new-orders.store.ts'
import type { OrderDeps } from './orders.deps.ts'
import type { Order } from './orders.store.ts'
import { createAttempts, type CardSource } from './payment-source.ts'
import { acceptOrder } from './payments.ts'
import { orderCodeRandomLength } from './references.present.ts'

/**
 * The product that is being bought, its buyer and the SIM. The price comes from the catalogue, never from the request. `amountCents`
 * replaces the product's price with a different catalogue price. `expectedTotal` is the total displayed on the page.
 */
type Sale = Omit<
  NewOrder,
  'id' | 'order_code' | 'state' | 'product_id' | 'paid_with' | 'amount_cents' | 'currency' | 'product'
> & { product: Product; amountCents?: number | undefined; expectedTotal?: string | undefined }

/**
 * The means of payment for a purchase. `payer` identifies the customer at the checkout; automatic renewals and renewals by staff charge the
 * saved card and have no payer. A `voucher` payment uses the sale's voucher.
 */
export type Payment = (CardSource & { payer: Payer }) | { by: 'saved_card'; payer: null } | { by: 'voucher' }

export type Purchase = { sale: Sale; payment: Payment }

type PlacedPurchase = Purchase & { order: Order }

export const computeOrderTotal = ({ price }: Pick<Product, 'price'>, by: PaymentSource): number =>
  by === 'voucher' ? 0 : decimalToCents(price)

/**
 * Inserts orders with everything that they reserve (SIM, voucher and payment attempts), and returns them in the same
 * sequence as `purchases`. The caller must commit before sending any request. The number of statements is fixed, except
 * for the reservations. For a renewal or an add-on, the caller must hold the service's lock.
 * @throws 400 if a SIM or voucher is taken, a card is missing or a customer is blocked; 409 if the total is not the
 * expected one; 429 after too many refusals or activations. The caller must then roll back the transaction
 */
export async function placeOrders(trx: Trx, deps: OrderDeps, purchases: readonly Purchase[]): Promise<Order[]> {
  for (const { sale } of purchases) {
    await orderTypes[sale.kind].lock?.(trx, sale)
    if (sale.voucher_id) await lockVoucher(trx, sale.voucher_id)
  }
  const orders = await insertOrders(
    trx,
    purchases.map((purchase) => createNewOrder(deps, purchase)),
    deps.clock.now(),
  )
  const placedPurchases = purchases.map((purchase, at): PlacedPurchase => ({ ...purchase, order: orders[at]! }))
  await requireUnblocked(
    trx,
    deps,
    orders.flatMap((order) => [order.user_id, order.joins_user_id]),
  )
  for (const { order, sale } of placedPurchases) {
    await orderTypes[order.kind].reserve?.(trx, deps, order)
    rejectChangedTotal(order, sale.expectedTotal)
  }
  await createPaymentAttempts(trx, deps, placedPurchases)
  const startedOrders: Order[] = []
  for (const placedPurchase of placedPurchases)
    startedOrders.push(
      placedPurchase.payment.by === 'voucher' ? await redeemVoucher(trx, deps, placedPurchase) : placedPurchase.order,
    )
  return startedOrders
}

/** Inserts a single order with everything that it reserves. @throws as `placeOrders` does */
export async function placeOrder(trx: Trx, deps: OrderDeps, sale: Sale, payment: Payment): Promise<Order> {
  const [order] = await placeOrders(trx, deps, [{ sale, payment }])
  return order!
}

function createNewOrder({ market, orderPrefix }: OrderDeps, { sale, payment }: Purchase): NewOrder {
  const { product, amountCents, expectedTotal: _, ...otherFields } = sale
  return {
    ...otherFields,
    id: randomUUID(),
    order_code: orderPrefix + randomCode(orderCodeRandomLength),
    state: 'paying',
    product,
    product_id: product.unique_id,
    paid_with: payment.by,
    amount_cents: amountCents ?? computeOrderTotal(product, payment.by),
    currency: market.currency,
  }
}

function rejectChangedTotal({ amount_cents: cents }: Order, shownTotal: string | undefined): void {
  const total = centsToDecimal(cents)
  if (shownTotal !== undefined && shownTotal !== total) throw new HttpError(409, { total })
}

async function createPaymentAttempts(
  trx: Trx,
  deps: OrderDeps,
  placedPurchases: readonly PlacedPurchase[],
): Promise<void> {
  const charges = placedPurchases.flatMap(({ order, payment }) =>
    payment.by === 'voucher' ? [] : [{ order, source: payment, payer: payment.payer }],
  )
  const newAttempts = await createAttempts(trx, deps, charges)
  await insertAttempts(
    trx,
    charges.map(({ order }, at) => ({ order, charged: newAttempts[at]! })),
  )
  for (const { order, payer } of charges)
    if (payer)
      await countCardAttempt(trx, {
        reference: buildPaymentReference(order),
        kind: order.kind,
        iccid: order.iccid,
        payer,
      })
}

async function redeemVoucher(trx: Trx, deps: OrderDeps, { order, sale }: PlacedPurchase): Promise<Order> {
  if (!sale.voucher_id || !(await reserveVoucher(trx, sale.voucher_id, order.id, deps.clock.now())))
    throw formError(voucherMessages.used)
  return acceptOrder(trx, deps, order)
}
