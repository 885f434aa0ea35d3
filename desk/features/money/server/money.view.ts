import { toWire } from '#kit/contract/money.ts'
import { realNow } from '#kit/server/clock.ts'
import { isRefundOpen, type RefundState } from '#features/refunds/refunds.states.ts'
import type { Tone } from '#desk/features/customers/happened.contract.ts'
import { withoutNumbers } from '#desk/features/orders/server/order-words.present.ts'
import type { DisputeList, DisputeRow, RefundRow } from '#desk/features/money/money.contract.ts'
import { leftOf, reasonOf, standingOf } from './dispute-words.ts'
import { sql } from 'kysely'
import type { Db } from '#kit/server/db.ts'
import { pageOf, type Place } from '#kit/server/page.ts'
import type { Dispute } from '#features/disputes/server/disputes.store.ts'
import type { Refund } from '#features/refunds/server/refunds.store.ts'

export const presentDisputeRow = (dispute: ListedDispute): DisputeRow => ({
  reference: dispute.psp_reference,
  order: dispute.order_code,
  amount: toWire(dispute.amount_cents),
  currency: dispute.currency,
  reason: reasonOf(dispute),
  ...standingOf(dispute),
  due: dispute.due_at?.toISOString() ?? null,
  left_seconds: leftOf(dispute),
})

const refundWords: Record<Exclude<RefundState, 'received'>, { words: string; tone: Tone }> = {
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
    amount: toWire(refund.amount_cents),
    ...refundWords[state as keyof typeof refundWords],
    why: whyWaits(refund),
    created: at.toISOString(),
    age_seconds: Math.round((realNow().epochMilliseconds - at.getTime()) / 1_000),
    next_try: refund.retry_at?.toISOString() ?? null,
    may_retry: isRefundOpen(state),
  }
}

function whyWaits({ state, tries, refusal }: ListedRefund): string {
  switch (state) {
    case 'initiated':
      return 'Being sent to the gateway'
    case 'unknown':
      return `No answer from the gateway after ${tries === 1 ? 'one attempt' : `${tries} attempts`}; retried automatically`
    case 'refused':
      return `The gateway refused the refund: ${withoutNumbers(refusal ?? 'no reason given')}. Refund it again on the order’s page`
    default:
      return 'The refund did not reach the customer. Refund it again on the order’s page'
  }
}

const aPage = 50

export type ListedDispute = Dispute & { order_code: string }
export type ListedRefund = Refund & { order_code: string }

/** Sorts disputes without a due date last. The expression must match the index. */
const dueOrLast = sql<Date>`coalesce(disputes.due_at, '9999-12-31 00:00:00+00'::timestamptz)`

const disputes = (db: Db) =>
  db
    .selectFrom('disputes')
    .innerJoin('orders', 'orders.id', 'disputes.order_id')
    .selectAll('disputes')
    .select('order_code')

/** The expression must match the index. */
const waits = sql<boolean>`disputes.outcome is null and disputes.state in ('announced', 'charged_back', 'prearbitration')`

export async function countDisputesLeft(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('disputes')
    .select(({ fn }) => fn.countAll().as('count'))
    .where(waits)
    .executeTakeFirstOrThrow()
  return Number(count)
}

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

export async function listRefundsLeft(
  db: Db,
  before: Place | null,
): Promise<{ rows: ListedRefund[]; next: string | null }> {
  const rows = await db
    .selectFrom('refunds')
    .innerJoin('orders', 'orders.id', 'refunds.order_id')
    .selectAll('refunds')
    .select('order_code')
    // The condition must match the index.
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
