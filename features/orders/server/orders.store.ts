import { type Generated, type Selectable, type Updateable } from 'kysely'
import { findTransition } from '#kit/contract/transitions.ts'
import { realNow, toDate } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'
import type { Json } from '#kit/server/json.ts'
import { createStateTransition } from '#kit/server/state-transition.ts'
import { inIds, type Ids } from '#kit/server/combined-query.ts'
import { type RetryQueue, scheduleRetry } from '#kit/server/retry-queue.ts'
import { endMatchingTasks } from '#features/operator-tasks/server/operator-tasks.store.ts'
import type { Product } from '#features/plans/plans.contract.ts'
import type { PortingForm } from '#features/porting/porting.contract.ts'
import type { PaymentSource } from '../card-payment.contract.ts'
import { failedStates, isEndState, type OrderEvent, type OrderState, orderTransitions } from '../orders.states.ts'
import { recordOrderEvent } from './order-events.store.ts'

declare module '#kit/server/db.ts' {
  interface Tables {
    orders: OrderTable
  }
}

type OrderTable = {
  id: string
  order_code: string
  kind: 'activation' | 'recharge' | 'addon'
  state: OrderState
  version: number
  session_id: string | null
  user_id: string | null
  idempotency_key: string | null
  product_id: string
  product: Json<Product>
  paid_with: PaymentSource
  amount_cents: number
  currency: string
  voucher_id: string | null
  iccid: string
  msisdn: string
  email: string
  full_name: string
  password_hash: string | null
  marketing_consent: boolean
  /** The id of an existing, verified account that the order is added to, because the visitor signed up with that account's password. */
  joins_user_id: string | null
  porting: Json<PortingForm> | null
  service_id: string | null
  schedule_id: string | null
  renews_order_id: string | null
  starts_at: Date | null
  /** The id of the order whose queued plan this order will replace once paid for. */
  instead_of_order_id: string | null
  auto_renewal: Generated<boolean>
  failure_code: string | null
  retry_at: Date | null
  tries: number
  lease_token: string | null
  lease_until: Date | null
  due_at: Date | null
  overdue_at: Date | null
  created_at: Date
  completed_at: Date | null
}

export type Order = Selectable<OrderTable>

export const paysByCard = ({ paid_with: by }: Pick<Order, 'paid_with'>): boolean => by !== 'voucher'

/** An order that has not reached a final state after this many minutes of real time is reported to the operator. */
export const overdueAfterMinutes = 30

export const findOrder = (db: Db | Trx, id: string): Promise<Order | undefined> =>
  db.selectFrom('orders').selectAll().where('id', '=', id).executeTakeFirst()

export const findOrderByIdOrSubquery = (db: Db, ids: Ids): Promise<Order | undefined> =>
  db
    .selectFrom('orders')
    .selectAll()
    .where('id', ...inIds(ids))
    .executeTakeFirst()

export const lockOrder = (trx: Trx, id: string): Promise<Order> =>
  trx.selectFrom('orders').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirstOrThrow()

/** Finds an order by its code without checking the owner, so never pass a code from a customer's request. */
export const findOrderByCode = (db: Db | Trx, orderCode: string): Promise<Order | undefined> =>
  db.selectFrom('orders').selectAll().where('order_code', '=', orderCode).executeTakeFirst()

export async function findOrderCodes(db: Db, ids: string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db.selectFrom('orders').select(['id', 'order_code']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, order_code }) => [id, order_code]))
}

export function findOwnOrder(
  db: Db,
  orderCode: string,
  owner: { sessionId: string | null; userId: string | null },
): Promise<Order | undefined> {
  return db
    .selectFrom('orders')
    .selectAll()
    .where('order_code', '=', orderCode)
    .where((where) =>
      where.or([
        ...(owner.sessionId ? [where('session_id', '=', owner.sessionId)] : []),
        ...(owner.userId ? [where('user_id', '=', owner.userId)] : []),
        where.lit(false),
      ]),
    )
    .executeTakeFirst()
}

export const findOrderByKey = (db: Db | Trx, sessionId: string, key: string): Promise<Order | undefined> =>
  db
    .selectFrom('orders')
    .selectAll()
    .where('session_id', '=', sessionId)
    .where('idempotency_key', '=', key)
    .executeTakeFirst()

const updateState = createStateTransition({
  table: 'orders',
  transitions: orderTransitions,
  asRead: ['id', 'version', 'state'],
  also: (_to, { version }) => ({ version: version + 1 }),
})

/**
 * Applies an event to an order and returns the updated row, or `null` if another worker has already changed the order's state.
 * @throws if the order's state has no transition for the event
 */
export async function transitionOrder(
  trx: Trx,
  order: Order,
  event: OrderEvent,
  patch: Updateable<OrderTable> = {},
): Promise<Order | null> {
  const isFinalTransition = isEndState(findTransition(orderTransitions, event).to)
  const updatedOrder = await updateState(trx, order, event, {
    tries: 0,
    due_at: null,
    retry_at: isFinalTransition ? null : toDate(realNow()),
    ...(isFinalTransition && { overdue_at: null, password_hash: null, lease_token: null, lease_until: null }),
    ...(isEndState(order.state) && { overdue_at: toDate(realNow().add({ minutes: overdueAfterMinutes })) }),
    ...patch,
  })
  // End the task about the order's delay. Other tasks about the order stay open.
  if (updatedOrder && isFinalTransition) await endMatchingTasks(trx, { kind: 'order', orderId: order.id })
  if (updatedOrder)
    await recordOrderEvent(trx, {
      orderId: order.id,
      kind: 'state',
      name: event,
      from: order.state,
      to: updatedOrder.state,
      detail: updatedOrder.failure_code,
    })
  return updatedOrder
}

/**
 * Schedules an order's next try, unless the order has changed state in the meantime. `tries` is how often the current step
 * has been tried.
 */
export const scheduleOrderRetry = (
  db: Db | Trx,
  { id, version }: Order,
  seconds: number,
  change: { tries?: number } = {},
): Promise<void> => scheduleRetry(db, orderQueue, { id, version }, { seconds, change })

/** A step may take longer than this queue's lease, so the worker leases the order as well. */
export const orderQueue: RetryQueue = {
  queue: 'orders.advance',
  table: 'orders',
  key: 'id',
  leaseSeconds: 10,
  leasedUntil: 'lease_until',
  // An order that a customer is waiting for is processed ahead of the thousands of automatic renewals in a night.
  comesLast: 'auto_renewal',
}

/**
 * Moves all orders to another account. Call this before moving the account's other data: a worker that delivers an order
 * also locks the order first, so the two cannot deadlock.
 */
export async function reassignOrders(trx: Trx, fromUserId: string, toUserId: string): Promise<void> {
  await trx.updateTable('orders').set({ user_id: toUserId }).where('user_id', '=', fromUserId).execute()
}

/** Whether a customer has, had or is about to get a service. Every service starts with an activation order, which the account keeps. */
export async function hasActivationOrder(db: Db | Trx, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('orders')
    .select('id')
    .where('user_id', '=', userId)
    .where('kind', '=', 'activation')
    .where('state', 'not in', failedStates)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export async function hasOtherOrders(trx: Trx, userId: string, orderId: string): Promise<boolean> {
  const row = await trx
    .selectFrom('orders')
    .select('id')
    .where('user_id', '=', userId)
    .where('id', '!=', orderId)
    .where('state', 'not in', failedStates)
    .executeTakeFirst()
  return row !== undefined
}
