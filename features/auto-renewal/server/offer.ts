import type { Trx } from '#kit/server/db.ts'
import { isPlanOnOffer } from '#features/plans/server/plans.ts'
import { findProducts, type ProductRow } from '#features/plans/server/plans.store.ts'
import type { AutoRenewal } from './auto-renewal.store.ts'
import type { LockedAutoRenewal } from './turn.ts'

/** What a plan is renewed with, and for how much. */
export type Offer = { product: ProductRow & { sku: string }; amountCents: number }

type Notified = Pick<AutoRenewal, 'notified_product_id' | 'notified_cents'>

/** What these plans are renewed with; a plan whose next one is not sold has no entry. */
export async function offersFor(trx: Trx, plans: readonly LockedAutoRenewal[]): Promise<Map<LockedAutoRenewal, Offer>> {
  const read = (ids: string[]): Promise<Map<string, ProductRow>> => findProducts(trx, [...new Set(ids)])
  const current = await read(plans.map(({ schedule }) => schedule.productId))
  const next = new Map(
    plans.flatMap((plan): [LockedAutoRenewal, string][] => {
      const product = current.get(plan.schedule.productId)
      return product ? [[plan, nextProductOf(product, plan.autoRenewal)]] : []
    }),
  )
  const products = await read([...next.values()])
  return new Map(
    [...next].flatMap(([plan, id]): [LockedAutoRenewal, Offer][] => {
      const offer = offerOf(products.get(id), plan.autoRenewal)
      return offer ? [[plan, offer]] : []
    }),
  )
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
