import { formatPrice } from '#kit/contract/money.ts'
import { countsAsDisputed } from '#features/disputes/disputes.states.ts'
import type { Dispute } from '#features/disputes/server/disputes.store.ts'
import type { Document } from '#features/invoices/server/invoices.store.ts'
import { isMoneyReserved } from '#features/orders/payment-attempts.states.ts'
import { isEndState, wasDelivered } from '#features/orders/orders.states.ts'
import { type Order, paysByCard } from '#features/orders/server/orders.store.ts'
import type { Attempt } from '#features/orders/server/payments.store.ts'
import { countsAsRefunded } from '#features/refunds/refunds.states.ts'
import type { Refund } from '#features/refunds/server/refunds.store.ts'

export type OrderLedger = {
  order: Order
  attempts: Attempt[]
  refunds: Refund[]
  disputes: Dispute[]
  documents: Document[]
}

/** Lists the inconsistencies in an order's records, one sentence each. The wording does not change from run to run. */
export function findInconsistencies(ledger: OrderLedger): string[] {
  const { order } = ledger
  /*
   * An unfinished order is a fault only after it has been reported as overdue, which clears `overdue_at`. A held order
   * is waiting for its customer.
   */
  if (!isEndState(order.state)) return order.overdue_at === null && order.state !== 'held' ? ['is not over'] : []
  return wasDelivered(order.state)
    ? [
        ...checkPaymentConsistency(ledger),
        ...checkRefundConsistency(ledger),
        ...checkDocumentConsistency(ledger),
        ...checkCancellationConsistency(ledger),
      ]
    : checkFailedOrderConsistency(ledger)
}

const sum = (amounts: number[]): number => amounts.reduce((all, cents) => all + cents, 0)

function checkPaymentConsistency({ order, attempts }: OrderLedger): string[] {
  const capturedAttempts = attempts.filter(({ state }) => state === 'captured')
  const expectedCaptureCount = paysByCard(order) && order.amount_cents > 0 ? 1 : 0
  return [
    ...checkConsistency(
      capturedAttempts.length === expectedCaptureCount,
      `is delivered and was charged ${capturedAttempts.length} times`,
    ),
    ...checkConsistency(
      capturedAttempts.every(({ amount_cents }) => amount_cents === order.amount_cents),
      'was charged a different amount from its price',
    ),
    ...capturedAttempts.flatMap(({ reference, capture_failed_at: failed }) =>
      checkConsistency(failed === null, `is delivered, and ${reference} could not be captured`),
    ),
    ...attempts.flatMap(({ reference, state }) =>
      checkConsistency(!isMoneyReserved(state), `has money reserved by ${reference}`),
    ),
  ]
}

function checkRefundConsistency({ attempts, refunds, disputes }: OrderLedger): string[] {
  const capturedCents = sum(
    attempts.filter(({ state }) => state === 'captured').map(({ amount_cents }) => amount_cents),
  )
  const refundedCents = sum(refunds.filter(countsAsRefunded).map(({ amount_cents }) => amount_cents))
  const countedDisputes = disputes.filter(({ state, outcome }) => countsAsDisputed(state, outcome))
  const disputedCents = sum(countedDisputes.map(({ amount_cents }) => amount_cents))
  const [captured, refunded, disputed] = [capturedCents, refundedCents, disputedCents].map(formatPrice)
  return [
    ...checkConsistency(
      refundedCents + disputedCents <= capturedCents,
      `was charged ${captured}, of which ${refunded} was refunded and ${disputed} is disputed`,
    ),
    ...refunds.flatMap(({ reference, state }) =>
      checkConsistency(state !== 'returned', `still owes the customer the refund ${reference}`),
    ),
  ]
}

/**
 * Checks that the payment for a cancelled plan was refunded. A refused refund already has an operator task, so it is
 * not reported here.
 */
function checkCancellationConsistency({ order, attempts, refunds, disputes }: OrderLedger): string[] {
  if (order.state !== 'cancelled' || refunds.some(({ state }) => state === 'refused')) return []
  const capturedCents = sum(
    attempts.filter(({ state }) => state === 'captured').map(({ amount_cents }) => amount_cents),
  )
  const refundedCents = sum(refunds.filter(countsAsRefunded).map(({ amount_cents }) => amount_cents))
  const countedDisputes = disputes.filter(({ state, outcome }) => countsAsDisputed(state, outcome))
  return checkConsistency(
    refundedCents + sum(countedDisputes.map(({ amount_cents }) => amount_cents)) >= capturedCents,
    `is cancelled, but only ${formatPrice(refundedCents)} of the ${formatPrice(capturedCents)} charged was refunded`,
  )
}

function checkDocumentConsistency({ order, refunds, documents }: OrderLedger): string[] {
  const invoices = documents.filter(({ document_type }) => document_type === 'invoice')
  const creditNotes = documents.filter(({ document_type }) => document_type === 'credit')
  const receivedRefunds = refunds.filter(({ psp_reference }) => psp_reference !== null)
  return [
    ...checkConsistency(invoices.length === 1, `has ${invoices.length} invoices`),
    ...checkConsistency(
      invoices.every(({ total_cents }) => total_cents === order.amount_cents),
      'has an invoice for a different amount',
    ),
    ...receivedRefunds.flatMap(({ id, reference, amount_cents }) =>
      checkConsistency(
        creditNotes.some((note) => note.refund_id === id && note.total_cents === 0 - amount_cents),
        `has no credit note for ${reference}`,
      ),
    ),
    ...checkConsistency(
      creditNotes.length === receivedRefunds.length,
      `has ${creditNotes.length} credit notes for ${receivedRefunds.length} refunds`,
    ),
  ]
}

const checkFailedOrderConsistency = ({ order, attempts }: OrderLedger): string[] =>
  attempts.flatMap(({ reference, state }) => [
    ...checkConsistency(!isMoneyReserved(state), `is ${order.state}, and money is reserved by ${reference}`),
    ...checkConsistency(state !== 'captured', `is ${order.state}, and ${reference} was captured`),
  ])

const checkConsistency = (isConsistent: boolean, fault: string): string[] => (isConsistent ? [] : [fault])
