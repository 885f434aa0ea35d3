import type { Db } from '#kit/server/db.ts'
import { keptFor } from '#kit/server/kept-for.ts'
import type { Thresholds } from '#kit/server/thresholds.ts'
import { listProducts, type ProductRow } from './plans.store.ts'

type Deps = { db: Db; thresholds: Pick<Thresholds, 'offerKeptMs'> }

/** Products by id, including withdrawn products, because active plans still refer to them. */
export type Products = ReadonlyMap<string, ProductRow>

export type KeptProducts = {
  all(): Promise<Products>
  /** Returns `products`, or reads them again if any of these ids is missing. */
  with(products: Products, ids: Iterable<string>): Promise<Products>
}

/** Caches the products for display. A purchase always reads its product from the database. */
export function keepProducts({ db, thresholds }: Deps): KeptProducts {
  const read = async (): Promise<Products> => new Map((await listProducts(db)).map((row) => [row.unique_id, row]))
  return {
    all: keptFor(() => thresholds.offerKeptMs, read),
    with: async (products, ids) => ([...ids].every((id) => products.has(id)) ? products : read()),
  }
}
