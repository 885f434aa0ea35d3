import type { Db } from '#kit/server/db.ts'
import { keptFor } from '#kit/server/kept-for.ts'
import { type Route, route } from '#kit/server/route.ts'
import type { Thresholds } from '#kit/server/thresholds.ts'
import { listPlanFilters, listProducts } from '../plans.contract.ts'
import { listFilters, listVisibleProducts } from './plans.store.ts'
import { presentProduct } from './plans.ts'

type Deps = { db: Db; thresholds: Pick<Thresholds, 'offerKeptMs'> }

export function planRoutes(deps: Deps): Route[] {
  const kept = <T>(ask: () => Promise<T>) => keptFor(() => deps.thresholds.offerKeptMs, ask)
  const readOffer = kept(async () => {
    const products = await listVisibleProducts(deps.db)
    return Object.fromEntries(products.map((product) => [product.unique_id, presentProduct(product)]))
  })
  const readFilters = kept(() => listFilters(deps.db))
  return [
    route(listProducts, { access: 'anyone' }, readOffer),
    route(listPlanFilters, { access: 'anyone' }, readFilters),
  ]
}
