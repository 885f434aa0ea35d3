import { sql } from 'kysely'
import { countActs } from '#kit/server/audit.ts'
import { fromDate } from '#kit/server/clock.ts'
import type { Db } from '#kit/server/db.ts'
import type { Dispute } from '#features/disputes/server/disputes.store.ts'
import { findDisputeByReference } from '#features/disputes/server/disputes.store.ts'
import { codesOf } from '#features/orders/server/orders.store.ts'
import { type OrderOfDesk, readDeskOrder } from '#desk/features/orders/server/desk-order.view.ts'

/** A dispute, and all that says what its money was for. */
export type Disputed = OrderOfDesk & { dispute: Dispute; use: UseSince }

/** What was made of it since; nobody's words, and no numbers that were called. */
type UseSince = {
  service: { iccid: string; msisdn: string; created_at: Date; released_at: Date | null } | null
  cycles: { starts_at: Date; ends_at: Date; used_mb: number | null; ran_out_at: Date | null }[]
  /** The network's last word on what is left of data, in MB. */
  left: { mb: number; at: Date } | null
  /** Bought for the same number afterwards. */
  laterOrders: number
  signIns: { times: number; at: Date } | null
}

/** As many sign-ins as anybody counts. */
const mostSignIns = 1_000

export async function readDisputed(db: Db, reference: string): Promise<Disputed | null> {
  const dispute = await findDisputeByReference(db, reference)
  const code = dispute && (await codesOf(db, [dispute.order_id])).get(dispute.order_id)
  const order = code ? await readDeskOrder(db, code) : null
  return dispute && order ? { ...order, dispute, use: await readUse(db, order.whole.order) } : null
}

async function readUse(db: Db, order: OrderOfDesk['whole']['order']): Promise<UseSince> {
  const { service_id: serviceId, user_id: userId, created_at: since, completed_at: delivered } = order
  const signIns = userId ? await countActs(db, userId, 'login', { since: fromDate(since), most: mostSignIns }) : null
  if (!serviceId) return { service: null, cycles: [], left: null, laterOrders: 0, signIns }
  const service = await db
    .selectFrom('services')
    .select(['iccid', 'msisdn', 'created_at', 'released_at'])
    .where('id', '=', serviceId)
    .executeTakeFirst()
  const cycles = await db
    .selectFrom('cycle_usage')
    .select(['starts_at', 'ends_at', 'used_mb', 'ran_out_at'])
    .where('service_id', '=', serviceId)
    .where('ends_at', '>', delivered ?? since)
    .orderBy('starts_at')
    .limit(30)
    .execute()
  const later = await db
    .selectFrom('orders')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('service_id', '=', serviceId)
    .where('completed_at', '>', delivered ?? since)
    .executeTakeFirstOrThrow()
  return {
    service: service ?? null,
    cycles,
    left: await lastReading(db, serviceId),
    laterOrders: Number(later.count),
    signIns,
  }
}

async function lastReading(db: Db, serviceId: string): Promise<UseSince['left']> {
  const row = await db
    .selectFrom('usage_readings')
    .select('read_at')
    .select(
      sql<
        string | null
      >`(select sum((each ->> 'remaining')::numeric) from jsonb_array_elements(reading) each where each ->> 'type' = 'data')`.as(
        'mb',
      ),
    )
    .where('service_id', '=', serviceId)
    .where('kind', '=', 'summary')
    .executeTakeFirst()
  return row?.mb ? { mb: Number(row.mb), at: row.read_at } : null
}
