import type { Db } from '#kit/server/db.ts'
import { type Route, route } from '#kit/server/route.ts'
import { listPlanFilters, listProducts } from '../plans.contract.ts'
import { listFilters, listVisibleProducts } from './plans.store.ts'
import { presentProduct } from './plans.ts'

export const planRoutes = ({ db }: { db: Db }): Route[] => [
  route(listProducts, { access: 'anyone' }, async () => {
    const products = await listVisibleProducts(db)
    return Object.fromEntries(products.map((product) => [product.unique_id, presentProduct(product)]))
  }),
  route(listPlanFilters, { access: 'anyone' }, () => listFilters(db)),
]
