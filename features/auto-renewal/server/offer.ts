import type { Trx } from '#kit/server/db.ts'
import { isPlanOnOffer } from '#features/plans/server/plans.ts'
import { findProduct, type ProductRow } from '#features/plans/server/plans.store.ts'
import type { LockedAutoRenewal } from './turn.ts'

/** What a plan is renewed with, and for how much. */
export type Offer = { product: ProductRow & { sku: string }; amountCents: number }

/**
 * What the customer was told; before they are, the next product at its price for renewals. Null when that is not sold
 * any more, or to new customers only: customers are not charged for something they did not choose.
 */
export async function offerFor(trx: Trx, { schedule, autoRenewal }: LockedAutoRenewal): Promise<Offer | null> {
  const current = await findProduct(trx, schedule.productId)
  const product = await findProduct(
    trx,
    autoRenewal.notified_product_id ?? current?.next_product_id ?? schedule.productId,
  )
  if (!isPlanOnOffer(product) || product.new_customer_only) return null
  return { product, amountCents: autoRenewal.notified_cents ?? product.price_rebill_cents ?? product.price_cents }
}
