import type { Db } from '#kit/server/db.ts'
import { retryNow } from '#kit/server/retries.ts'
import { messageRetries } from '#features/messages/server/messages.store.ts'
import { dropOrderLeases } from '#features/orders/server/order-leases.store.ts'
import { retriedTables } from './work-tables.ts'

/** What a process before this one was at is looked at now: only a lone one may know that nobody else is. */
export async function takeOverWork(db: Db): Promise<void> {
  await dropOrderLeases(db)
  for (const retries of retriedTables) if (retries !== messageRetries) await retryNow(db, retries)
  // What could not be sent before keeps its back-off.
  await retryNow(db, messageRetries, { tries: 0 })
}
