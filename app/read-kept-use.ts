import { fromDate } from '#kit/server/clock.ts'
import type { CustomerRead } from '#kit/server/customer-read.ts'
import type { Db } from '#kit/server/db.ts'
import type { Value } from '#kit/server/read-together.ts'
import { customerRead } from '#features/auth/server/visitor.store.ts'
import { lastDataBoughtAsked } from '#features/orders/server/data-bought.store.ts'
import type { KeptProducts } from '#features/plans/server/kept-products.ts'
import { extraDataPriceOf } from '#features/plans/server/plans.store.ts'
import { lastComeAsked } from '#features/porting/server/porting.store.ts'
import { idOfNamedOrOnlyService, servicesWithPlanAsked } from '#features/services/server/own-service.store.ts'
import { summariesAsked } from '#features/usage/server/readings.store.ts'
import type { KeptUse } from '#features/usage/server/usage.deps.ts'

export const readKeptUse = (kept: KeptProducts): CustomerRead<{ uuid: string }, KeptUse | null> =>
  customerRead(keptOfUse, async ({ services: [service], summaries: [summary], bought: [bought], come: [come] }) => {
    if (!service) return null
    const products = await kept.all()
    return {
      service,
      reading: summary ? { data: summary.reading, readAt: fromDate(summary.read_at) } : null,
      products: [...products.values()],
      changedAt: [bought?.created_at, come?.ended_at].filter((at) => at instanceof Date).map(fromDate),
      extraDataPrice: extraDataPriceOf(products.values()),
    }
  })

function keptOfUse(db: Db, userId: Value, { uuid }: { uuid: string }) {
  const ids = idOfNamedOrOnlyService(db, userId, uuid)
  return {
    services: servicesWithPlanAsked(db, ids),
    summaries: summariesAsked(db, ids),
    bought: lastDataBoughtAsked(db, ids),
    come: lastComeAsked(db, ids),
  }
}
