import { formatSum } from '#kit/contract/sums.ts'
import { countsAsDisputed } from '#features/disputes/disputes.states.ts'
import { isOver, wasDelivered } from '#features/orders/orders.states.ts'
import { paysByCard } from '#features/orders/server/orders.store.ts'
import { faultsOfBooks } from '#features/reconciliation/server/order-books.ts'
import { isGiven } from '#features/refunds/refunds.states.ts'
import type { DeskOrder } from '../orders.contract.ts'
import type { WholeOrder } from './order-view.ts'

type Row = DeskOrder['books']['rows'][number]
const sum = (amounts: number[]): number => amounts.reduce((all, cents) => all + cents, 0)
const centsOf = (rows: { amount_cents: number }[]): number => sum(rows.map(({ amount_cents }) => amount_cents))

export function presentBooks(whole: WholeOrder): DeskOrder['books'] {
  const { order, attempts, refunds, disputes, documents, operations } = whole
  const isDelivered = wasDelivered(order.state)
  const owed = paysByCard(order) && isDelivered ? order.amount_cents : 0
  const live = attempts.filter(
    ({ state }) => !['initiated', 'unknown', 'refused', 'cancelled', 'cancelling'].includes(state),
  )
  const taken = centsOf(attempts.filter(({ state, capture_failed_at: failed }) => state === 'captured' && !failed))
  const papers = (type: string): number =>
    sum(documents.flatMap((each) => (each.document_type === type ? each.total_cents : [])))
  const given = centsOf(refunds.filter((each) => isGiven(each) && each.psp_reference !== null))
  const disputed = centsOf(disputes.filter(({ state, outcome }) => countsAsDisputed(state, outcome)))
  const added = operations.filter(({ kind, state }) => state === 'completed' && kind.startsWith('add_')).length
  const removed = operations.filter(
    ({ kind, state }) => state === 'completed' && /^(?:remove_|deactivate_)/.test(kind),
  ).length
  const isGone = order.state === 'cancelled' || order.state === 'undone'
  const rows = [
    ...(isDelivered ? [money('Authorised', centsOf(live), owed)] : []),
    ...(isDelivered ? [money('Taken', taken, papers('invoice'))] : []),
    money('Refunded', given, 0 - papers('credit')),
    ...(disputes.length > 0 ? [{ ...money('Disputed', disputed, disputed), is_same: disputed + given <= taken }] : []),
    ...(isDelivered || isGone ? [count('Plans added', Math.max(0, added - removed), isGone ? 0 : 1)] : []),
  ]
  const faults = isOver(order.state) ? faultsOfBooks(whole) : []
  return { rows, faults, agree: faults.length === 0 && rows.every(({ is_same }) => is_same) }
}

const money = (what: string, one: number, other: number): Row => ({
  what,
  one: formatSum(one),
  other: formatSum(other),
  is_same: one === other,
})
const count = (what: string, one: number, other: number): Row => ({
  what,
  one: String(one),
  other: String(other),
  is_same: one === other,
})
