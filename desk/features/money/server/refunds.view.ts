import { sql } from 'kysely'
import { centsToDecimal } from '#kit/contract/money.ts'
import { type Clock, fromDate, realNow, toDate } from '#kit/server/clock.ts'
import type { Db } from '#kit/server/db.ts'
import type { PagePosition } from '#kit/server/pagination.ts'
import { isRefundOpen, type RefundState } from '#features/refunds/refunds.states.ts'
import type { Refund } from '#features/refunds/server/refunds.store.ts'
import type { Tone } from '#desk/features/customers/customer-history.contract.ts'
import { maskNumbers } from '#desk/features/orders/server/order.labels.ts'
import { getReasonName } from '#desk/features/staff/reasons.contract.ts'
import type { RefundList, RefundRow } from '../refunds.contract.ts'

export type ListedRefund = Refund & { order_code: string; currency: string }

const stateLabels: Record<RefundState, { words: string; tone: Tone }> = {
  initiated: { words: 'On its way', tone: 'plain' },
  unknown: { words: 'No answer', tone: 'warn' },
  received: { words: 'Refunded', tone: 'good' },
  refused: { words: 'Refused', tone: 'bad' },
  returned: { words: 'Returned by the bank', tone: 'bad' },
}

/** Returns when a refund was requested, by the application's clock. `created_at` is in real time. */
const requestedAt = ({ created_at: at }: Refund, clock: Clock): Temporal.Instant =>
  fromDate(at).add({ milliseconds: Math.round(clock.offset()) })

export function presentRefundRow(refund: ListedRefund, clock: Clock): RefundRow {
  const { state } = refund
  return {
    id: refund.id,
    order: refund.order_code,
    reference: refund.reference,
    amount: centsToDecimal(refund.amount_cents),
    ...stateLabels[state],
    why: refundDetails(refund),
    created: requestedAt(refund, clock).toString(),
    age_seconds: Math.round((realNow().epochMilliseconds - refund.created_at.getTime()) / 1_000),
    next_try: refund.retry_at?.toISOString() ?? null,
    may_retry: isRefundOpen(state),
  }
}

function refundDetails({ state, tries, refusal }: ListedRefund): string {
  switch (state) {
    case 'initiated':
      return 'Being sent to the gateway'
    case 'unknown':
      return `No answer from the gateway after ${tries === 1 ? 'one attempt' : `${tries} attempts`}; retried automatically`
    case 'received':
      return 'Accepted by the gateway'
    case 'refused':
      return `The gateway refused the refund: ${maskNumbers(refusal ?? 'no reason given')}. Make a new refund on the order’s page`
    case 'returned':
      return 'The refund did not reach the customer. Make a new refund on the order’s page'
  }
}

export const csvColumns = [
  'day',
  'time',
  'order',
  'reference',
  'gateway reference',
  'state',
  'amount',
  'currency',
  'reason',
] as const

/** Returns a refund as a row in the CSV file. The reason is without its note, because a note may name the customer. */
export function presentCsvRow(refund: ListedRefund, { clock, zone }: { clock: Clock; zone: string }): string[] {
  const at = requestedAt(refund, clock).toZonedDateTimeISO(zone)
  return [
    at.toPlainDate().toString(),
    at.toPlainTime().toString({ smallestUnit: 'second' }),
    refund.order_code,
    refund.reference,
    refund.psp_reference ?? '',
    stateLabels[refund.state].words,
    centsToDecimal(refund.amount_cents),
    refund.currency,
    reasonWithoutNote(refund.reason),
  ]
}

function reasonWithoutNote(reason: string | null): string {
  if (!reason) return ''
  return getReasonName(reason.split(': ')[0] ?? '') ?? 'Other'
}

const statesByList: Record<Exclude<RefundList, 'waiting' | 'all'>, readonly RefundState[]> = {
  received: ['received'],
  open: ['initiated', 'unknown'],
  refused: ['refused'],
  returned: ['returned'],
}

/** `from` and `to` bound the real time at which the refunds were requested. Without them, refunds of any time are listed. */
type RefundQuery = {
  of: RefundList
  from: Temporal.Instant | null
  to: Temporal.Instant | null
  before: PagePosition | null
  limit: number
}

export function listRefunds(db: Db, { of, from, to, before, limit }: RefundQuery): Promise<ListedRefund[]> {
  return (
    db
      .selectFrom('refunds')
      .innerJoin('orders', 'orders.id', 'refunds.order_id')
      .selectAll('refunds')
      .select(['order_code', 'orders.currency'])
      // A lower bound is always given, so that the index on the time is read from its end and the read stops at the limit.
      .where('refunds.created_at', '>=', from ? toDate(from) : new Date(0))
      .$if(to !== null, (query) => query.where('refunds.created_at', '<', toDate(to!)))
      // This condition must match the partial index on `refunds`.
      .$if(of !== 'all' && of !== 'received', (query) => query.where(sql<boolean>`refunds.state <> 'received'`))
      .$if(of !== 'all' && of !== 'waiting', (query) =>
        query.where('refunds.state', 'in', statesByList[of as keyof typeof statesByList]),
      )
      .$if(before !== null, (query) =>
        query
          .where('refunds.created_at', '<=', before!.at)
          .where(sql<boolean>`(refunds.created_at, refunds.id) < (${before?.at}, ${before?.key})`),
      )
      .orderBy('refunds.created_at', 'desc')
      .orderBy('refunds.id', 'desc')
      .limit(limit)
      .execute()
  )
}
