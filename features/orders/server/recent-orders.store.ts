import { toDate } from '#kit/server/clock.ts'
import type { Db } from '#kit/server/db.ts'
import type { Order } from './orders.store.ts'

export const listOrdersSince = (
  db: Db,
  { since, after, limit }: { since: Temporal.Instant; after: Pick<Order, 'created_at' | 'id'> | null; limit: number },
): Promise<Order[]> =>
  db
    .selectFrom('orders')
    .selectAll()
    .where('created_at', '>=', toDate(since))
    .$if(after !== null, (query) =>
      query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('created_at', 'id'), '>', tuple(after?.created_at ?? new Date(0), after?.id ?? '')),
      ),
    )
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit)
    .execute()
