import { sql } from 'kysely'
import type { Db } from '#kit/server/db.ts'
import { pageOf, type Place } from '#kit/server/page.ts'
import type { Dispute } from '#features/disputes/server/disputes.store.ts'
import type { Refund } from '#features/refunds/server/refunds.store.ts'
import type { DisputeList } from '../money.contract.ts'

const aPage = 50

export type ListedDispute = Dispute & { order_code: string }
export type ListedRefund = Refund & { order_code: string }

/** Behind all that have a date, as the index has it. */
const dueOrLast = sql<Date>`coalesce(disputes.due_at, '9999-12-31 00:00:00+00'::timestamptz)`

const disputes = (db: Db) =>
  db
    .selectFrom('disputes')
    .innerJoin('orders', 'orders.id', 'disputes.order_id')
    .selectAll('disputes')
    .select('order_code')

/** As the index says it. */
const waits = sql<boolean>`disputes.outcome is null and disputes.state in ('announced', 'charged_back', 'prearbitration')`

/** How many banks wait for an answer. */
export async function countDisputesLeft(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('disputes')
    .select(({ fn }) => fn.countAll().as('count'))
    .where(waits)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** A page of disputes: of those that wait what is due first, of all the newest. */
export async function listDisputesOf(
  db: Db,
  { of, before, limit = aPage }: { of: DisputeList; before: Place | null; limit?: number },
): Promise<{ rows: ListedDispute[]; next: string | null }> {
  if (of === 'all') {
    const rows = await disputes(db)
      .$if(before !== null, (those) =>
        those.where(sql<boolean>`(disputes.created_at, disputes.id) < (${before?.at}, ${before?.key})`),
      )
      .orderBy('disputes.created_at', 'desc')
      .orderBy('disputes.id', 'desc')
      .limit(limit + 1)
      .execute()
    return pageOf(
      rows.map((row) => ({ ...row, at: row.created_at, key: row.id })),
      limit,
    )
  }
  const rows = await disputes(db)
    .select(dueOrLast.as('at'))
    .where(waits)
    .$if(before !== null, (those) =>
      those.where(sql<boolean>`(${dueOrLast}, disputes.id) > (${before?.at}, ${before?.key})`),
    )
    .orderBy(dueOrLast)
    .orderBy('disputes.id')
    .limit(limit + 1)
    .execute()
  return pageOf(
    rows.map((row) => ({ ...row, key: row.id })),
    limit,
  )
}

/** Refunds that have not arrived, the newest first. */
export async function listRefundsLeft(
  db: Db,
  before: Place | null,
): Promise<{ rows: ListedRefund[]; next: string | null }> {
  const rows = await db
    .selectFrom('refunds')
    .innerJoin('orders', 'orders.id', 'refunds.order_id')
    .selectAll('refunds')
    .select('order_code')
    // As the index says it.
    .where(sql<boolean>`refunds.state <> 'received'`)
    .$if(before !== null, (those) =>
      those.where(sql<boolean>`(refunds.created_at, refunds.id) < (${before?.at}, ${before?.key})`),
    )
    .orderBy('refunds.created_at', 'desc')
    .orderBy('refunds.id', 'desc')
    .limit(aPage + 1)
    .execute()
  return pageOf(
    rows.map((row) => ({ ...row, at: row.created_at, key: row.id })),
    aPage,
  )
}
