import { fromDate } from '#kit/server/clock.ts'
import type { CustomerDataReader } from '#kit/server/customer-data-reader.ts'
import type { Db } from '#kit/server/db.ts'
import type { Ids, Value } from '#kit/server/combined-query.ts'
import { createCustomerRead } from '#features/auth/server/visitor.store.ts'
import { lastDataPurchaseQueryPart } from '#features/orders/server/data-purchases.store.ts'
import type { CachedProducts } from '#features/plans/server/cached-products.ts'
import { findLowestExtraDataPrice } from '#features/plans/server/plans.store.ts'
import { lastCompletedQueryPart } from '#features/porting/server/porting.store.ts'
import { namedOrOnlyServiceIdQuery, servicesWithPlanQueryPart } from '#features/services/server/own-service.store.ts'
import { summariesQueryPart } from '#features/usage/server/readings.store.ts'
import type { StoredUsage } from '#features/usage/server/usage.deps.ts'

export const readStoredUsage = (kept: CachedProducts): CustomerDataReader<{ uuid: string }, StoredUsage | null> =>
  createCustomerRead(
    storedUsageQueries,
    async ({ services: [service], summaries: [summary], bought: [bought], come: [come] }) => {
      if (!service) return null
      const products = await kept.all()
      return {
        service,
        reading: summary ? { data: summary.reading, readAt: fromDate(summary.read_at) } : null,
        products: [...products.values()],
        changedAt: [bought?.created_at, come?.ended_at].filter((at) => at instanceof Date).map(fromDate),
        extraDataPrice: findLowestExtraDataPrice(products.values()),
      }
    },
    (db, userId, { uuid }) => namedOrOnlyServiceIdQuery(db, userId, uuid),
  )

const storedUsageQueries = (db: Db, _userId: Value, _values: { uuid: string }, ids: Ids) => ({
  services: servicesWithPlanQueryPart(db, ids),
  summaries: summariesQueryPart(db, ids),
  bought: lastDataPurchaseQueryPart(db, ids),
  come: lastCompletedQueryPart(db, ids),
})
