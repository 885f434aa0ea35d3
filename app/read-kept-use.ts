import { fromDate } from '#kit/server/clock.ts'
import type { Db } from '#kit/server/db.ts'
import { type Ids, readTogether } from '#kit/server/read-together.ts'
import { isUuid } from '#kit/server/uuid.ts'
import { lastDataBoughtAsked } from '#features/orders/server/data-bought.store.ts'
import type { KeptProducts } from '#features/plans/server/kept-products.ts'
import { extraDataPriceOf } from '#features/plans/server/plans.store.ts'
import { lastComeAsked } from '#features/porting/server/porting.store.ts'
import { idOfOnlyService, idOfOwnService, servicesWithPlanAsked } from '#features/services/server/own-service.store.ts'
import { summariesAsked } from '#features/usage/server/readings.store.ts'
import type { KeptUse } from '#features/usage/server/usage.deps.ts'

type Kept = { db: Db; products: KeptProducts }

/** What is kept of the use of one service, of all slices that know of it: a page is rendered with it. */
export async function readKeptUse(
  { db, products: kept }: Kept,
  userId: string,
  uuid: string | null,
): Promise<KeptUse | null> {
  if (uuid !== null && !isUuid(uuid)) return null
  const [known, products] = await Promise.all([
    uuid === null ? readOnly(db, { userId }) : readNamed(db, { userId, uuid }),
    kept.all(),
  ])
  const [[service], [summary], [bought], [come]] = [known.services, known.summaries, known.bought, known.come]
  if (!service) return null
  return {
    service,
    reading: summary ? { data: summary.reading, readAt: fromDate(summary.read_at) } : null,
    products: [...products.values()],
    changedAt: [bought?.created_at, come?.ended_at].filter((at) => at instanceof Date).map(fromDate),
    extraDataPrice: extraDataPriceOf(products.values()),
  }
}

const readOnly = readTogether((db, { userId }: { userId: string }) => asked(db, idOfOnlyService(db, userId)))

const readNamed = readTogether((db, { userId, uuid }: { userId: string; uuid: string }) =>
  asked(db, idOfOwnService(db, userId, uuid)),
)

const asked = (db: Db, ids: Ids) => ({
  services: servicesWithPlanAsked(db, ids),
  summaries: summariesAsked(db, ids),
  bought: lastDataBoughtAsked(db, ids),
  come: lastComeAsked(db, ids),
})
