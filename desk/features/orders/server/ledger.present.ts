import { formatPriceWithCommas } from '#kit/contract/format-price-with-commas.ts'
import { countsAsDisputed } from '#features/disputes/disputes.states.ts'
import { isEndState, wasDelivered } from '#features/orders/orders.states.ts'
import { paysByCard } from '#features/orders/server/orders.store.ts'
import { findInconsistencies } from '#features/reconciliation/server/order-ledger.ts'
import { countsAsRefunded } from '#features/refunds/refunds.states.ts'
import type { DeskOrder } from '../orders.contract.ts'
import type { OrderRecord } from './order-view.ts'

type Row = DeskOrder['books']['rows'][number]
const sum = (amounts: number[]): number => amounts.reduce((all, cents) => all + cents, 0)
const sumCents = (rows: { amount_cents: number }[]): number => sum(rows.map(({ amount_cents }) => amount_cents))

export function presentLedger(record: OrderRecord): DeskOrder['books'] {
  const { order, attempts, refunds, disputes, documents, operations } = record
  const isDelivered = wasDelivered(order.state)
  const owed = paysByCard(order) && isDelivered ? order.amount_cents : 0
  const authorisedAttempts = attempts.filter(
    ({ state }) => !['initiated', 'unknown', 'refused', 'cancelled', 'cancelling'].includes(state),
  )
  const capturedCents = sumCents(
    attempts.filter(({ state, capture_failed_at: failed }) => state === 'captured' && !failed),
  )
  const documentTotal = (type: string): number =>
    sum(documents.flatMap((each) => (each.document_type === type ? each.total_cents : [])))
  const refundedCents = sumCents(refunds.filter((each) => countsAsRefunded(each) && each.psp_reference !== null))
  const disputedCents = sumCents(disputes.filter(({ state, outcome }) => countsAsDisputed(state, outcome)))
  const added = operations.filter(({ kind, state }) => state === 'completed' && kind.startsWith('add_')).length
  const removalCount = operations.filter(
    ({ kind, state }) => state === 'completed' && /^(?:remove_|deactivate_)/.test(kind),
  ).length
  const isReversed = order.state === 'cancelled' || order.state === 'undone'
  const rows = [
    ...(isDelivered ? [money('Authorised', sumCents(authorisedAttempts), owed)] : []),
    ...(isDelivered ? [money('Taken', capturedCents, documentTotal('invoice'))] : []),
    money('Refunded', refundedCents, 0 - documentTotal('credit')),
    ...(disputes.length > 0
      ? [
          {
            ...money('Disputed', disputedCents, disputedCents),
            is_same: disputedCents + refundedCents <= capturedCents,
          },
        ]
      : []),
    ...(isDelivered || isReversed ? [count('Plans added', Math.max(0, added - removalCount), isReversed ? 0 : 1)] : []),
  ]
  const faults = isEndState(order.state) ? findInconsistencies(record) : []
  return { rows, faults, agree: faults.length === 0 && rows.every(({ is_same }) => is_same) }
}

const money = (what: string, one: number, other: number): Row => ({
  what,
  one: formatPriceWithCommas(one),
  other: formatPriceWithCommas(other),
  is_same: one === other,
})
const count = (what: string, one: number, other: number): Row => ({
  what,
  one: String(one),
  other: String(other),
  is_same: one === other,
})
