import { isRefundOwed } from '#features/refunds/refunds.states.ts'
import { type Finding, createFaultUnless } from '#quality/support/findings.ts'
import type { Ledgers } from '#quality/support/ledgers.ts'
import { groupByOrder, type ProductRecords, sumOf } from '#quality/support/product-records.ts'
import { extractOrderCode } from '#quality/support/reconcile-orders.ts'
import type { FindingWithTask } from '#quality/support/reconciliation.ts'

export const auditMoney = (books: ProductRecords, gateway: Ledgers['gateway'], since: Date): FindingWithTask[] => [
  ...findDoubleCharges(books, gateway, since),
  ...findOwedRefunds(books),
  ...findOrphanRows(books),
]

/** Reports orders that were charged twice, even if one of the charges was refunded. */
function findDoubleCharges({ attempts, orders }: ProductRecords, gateway: Ledgers['gateway'], since: Date): Finding[] {
  const getAttempts = groupByOrder(attempts)
  const linesByReference = Map.groupBy(gateway, ({ reference }) => reference)
  return orders
    .filter(({ created_at: at }) => at >= since)
    .flatMap((order) => {
      const lines = getAttempts(order.id).flatMap(({ reference }) => linesByReference.get(reference) ?? [])
      const capturedCents = sumOf(lines.map((line) => line.captured))
      const times = lines.filter((line) => line.captured > 0).length
      const faults = [
        ...createFaultUnless(times <= 1, 'doubled', `was charged by ${times} payments`),
        ...createFaultUnless(
          capturedCents <= order.amount_cents,
          'doubled',
          `was charged ${capturedCents} of ${order.amount_cents} cents`,
        ),
        ...lines.flatMap((line) =>
          createFaultUnless(
            line.refunded <= line.captured,
            'doubled',
            `got more back by ${line.reference} than was taken`,
          ),
        ),
      ]
      return faults.map((fault) => ({
        ...fault,
        order_code: order.order_code,
        text: `${order.order_code} (${order.state}) ${fault.text}`,
      }))
    })
}

/** Reports refunds that bounced back and have no task. Until staff repeat such a refund, the customer is owed the money. */
function findOwedRefunds({ refunds, orders, tasks }: ProductRecords): FindingWithTask[] {
  const codes = new Map(orders.map(({ id, order_code: code }) => [id, code]))
  const known = new Set(tasks.filter(({ kind }) => kind === 'refund').map((task) => task.order_id))
  return refunds
    .filter((refund) => isRefundOwed(refund) && !known.has(refund.order_id))
    .map(({ order_id: id, reference }) => ({
      kind: 'lost',
      order_code: codes.get(id) ?? null,
      text: `the refund ${reference} came back, and no task asks staff to repeat it`,
      task: 'refund',
    }))
}

function findOrphanRows(books: ProductRecords): Finding[] {
  const known = new Set(books.orders.map(({ id }) => id))
  const left = [
    ...books.attempts.map(({ order_id, reference }) => ({ order_id, of: reference })),
    ...books.operations.map(({ order_id, external_id }) => ({ order_id, of: external_id })),
    ...books.documents.map(({ order_id, order_code }) => ({ order_id, of: `${order_code}-` })),
    ...books.services.map(({ order_id, id }) => ({ order_id, of: id })),
  ].filter(({ order_id: id }) => !known.has(id))
  return [...Map.groupBy(left, ({ order_id: id }) => id)].map(([id, rows]) => ({
    kind: 'lost',
    order_code: rows.map(({ of }) => extractOrderCode(of)).find((code) => code !== null) ?? null,
    text: `the order ${id} is missing, although ${rows.map(({ of }) => of).join(', ')} belong to it`,
  }))
}
