import type { Db } from '#kit/server/db.ts'
import { keptFor } from '#kit/server/kept-for.ts'
import type { Thresholds } from '#kit/server/thresholds.ts'
import { listProducts, type ProductRow } from './plans.store.ts'

type Deps = { db: Db; thresholds: Pick<Thresholds, 'offerKeptMs'> }

/** By their ids, withdrawn ones too: plans in use still refer to them. */
export type Products = ReadonlyMap<string, ProductRow>

export type KeptProducts = {
  /** As they were read a moment ago: they are the same for everybody. */
  all(): Promise<Products>
  /** The same, but read now where one of these has come since. */
  with(products: Products, ids: Iterable<string>): Promise<Products>
}

/** What pages tell of products is what was in the table lately; what is bought is looked up each time. */
export function keepProducts({ db, thresholds }: Deps): KeptProducts {
  const read = async (): Promise<Products> => new Map((await listProducts(db)).map((row) => [row.unique_id, row]))
  return {
    all: keptFor(() => thresholds.offerKeptMs, read),
    with: async (products, ids) => ([...ids].every((id) => products.has(id)) ? products : read()),
  }
}
