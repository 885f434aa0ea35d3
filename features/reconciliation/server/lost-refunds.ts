import { formatPrice } from '#kit/contract/money.ts'
import { transact } from '#kit/server/db.ts'
import { endTasksAbout, replaceTask } from '#features/operator-tasks/server/operator-tasks.store.ts'
import { orderCodeIn } from '#features/orders/server/own-references.present.ts'
import { isGiven } from '#features/refunds/refunds.states.ts'
import { refundsOf } from '#features/refunds/server/refunds.store.ts'
import type { ReportedPayment } from '#providers/card/gateway-report.port.ts'
import type { Reconciled } from './reconciliation.ts'
import type { ReconciliationDeps } from './reconciliation.deps.ts'

export type KnownPayment = ReportedPayment & { orderId: string }

/**
 * Finds payments for which the gateway has refunded more than our tables say, and which staff might therefore refund
 * twice. Our own refunds are recorded before the gateway is called, so a refund in progress is never reported.
 */
export async function* findLostRefunds(
  { db }: ReconciliationDeps,
  payments: readonly KnownPayment[],
): AsyncGenerator<Reconciled> {
  for (const { reference, refunded, currency, orderId } of payments.filter((payment) => payment.refunded > 0)) {
    const refunds = (await refundsOf(db, orderId)).filter((refund) => isOf(refund.reference, reference))
    const given = refunds.filter(isGiven).reduce((sum, refund) => sum + refund.amount_cents, 0)
    // The task does not name the order, because a comparison of that order without a report would end the task.
    const about = { kind: 'finding', subject: `lost refund ${reference}` } as const
    if (refunded <= given) {
      await endTasksAbout(db, about)
      continue
    }
    const finding =
      `${orderCodeIn(reference)} was refunded ${formatPrice(refunded)} ${currency} of ${reference} by the gateway, and our tables have ` +
      `${formatPrice(given)}: check it on the gateway’s site before you refund more`
    await transact(db, (trx) => replaceTask(trx, { ...about, reason: finding }))
    yield { finding, order_code: orderCodeIn(reference) }
  }
}

const isOf = (refund: string, payment: string): boolean => refund.startsWith(`${payment}-refund`)
