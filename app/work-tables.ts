import type { SweptTable } from '#kit/server/backlog.ts'
import type { RetryQueue } from '#kit/server/retry-queue.ts'
import { watchSweep } from '#features/alerts/server/watch.store.ts'
import { resetRequestRetries } from '#features/auth/server/password-reset-requests.store.ts'
import { linkMailRetries } from '#features/change-email/server/change-email.store.ts'
import { erasureRetries } from '#features/customers/server/erasures.store.ts'
import { cycleSweep } from '#features/history/server/cycle-usage.store.ts'
import { messageRetries } from '#features/messages/server/messages.store.ts'
import { orderRetries } from '#features/orders/server/orders.store.ts'
import { unconfirmedCallRetries } from '#features/orders/server/unconfirmed-calls.store.ts'
import { cardRemovalRetries } from '#features/payment-method/server/card-removals.store.ts'
import { cardUpdateRetries } from '#features/payment-method/server/card-updates.store.ts'
import { portRetries } from '#features/porting/server/porting.store.ts'
import { nightlyRunRetries } from '#features/reconciliation/server/nightly-runs.store.ts'
import { refundRetries } from '#features/refunds/server/refunds.store.ts'
import { releaseRetries } from '#features/services/server/releases.store.ts'
import { simLoadRetries } from '#features/stock/server/sim-loads.store.ts'

export const retryQueues: readonly RetryQueue[] = [
  orderRetries,
  unconfirmedCallRetries,
  nightlyRunRetries,
  cardRemovalRetries,
  cardUpdateRetries,
  erasureRetries,
  portRetries,
  simLoadRetries,
  linkMailRetries,
  resetRequestRetries,
  messageRetries,
  releaseRetries,
  refundRetries,
]

export const workTables: readonly (RetryQueue | SweptTable)[] = [...retryQueues, watchSweep, cycleSweep]
