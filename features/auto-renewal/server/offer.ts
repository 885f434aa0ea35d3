import type { Trx } from '#kit/server/db.ts'
import { isPlanOnOffer } from '#features/plans/server/plans.ts'
import { findProduct, type ProductRow } from '#features/plans/server/plans.store.ts'
import type { AutoRenewal } from './auto-renewal.store.ts'
import type { LockedAutoRenewal } from './turn.ts'

/** What a plan is renewed with, and for how much. */
export type Offer = { product: ProductRow & { sku: string }; amountCents: number }

type Notified = Pick<AutoRenewal, 'notified_product_id' | 'notified_cents'>

export async function offerFor(trx: Trx, { schedule, autoRenewal }: LockedAutoRenewal): Promise<Offer | null> {
  const current = await findProduct(trx, schedule.productId)
  if (!current) return null
  return offerOf(await findProduct(trx, nextProductOf(current, autoRenewal)), autoRenewal)
}

/** What a plan is renewed with: what the customer was told, or, before they are, the product that follows it. */
export const nextProductOf = (current: ProductRow, notified: Notified | null): string =>
  notified?.notified_product_id ?? current.next_product_id ?? current.unique_id

/**
 * That product for the amount that the customer was told; before they are, at its price for renewals. Null when it is not
 * sold any more, or to new customers only: customers are not charged for something they did not choose.
 */
export function offerOf(product: ProductRow | undefined, notified: Notified | null): Offer | null {
  if (!isPlanOnOffer(product) || product.new_customer_only) return null
  return { product, amountCents: notified?.notified_cents ?? product.price_rebill_cents ?? product.price_cents }
}
