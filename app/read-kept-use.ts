import { fromDate } from '#kit/server/clock.ts'
import type { Db } from '#kit/server/db.ts'
import { type Ids, readTogether } from '#kit/server/read-together.ts'
import { isUuid } from '#kit/server/uuid.ts'
import { lastDataBoughtAsked } from '#features/orders/server/data-bought.store.ts'
import { extraDataPriceAsked, productsBySkuAsked } from '#features/plans/server/plans.store.ts'
import { lastComeAsked } from '#features/porting/server/porting.store.ts'
import { idOfOnlyService, idOfOwnService, servicesWithPlanAsked } from '#features/services/server/own-service.store.ts'
import { skusOfSummaries, summariesAsked } from '#features/usage/server/readings.store.ts'
import type { KeptUse } from '#features/usage/server/usage.deps.ts'

/** What is kept of the use of one service, of all slices that know of it: a page is rendered with it. */
export async function readKeptUse(db: Db, userId: string, uuid: string | null): Promise<KeptUse | null> {
  if (uuid !== null && !isUuid(uuid)) return null
  const known = uuid === null ? await readOnly(db, { userId }) : await readNamed(db, { userId, uuid })
  const [[service], [summary], [bought], [come], [price]] = [
    known.services,
    known.summaries,
    known.bought,
    known.come,
    known.prices,
  ]
  if (!service) return null
  return {
    service,
    reading: summary ? { data: summary.reading, readAt: fromDate(summary.read_at) } : null,
    products: known.products,
    changedAt: [bought?.created_at, come?.ended_at].filter((at) => at instanceof Date).map(fromDate),
    extraDataPrice: price?.price_cents ?? null,
  }
}

const readOnly = readTogether((db, { userId }: { userId: string }) => asked(db, idOfOnlyService(db, userId)))

const readNamed = readTogether((db, { userId, uuid }: { userId: string; uuid: string }) =>
  asked(db, idOfOwnService(db, userId, uuid)),
)

const asked = (db: Db, ids: Ids) => ({
  services: servicesWithPlanAsked(db, ids),
  summaries: summariesAsked(db, ids),
  products: productsBySkuAsked(db, skusOfSummaries(db, ids)),
  bought: lastDataBoughtAsked(db, ids),
  come: lastComeAsked(db, ids),
  prices: extraDataPriceAsked(db),
})
