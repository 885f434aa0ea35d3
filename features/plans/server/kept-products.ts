import type { Db } from '#kit/server/db.ts'
import { keptFor } from '#kit/server/kept-for.ts'
import type { Thresholds } from '#kit/server/thresholds.ts'
import { listProducts, type ProductRow } from './plans.store.ts'

type Deps = { db: Db; thresholds: Pick<Thresholds, 'offerKeptMs'> }

/** Products by id, including withdrawn products, because active plans still refer to them. */
export type Products = ReadonlyMap<string, ProductRow>

export type KeptProducts = {
  all(): Promise<Products>
  with(products: Products, ids: Iterable<string>): Promise<Products>
}

/** For display only: a purchase always reads its product from the database. */
export function keepProducts({ db, thresholds }: Deps): KeptProducts {
  const read = async (): Promise<Products> => new Map((await listProducts(db)).map((row) => [row.unique_id, row]))
  return {
    all: keptFor(() => thresholds.offerKeptMs, read),
    with: async (products, ids) => ([...ids].every((id) => products.has(id)) ? products : read()),
  }
}
