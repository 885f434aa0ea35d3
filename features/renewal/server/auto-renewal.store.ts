import type { Db } from '#kit/server/db.ts'
import type { OrderState } from '#features/orders/orders.states.ts'
import type { AutoSchedule } from '#features/services/server/auto-renewal.store.ts'

const over: OrderState[] = ['completed', 'refused', 'undone']

/** Schedules whose charge is over, whichever way it went. Nothing is held. */
export const findEndedCharges = (db: Db, limit = 100): Promise<Pick<AutoSchedule, 'id' | 'service_id'>[]> =>
  db
    .selectFrom('schedules')
    .innerJoin('orders', 'orders.id', 'schedules.auto_order_id')
    .select(['schedules.id', 'schedules.service_id'])
    .where('orders.state', 'in', over)
    .orderBy('orders.created_at')
    .orderBy('orders.id')
    .limit(limit)
    .execute()
