import { randomUUID } from 'node:crypto'
import { realNow, toDate } from '#kit/server/clock.ts'
import type { Db } from '#kit/server/db.ts'
import { endStates } from '../orders.states.ts'
import type { Order } from './orders.store.ts'

/** Leases an order to this worker. Returns `null` if another worker holds the lease, or if the order is held or in a final state. */
export async function leaseOrder(db: Db, id: string, seconds: number): Promise<{ order: Order; token: string } | null> {
  const now = realNow()
  const token = randomUUID()
  const order = await db
    .updateTable('orders')
    .set({ lease_token: token, lease_until: toDate(now.add({ seconds })) })
    .where('id', '=', id)
    .where('state', 'not in', [...endStates, 'held'])
    .where((where) => where.or([where('lease_until', 'is', null), where('lease_until', '<', toDate(now))]))
    .returningAll()
    .executeTakeFirst()
  return order ? { order, token } : null
}

export async function releaseLease(db: Db, id: string, token: string): Promise<void> {
  await db
    .updateTable('orders')
    .set({ lease_token: null, lease_until: null })
    .where('id', '=', id)
    .where('lease_token', '=', token)
    .execute()
}

/** Removes all leases. Call this only when a process that runs alone starts, because then no other process can hold a lease. */
export async function clearOrderLeases(db: Db): Promise<void> {
  await db
    .updateTable('orders')
    .set({ lease_token: null, lease_until: null })
    .where('lease_until', 'is not', null)
    .execute()
}
