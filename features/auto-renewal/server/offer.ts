import type { Trx } from '#kit/server/db.ts'
import { isPlanOnOffer } from '#features/plans/server/plans.ts'
import { findProducts, type ProductRow } from '#features/plans/server/plans.store.ts'
import type { AutoRenewal } from './auto-renewal.store.ts'
import type { LockedAutoRenewal } from './turn.ts'

export type Offer = { product: ProductRow & { sku: string }; amountCents: number }

type Notified = Pick<AutoRenewal, 'notified_product_id' | 'notified_cents'>

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

export const nextProductOf = (current: ProductRow, notified: Notified | null): string =>
  notified?.notified_product_id ?? current.next_product_id ?? current.unique_id

/**
 * The product at the notified amount or, before the notice, at its renewal price. `null` when the product is no longer
 * sold or only sold to new customers, because customers are not charged for a plan that they did not choose.
 */
export function offerOf(product: ProductRow | undefined, notified: Notified | null): Offer | null {
  if (!isPlanOnOffer(product) || product.new_customer_only) return null
  return { product, amountCents: notified?.notified_cents ?? product.price_rebill_cents ?? product.price_cents }
}
