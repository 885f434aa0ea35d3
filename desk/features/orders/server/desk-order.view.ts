import { sql } from 'kysely'
import type { Db } from '#kit/server/db.ts'
import { orderCancelledMailKey } from '#features/orders/server/order-cancelled.mail.ts'
import type { Order } from '#features/orders/server/orders.store.ts'
import { readOrder } from './order-view.ts'

export type OrderPortRow = Awaited<ReturnType<typeof findOrderPort>> & {}
export type OrderMessageRow = Awaited<ReturnType<typeof listOrderMessages>>[number]

export type DeskOrderRecord = NonNullable<Awaited<ReturnType<typeof readDeskOrder>>>

export async function readDeskOrder(db: Db, code: string) {
  const record = await readOrder(db, code)
  if (!record) return null
  const { order, refunds } = record
  const port = await findOrderPort(db, order.id)
  const refs = [order.id, ...refunds.map(({ id }) => id), ...(port ? [port.id] : [])]
  return {
    whole: record,
    port: port ?? null,
    messages: await listOrderMessages(db, order, refs),
    usualSeconds: await readMedianDuration(db, order.kind),
  }
}

const findOrderPort = (db: Db, orderId: string) =>
  db
    .selectFrom('porting_requests')
    .innerJoin('porting_providers', 'porting_providers.id', 'porting_requests.provider_id')
    .select([
      'porting_requests.id',
      'external_id',
      'status',
      'failure_code',
      'created_at',
      'ended_at',
      'name as donor_name',
    ])
    .where('order_id', '=', orderId)
    .executeTakeFirst()

/** Lists the messages about an order. The email about its cancellation also goes to a buyer without an account. */
const listOrderMessages = (db: Db, { id, user_id: userId }: Order, refs: string[]) =>
  db
    .selectFrom('messages')
    .select(['id', 'channel', 'subject', 'kind', 'created_at', 'sent_at', 'refused_at', 'dropped_at'])
    .where((eb) => {
      const isAboutCancellation = eb('event_key', '=', orderCancelledMailKey(id))
      return userId
        ? eb.or([isAboutCancellation, eb.and([eb('user_id', '=', userId), eb('ref', 'in', refs)])])
        : isAboutCancellation
    })
    .orderBy('created_at')
    .limit(50)
    .execute()

/** Median duration in seconds of the last hundred completed orders of this kind; at least 1. `null` if there are none. */
async function readMedianDuration(db: Db, kind: Order['kind']): Promise<number | null> {
  const latestOrders = db
    .selectFrom('orders')
    .select(sql<number>`extract(epoch from completed_at - created_at)`.as('seconds'))
    .where('completed_at', 'is not', null)
    .where('kind', '=', kind)
    .orderBy('completed_at', 'desc')
    .limit(100)
  const row = await db
    .selectFrom(latestOrders.as('latest'))
    .select(sql<number | null>`percentile_cont(0.5) within group (order by seconds)`.as('median'))
    .executeTakeFirst()
  const median = row?.median ?? null
  return median === null ? null : Math.max(1, Math.round(Number(median)))
}
