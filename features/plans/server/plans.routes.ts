import type { Db } from '#kit/server/db.ts'
import { cached } from '#kit/server/cached.ts'
import { type Route, route } from '#kit/server/route.ts'
import type { Thresholds } from '#kit/server/thresholds.ts'
import { listPlanFilters, listProducts } from '../plans.contract.ts'
import { listFilters, listVisibleProducts } from './plans.store.ts'
import { presentProduct } from './plans.ts'

type PlanRoutesDeps = { db: Db; thresholds: Pick<Thresholds, 'offerKeptMs'> }

export function planRoutes(deps: PlanRoutesDeps): Route[] {
  const cacheForDisplay = <T>(readFresh: () => Promise<T>) => cached(() => deps.thresholds.offerKeptMs, readFresh)
  const readOffer = cacheForDisplay(async () => {
    const products = await listVisibleProducts(deps.db)
    return Object.fromEntries(products.map((product) => [product.unique_id, presentProduct(product)]))
  })
  const readFilters = cacheForDisplay(() => listFilters(deps.db))
  return [
    route(listProducts, { access: 'anyone' }, readOffer),
    route(listPlanFilters, { access: 'anyone' }, readFilters),
  ]
}
