import { sql } from 'kysely'
import type { Db } from '#kit/server/db.ts'
import { among, type Ids, question } from '#kit/server/read-together.ts'
import { goneStates } from '../orders.states.ts'

/** Same rule as `hasBoughtDataSince`. */
export const lastDataBoughtAsked = (db: Db, ids: Ids) =>
  question(
    db
      .selectFrom('orders')
      .select('created_at')
      .where('service_id', ...among(ids))
      .where('kind', '=', 'addon')
      .where('state', 'not in', goneStates)
      .where(sql<boolean>`((product->>'data_gb')::numeric > 0 or (product->>'roaming')::boolean)`)
      .orderBy('created_at', 'desc')
      .limit(1),
    { created_at: true },
  )
