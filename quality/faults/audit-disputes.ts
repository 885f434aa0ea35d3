import { isDisputeOpen } from '#features/disputes/disputes.states.ts'
import { disputeEvents } from '#features/disputes/server/disputes.ts'
import { type Finding, createFaultUnless } from '#quality/support/findings.ts'
import { groupByOrder, type ProductRecords, sumOf } from '#quality/support/product-records.ts'

/**
 * Checks disputes. Each dispute reported by the gateway must be recorded with the amount that was paid, and an open dispute must have a
 * task.
 */
export function auditDisputes(books: ProductRecords, since: Date): Finding[] {
  const orders = new Map(books.orders.map((order) => [order.id, order]))
  const getAttempts = groupByOrder(books.attempts)
  const disputesWithTask = new Set(books.tasks.filter(({ kind }) => kind === 'dispute').map(({ subject }) => subject))
  const known = new Set(books.disputes.map((dispute) => dispute.psp_reference))
  const unknownDisputes = books.notifications
    .filter(
      ({ event_code: event, success, received_at: at }) => success && at >= since && disputeEvents.includes(event),
    )
    .filter(({ psp_reference: psp }) => !known.has(psp))
  return [
    ...[...new Set(unknownDisputes.map(({ psp_reference: psp }) => psp))].map((psp) => ({
      kind: 'unexplained' as const,
      order_code: null,
      text: `the gateway reported the dispute ${psp}, which is unknown to Fantail`,
    })),
    ...books.disputes.flatMap((dispute) => {
      const { order_id: id, psp_reference: psp, amount_cents: cents, state, outcome } = dispute
      const capturedCents = sumOf(
        getAttempts(id).flatMap((attempt) => (attempt.state === 'captured' ? attempt.amount_cents : [])),
      )
      const faults = [
        ...createFaultUnless(
          cents <= capturedCents,
          'unexplained',
          `disputes ${cents} cents, and ${capturedCents} were taken`,
        ),
        ...createFaultUnless(
          !isDisputeOpen(state, outcome) || disputesWithTask.has(psp),
          'lost',
          `is ${state}, and no task says so: nobody will contest it`,
        ),
      ]
      return faults.map(({ kind, text }) => ({
        kind,
        order_code: orders.get(id)?.order_code ?? null,
        text: `the dispute ${psp} ${text}`,
      }))
    }),
  ]
}
