import type { SweptTable } from '#kit/server/backlog.ts'
import type { RetryQueue } from '#kit/server/retry-queue.ts'
import { watchSweep } from '#features/alerts/server/watch.store.ts'
import { resetRequestQueue } from '#features/auth/server/password-reset-requests.store.ts'
import { linkMailQueue } from '#features/change-email/server/change-email.store.ts'
import { erasureQueue } from '#features/customers/server/erasures.store.ts'
import { cycleSweep } from '#features/history/server/cycle-usage.store.ts'
import { messageQueue } from '#features/messages/server/messages.store.ts'
import { orderQueue } from '#features/orders/server/orders.store.ts'
import { unconfirmedRequestQueue } from '#features/orders/server/unconfirmed-requests.store.ts'
import { cardRemovalQueue } from '#features/payment-method/server/card-removals.store.ts'
import { cardUpdateQueue } from '#features/payment-method/server/card-updates.store.ts'
import { portQueue } from '#features/porting/server/porting.store.ts'
import { nightlyRunQueue } from '#features/reconciliation/server/nightly-runs.store.ts'
import { refundQueue } from '#features/refunds/server/refunds.store.ts'
import { numberReleaseQueue } from '#features/services/server/releases.store.ts'
import { simLoadQueue } from '#features/stock/server/sim-loads.store.ts'

export const retryQueues: readonly RetryQueue[] = [
  orderQueue,
  unconfirmedRequestQueue,
  nightlyRunQueue,
  cardRemovalQueue,
  cardUpdateQueue,
  erasureQueue,
  portQueue,
  simLoadQueue,
  linkMailQueue,
  resetRequestQueue,
  messageQueue,
  numberReleaseQueue,
  refundQueue,
]

export const workTables: readonly (RetryQueue | SweptTable)[] = [...retryQueues, watchSweep, cycleSweep]
