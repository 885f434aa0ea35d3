import { formatPrice } from '#kit/contract/money.ts'
import { countsAsDisputed } from '#features/disputes/disputes.states.ts'
import type { Dispute } from '#features/disputes/server/disputes.store.ts'
import type { Document } from '#features/invoices/server/invoices.store.ts'
import { isReserved } from '#features/orders/payment-attempts.states.ts'
import { isOver, wasDelivered } from '#features/orders/orders.states.ts'
import { type Order, paysByCard } from '#features/orders/server/orders.store.ts'
import type { Attempt } from '#features/orders/server/payments.store.ts'
import { isGiven } from '#features/refunds/refunds.states.ts'
import type { Refund } from '#features/refunds/server/refunds.store.ts'

export type OrderBooks = {
  order: Order
  attempts: Attempt[]
  refunds: Refund[]
  disputes: Dispute[]
  documents: Document[]
}

/** The inconsistencies of an order's records, one sentence each. The sentences are the same on every run. */
export function faultsOfBooks(books: OrderBooks): string[] {
  const { order } = books
  // An unfinished order is a fault only once it was reported as overdue, which clears overdue_at. A held order waits for its customer.
  if (!isOver(order.state)) return order.overdue_at === null && order.state !== 'held' ? ['is not over'] : []
  return wasDelivered(order.state)
    ? [...faultsOfPayment(books), ...faultsOfRefunds(books), ...faultsOfDocuments(books), ...faultsOfCancelled(books)]
    : faultsOfNothing(books)
}

const sum = (amounts: number[]): number => amounts.reduce((all, cents) => all + cents, 0)

function faultsOfPayment({ order, attempts }: OrderBooks): string[] {
  const captured = attempts.filter(({ state }) => state === 'captured')
  const wanted = paysByCard(order) && order.amount_cents > 0 ? 1 : 0
  return [
    ...unless(captured.length === wanted, `is delivered and was charged ${captured.length} times`),
    ...unless(
      captured.every(({ amount_cents }) => amount_cents === order.amount_cents),
      'was charged a different amount from its price',
    ),
    ...captured.flatMap(({ reference, capture_failed_at: failed }) =>
      unless(failed === null, `is delivered, and ${reference} could not be captured`),
    ),
    ...attempts.flatMap(({ reference, state }) => unless(!isReserved(state), `has money reserved by ${reference}`)),
  ]
}

function faultsOfRefunds({ attempts, refunds, disputes }: OrderBooks): string[] {
  const captured = sum(attempts.filter(({ state }) => state === 'captured').map(({ amount_cents }) => amount_cents))
  const given = sum(refunds.filter(isGiven).map(({ amount_cents }) => amount_cents))
  const counted = disputes.filter(({ state, outcome }) => countsAsDisputed(state, outcome))
  const disputed = sum(counted.map(({ amount_cents }) => amount_cents))
  return [
    ...unless(
      given + disputed <= captured,
      `was charged ${formatPrice(captured)}, of which ${formatPrice(given)} was refunded and ${formatPrice(disputed)} is disputed`,
    ),
    ...refunds.flatMap(({ reference, state }) =>
      unless(state !== 'returned', `still owes the customer the refund ${reference}`),
    ),
  ]
}

/** The payment for a cancelled plan must be refunded. A refused refund has an operator task already. */
function faultsOfCancelled({ order, attempts, refunds, disputes }: OrderBooks): string[] {
  if (order.state !== 'cancelled' || refunds.some(({ state }) => state === 'refused')) return []
  const captured = sum(attempts.filter(({ state }) => state === 'captured').map(({ amount_cents }) => amount_cents))
  const given = sum(refunds.filter(isGiven).map(({ amount_cents }) => amount_cents))
  const counted = disputes.filter(({ state, outcome }) => countsAsDisputed(state, outcome))
  return unless(
    given + sum(counted.map(({ amount_cents }) => amount_cents)) >= captured,
    `is cancelled, but only ${formatPrice(given)} of the ${formatPrice(captured)} charged was refunded`,
  )
}

function faultsOfDocuments({ order, refunds, documents }: OrderBooks): string[] {
  const invoices = documents.filter(({ document_type }) => document_type === 'invoice')
  const notes = documents.filter(({ document_type }) => document_type === 'credit')
  const received = refunds.filter(({ psp_reference }) => psp_reference !== null)
  return [
    ...unless(invoices.length === 1, `has ${invoices.length} invoices`),
    ...unless(
      invoices.every(({ total_cents }) => total_cents === order.amount_cents),
      'has an invoice for a different amount',
    ),
    ...received.flatMap(({ id, reference, amount_cents }) =>
      unless(
        notes.some((note) => note.refund_id === id && note.total_cents === 0 - amount_cents),
        `has no credit note for ${reference}`,
      ),
    ),
    ...unless(notes.length === received.length, `has ${notes.length} credit notes for ${received.length} refunds`),
  ]
}

const faultsOfNothing = ({ order, attempts }: OrderBooks): string[] =>
  attempts.flatMap(({ reference, state }) => [
    ...unless(!isReserved(state), `is ${order.state}, and money is reserved by ${reference}`),
    ...unless(state !== 'captured', `is ${order.state}, and ${reference} was captured`),
  ])

const unless = (isGood: boolean, fault: string): string[] => (isGood ? [] : [fault])
