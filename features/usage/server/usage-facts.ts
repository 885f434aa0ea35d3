import { findExtraDataPrice, findProductsBySku, type ProductRow } from '#features/plans/server/plans.store.ts'
import type { StoredUsage, UsageDeps } from './usage.deps.ts'

export type UsageFacts = Pick<UsageDeps, 'clock' | 'market' | 'hasChangedSince'> & {
  findProductsBySku(skus: string[]): Promise<Map<string, ProductRow>>
  findExtraDataPrice(): Promise<number | null>
}

export const createUsageFacts = (deps: UsageDeps): UsageFacts => ({
  clock: deps.clock,
  market: deps.market,
  hasChangedSince: (serviceId, since) => deps.hasChangedSince(serviceId, since),
  findProductsBySku: (skus) => findProductsBySku(deps.db, skus),
  findExtraDataPrice: () => findExtraDataPrice(deps.db),
})

export const createStoredUsageFacts = (
  { clock, market }: Pick<UsageDeps, 'clock' | 'market'>,
  { products, changedAt, extraDataPrice }: StoredUsage,
): UsageFacts => ({
  clock,
  market,
  hasChangedSince: async (_, since) => changedAt.some((at) => Temporal.Instant.compare(at, since) >= 0),
  findProductsBySku: async () => new Map(products.flatMap((row) => (row.sku ? [[row.sku, row] as const] : []))),
  findExtraDataPrice: async () => extraDataPrice,
})
