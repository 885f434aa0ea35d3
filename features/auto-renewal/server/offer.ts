import type { Trx } from '#kit/server/db.ts'
import { isPlanOnSale } from '#features/plans/server/plans.ts'
import { findProducts, type ProductRow } from '#features/plans/server/plans.store.ts'
import type { AutoRenewal } from './auto-renewal.store.ts'
import type { LockedAutoRenewal } from './locked-auto-renewal.ts'

export type RenewalOffer = { product: ProductRow & { sku: string }; amountCents: number }

type NotifiedProduct = Pick<AutoRenewal, 'notified_product_id' | 'notified_cents'>

export async function findOffers(
  trx: Trx,
  plans: readonly LockedAutoRenewal[],
): Promise<Map<LockedAutoRenewal, RenewalOffer>> {
  const findProductsById = (ids: string[]): Promise<Map<string, ProductRow>> => findProducts(trx, [...new Set(ids)])
  const current = await findProductsById(plans.map(({ schedule }) => schedule.productId))
  const nextProductIds = new Map(
    plans.flatMap((plan): [LockedAutoRenewal, string][] => {
      const product = current.get(plan.schedule.productId)
      return product ? [[plan, getNextProductId(product, plan.autoRenewal)]] : []
    }),
  )
  const products = await findProductsById([...nextProductIds.values()])
  return new Map(
    [...nextProductIds].flatMap(([plan, id]): [LockedAutoRenewal, RenewalOffer][] => {
      const offer = createRenewalOffer(products.get(id), plan.autoRenewal)
      return offer ? [[plan, offer]] : []
    }),
  )
}

export const getNextProductId = (current: ProductRow, notified: NotifiedProduct | null): string =>
  notified?.notified_product_id ?? current.next_product_id ?? current.unique_id

/**
 * Returns the product that auto-renewal would buy, at the amount in the notice or, if no notice has been sent, at its
 * auto-renewal price. Returns `null` if the product is no longer sold or is only for new customers, because nobody may
 * be charged for a plan they did not choose.
 */
export function createRenewalOffer(
  product: ProductRow | undefined,
  notified: NotifiedProduct | null,
): RenewalOffer | null {
  if (!isPlanOnSale(product) || product.new_customer_only) return null
  return { product, amountCents: notified?.notified_cents ?? product.price_rebill_cents ?? product.price_cents }
}
