import { centsToDecimal } from '#kit/contract/money.ts'
import { realNow } from '#kit/server/clock.ts'
import { isRefundOpen, type RefundState } from '#features/refunds/refunds.states.ts'
import type { Tone } from '#desk/features/customers/customer-history.contract.ts'
import { maskNumbers } from '#desk/features/orders/server/order.labels.ts'
import type { DisputeList, DisputeRow, RefundRow } from '#desk/features/money/money.contract.ts'
import { secondsLeft, reasonText, disputeStateLabel } from './dispute.labels.ts'
import { sql } from 'kysely'
import type { Db } from '#kit/server/db.ts'
import { paginateRows, type PagePosition } from '#kit/server/pagination.ts'
import type { Dispute } from '#features/disputes/server/disputes.store.ts'
import type { Refund } from '#features/refunds/server/refunds.store.ts'

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

const refundLabels: Record<Exclude<RefundState, 'received'>, { words: string; tone: Tone }> = {
  initiated: { words: 'On its way', tone: 'plain' },
  unknown: { words: 'No answer', tone: 'warn' },
  refused: { words: 'Refused', tone: 'bad' },
  returned: { words: 'Returned by the bank', tone: 'bad' },
}

export function presentRefundRow(refund: ListedRefund): RefundRow {
  const { state, created_at: at } = refund
  return {
    id: refund.id,
    order: refund.order_code,
    reference: refund.reference,
    amount: centsToDecimal(refund.amount_cents),
    ...refundLabels[state as keyof typeof refundLabels],
    why: pendingReason(refund),
    created: at.toISOString(),
    age_seconds: Math.round((realNow().epochMilliseconds - at.getTime()) / 1_000),
    next_try: refund.retry_at?.toISOString() ?? null,
    may_retry: isRefundOpen(state),
  }
}

function pendingReason({ state, tries, refusal }: ListedRefund): string {
  switch (state) {
    case 'initiated':
      return 'Being sent to the gateway'
    case 'unknown':
      return `No answer from the gateway after ${tries === 1 ? 'one attempt' : `${tries} attempts`}; retried automatically`
    case 'refused':
      return `The gateway refused the refund: ${maskNumbers(refusal ?? 'no reason given')}. Make a new refund on the order’s page`
    default:
      return 'The refund did not reach the customer. Make a new refund on the order’s page'
  }
}

const pageSize = 50

export type ListedDispute = Dispute & { order_code: string }
export type ListedRefund = Refund & { order_code: string }

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

export async function listPendingRefunds(
  db: Db,
  before: PagePosition | null,
): Promise<{ rows: ListedRefund[]; next: string | null }> {
  const rows = await db
    .selectFrom('refunds')
    .innerJoin('orders', 'orders.id', 'refunds.order_id')
    .selectAll('refunds')
    .select('order_code')
    // This condition must match the partial index on `refunds`.
    .where(sql<boolean>`refunds.state <> 'received'`)
    .$if(before !== null, (query) =>
      query.where(sql<boolean>`(refunds.created_at, refunds.id) < (${before?.at}, ${before?.key})`),
    )
    .orderBy('refunds.created_at', 'desc')
    .orderBy('refunds.id', 'desc')
    .limit(pageSize + 1)
    .execute()
  return paginateRows(
    rows.map((row) => ({ ...row, at: row.created_at, key: row.id })),
    pageSize,
  )
}
