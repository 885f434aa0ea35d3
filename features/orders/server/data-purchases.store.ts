import { sql } from 'kysely'
import type { Db } from '#kit/server/db.ts'
import { inIds, type Ids, queryPart } from '#kit/server/combined-query.ts'
import { nonBlockingStates } from '../orders.states.ts'

/** Finds the latest data purchase, using the same rule as `hasBoughtDataSince`. */
export const lastDataPurchaseQueryPart = (db: Db, ids: Ids) =>
  queryPart(
    db
      .selectFrom('orders')
      .select('created_at')
      .where('service_id', ...inIds(ids))
      .where('kind', '=', 'addon')
      .where('state', 'not in', nonBlockingStates)
      .where(sql<boolean>`((product->>'data_gb')::numeric > 0 or (product->>'roaming')::boolean)`)
      .orderBy('created_at', 'desc')
      .limit(1),
    { created_at: true },
  )
