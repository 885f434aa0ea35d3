import { formatPrice } from '#kit/contract/money.ts'
import { transact } from '#kit/server/db.ts'
import { endMatchingTasks, replaceTask } from '#features/operator-tasks/server/operator-tasks.store.ts'
import { parseOrderCode } from '#features/orders/server/references.present.ts'
import { countsAsRefunded } from '#features/refunds/refunds.states.ts'
import { listOrderRefunds } from '#features/refunds/server/refunds.store.ts'
import type { ReportedPayment } from '#providers/card/gateway-report.port.ts'
import type { ReconciliationResult } from './reconciliation.ts'
import type { ReconciliationDeps } from './reconciliation.deps.ts'

export type KnownPayment = ReportedPayment & { orderId: string }

/**
 * Finds payments of which the gateway has refunded more than our tables say, so that staff do not refund them twice. We
 * record our refunds before calling the gateway, so a refund in progress is never reported.
 */
export async function* findLostRefunds(
  { db }: ReconciliationDeps,
  payments: readonly KnownPayment[],
): AsyncGenerator<ReconciliationResult> {
  for (const { reference, refunded, currency, orderId } of payments.filter((payment) => payment.refunded > 0)) {
    const refunds = (await listOrderRefunds(db, orderId)).filter((refund) =>
      isRefundForPayment(refund.reference, reference),
    )
    const refundedCents = refunds.filter(countsAsRefunded).reduce((sum, refund) => sum + refund.amount_cents, 0)
    /*
     * Don't use the order's code as the task's subject, because comparing that order without a gateway report would
     * close the task.
     */
    const taskSelector = { kind: 'finding', subject: `lost refund ${reference}` } as const
    if (refunded <= refundedCents) {
      await endMatchingTasks(db, taskSelector)
      continue
    }
    const finding =
      `for ${parseOrderCode(reference)}, the gateway has refunded ${formatPrice(refunded)} ${currency} ` +
      `of the payment ${reference}, but our tables have only ` +
      `${formatPrice(refundedCents)}: check it on the gateway’s site before you refund more`
    await transact(db, (trx) => replaceTask(trx, { ...taskSelector, reason: finding }))
    yield { finding, order_code: parseOrderCode(reference) }
  }
}

const isRefundForPayment = (refund: string, payment: string): boolean => refund.startsWith(`${payment}-refund`)
