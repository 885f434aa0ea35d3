import type { Db } from '#kit/server/db.ts'
import { cached } from '#kit/server/cached.ts'
import type { Thresholds } from '#kit/server/thresholds.ts'
import { listProducts, type ProductRow } from './plans.store.ts'

type CachedProductsDeps = { db: Db; thresholds: Pick<Thresholds, 'offerKeptMs'> }

/** Products by ID, including withdrawn ones, because active plans may still refer to them. */
export type ProductMap = ReadonlyMap<string, ProductRow>

export type CachedProducts = {
  all(): Promise<ProductMap>
  with(products: ProductMap, ids: Iterable<string>): Promise<ProductMap>
}

/** Cached products are for display only: a purchase always reads its product from the database. */
export function createProductCache({ db, thresholds }: CachedProductsDeps): CachedProducts {
  const readProducts = async (): Promise<ProductMap> =>
    new Map((await listProducts(db)).map((row) => [row.unique_id, row]))
  return {
    all: cached(() => thresholds.offerKeptMs, readProducts),
    with: async (products, ids) => ([...ids].every((id) => products.has(id)) ? products : readProducts()),
  }
}
