import { sql } from 'kysely'
import { pageOf, type Place } from '#kit/server/page.ts'
import type { Db } from '#kit/server/db.ts'
import { failedStates, orderStates } from '#features/orders/orders.states.ts'
import type { Order } from '#features/orders/server/orders.store.ts'
import type { OrderList } from '../orders.contract.ts'

export type ListedOrder = Order & Place

const aPage = 50
const well = ['completed', 'cancelled'] as const
const ofList: Record<Exclude<OrderList, 'all'>, Order['state'][]> = {
  open: orderStates.filter(
    (state) => state !== 'held' && !failedStates.includes(state) && !well.some((each) => each === state),
  ),
  held: ['held'],
  failed: failedStates,
}

/** The newest orders that are not well, or of one part of them: what is well is found by its code. */
export async function listNotWell(
  db: Db,
  { of, before }: { of: OrderList; before: Place | null },
): Promise<{ rows: ListedOrder[]; next: string | null }> {
  let those = db
    .selectFrom('orders')
    .selectAll()
    // In so many words, as the index has it: a plan that is made before the values are known could not use it.
    .where(sql<boolean>`state not in (${sql.join(well.map((state) => sql.lit(state)))})`)
  if (of !== 'all') those = those.where('state', 'in', ofList[of])
  if (before)
    those = those.where(({ eb, refTuple, tuple }) =>
      eb(refTuple('created_at', 'id'), '<', tuple(before.at, before.key)),
    )
  const rows = await those
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(aPage + 1)
    .execute()
  return pageOf(
    rows.map((order) => ({ ...order, at: order.created_at, key: order.id })),
    aPage,
  )
}
