import type { Db } from '#kit/server/db.ts'
import { retryNow } from '#kit/server/retries.ts'
import { messageRetries } from '#features/messages/server/messages.store.ts'
import { dropOrderLeases } from '#features/orders/server/order-leases.store.ts'
import { orderRetries } from '#features/orders/server/orders.store.ts'
import { unconfirmedCallRetries } from '#features/orders/server/unconfirmed-calls.store.ts'
import { cardRemovalRetries } from '#features/payment-method/server/card-removals.store.ts'
import { cardUpdateRetries } from '#features/payment-method/server/card-updates.store.ts'
import { nightRetries } from '#features/reconciliation/server/nights.store.ts'
import { refundRetries } from '#features/refunds/server/refunds.store.ts'
import { simLoadRetries } from '#features/stock/server/sim-loads.store.ts'

/** What a process before this one was at is looked at now: only a lone one may know that nobody else is. */
export async function takeOverWork(db: Db): Promise<void> {
  await dropOrderLeases(db)
  for (const retries of [
    orderRetries,
    unconfirmedCallRetries,
    cardUpdateRetries,
    cardRemovalRetries,
    refundRetries,
    nightRetries,
    simLoadRetries,
  ])
    await retryNow(db, retries)
  // What could not be sent before keeps its back-off.
  await retryNow(db, messageRetries, { tries: 0 })
}
