import { centsToDecimal } from '#kit/contract/money.ts'
import type { DisputeList, DisputeRow } from '#desk/features/money/money.contract.ts'
import { secondsLeft, reasonText, disputeStateLabel } from './dispute.labels.ts'
import { sql } from 'kysely'
import type { Db } from '#kit/server/db.ts'
import { paginateRows, type PagePosition } from '#kit/server/pagination.ts'
import type { Dispute } from '#features/disputes/server/disputes.store.ts'

export const presentDisputeRow = (dispute: ListedDispute): DisputeRow => ({
  reference: dispute.psp_reference,
  order: dispute.order_code,
  amount: centsToDecimal(dispute.amount_cents),
  currency: dispute.currency,
  reason: reasonText(dispute),
  ...disputeStateLabel(dispute),
  due: dispute.due_at?.toISOString() ?? null,
  left_seconds: secondsLeft(dispute),
})

const pageSize = 50

export type ListedDispute = Dispute & { order_code: string }

/** Puts disputes without a due date last. The expression must match the index on `disputes`. */
const dueDateNullsLast = sql<Date>`coalesce(disputes.due_at, '9999-12-31 00:00:00+00'::timestamptz)`

const selectDisputes = (db: Db) =>
  db
    .selectFrom('disputes')
    .innerJoin('orders', 'orders.id', 'disputes.order_id')
    .selectAll('disputes')
    .select('order_code')

/** This expression must match the partial index on `disputes`. */
const isWaiting = sql<boolean>`disputes.outcome is null and disputes.state in ('announced', 'charged_back', 'prearbitration')`

export async function countWaitingDisputes(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('disputes')
    .select(({ fn }) => fn.countAll().as('count'))
    .where(isWaiting)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function listDisputePage(
  db: Db,
  { of, before, limit = pageSize }: { of: DisputeList; before: PagePosition | null; limit?: number },
): Promise<{ rows: ListedDispute[]; next: string | null }> {
  if (of === 'all') {
    const rows = await selectDisputes(db)
      .$if(before !== null, (query) =>
        query.where(sql<boolean>`(disputes.created_at, disputes.id) < (${before?.at}, ${before?.key})`),
      )
      .orderBy('disputes.created_at', 'desc')
      .orderBy('disputes.id', 'desc')
      .limit(limit + 1)
      .execute()
    return paginateRows(
      rows.map((row) => ({ ...row, at: row.created_at, key: row.id })),
      limit,
    )
  }
  const rows = await selectDisputes(db)
    .select(dueDateNullsLast.as('at'))
    .where(isWaiting)
    .$if(before !== null, (query) =>
      query.where(sql<boolean>`(${dueDateNullsLast}, disputes.id) > (${before?.at}, ${before?.key})`),
    )
    .orderBy(dueDateNullsLast)
    .orderBy('disputes.id')
    .limit(limit + 1)
    .execute()
  return paginateRows(
    rows.map((row) => ({ ...row, key: row.id })),
    limit,
  )
}
