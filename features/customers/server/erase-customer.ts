import type { Actor } from '#kit/server/actor.ts'
import { audit } from '#kit/server/audit.ts'
import { toDate } from '#kit/server/clock.ts'
import { transact, type Trx } from '#kit/server/db.ts'
import { computeBackOffSeconds, scheduleRetry } from '#kit/server/retry-queue.ts'
import { findUser } from '#features/auth/server/users.store.ts'
import { eraseReleasedNumbers } from '#features/services/server/services.store.ts'
import { hasOpenRelease } from '#features/services/server/releases.store.ts'
import { lockUserOrders } from '#features/orders/server/erase-customer-orders.store.ts'
import type { CustomersDeps } from './customers.deps.ts'
import { appendErasure, readErasures } from './erasure-list.ts'
import {
  type Erasure,
  erasureQueue,
  findErasure,
  insertErasure,
  hasPendingCardRemovals,
  markAddedToErasureList,
  transitionErasure,
} from './erasures.store.ts'
import { type ActionRefusal, withLockedCustomer } from './locked-customer.ts'
import { findErasureBlockers, describeErasureBlocker } from './erasure-blockers.store.ts'

export const describeErasureBlockers = async (
  deps: CustomersDeps,
  user: { id: string; email: string },
): Promise<string[]> => (await transact(deps.db, (trx) => findErasureBlockers(trx, user))).map(describeErasureBlocker)

/**
 * Erases a customer permanently: ends plans, auto-renewals, services and stored cards, and erases all personal data.
 * Invoices and the audit trail are kept. The same transaction records the requests that must then be sent to the gateway
 * and the network. If an order, refund, dispute, transfer or card update is open, erases nothing and returns the reason.
 * `isStillWanted` runs under the lock; if it returns false, the customer has withdrawn the request and nothing is erased.
 */
export const eraseCustomer = (
  deps: CustomersDeps,
  userId: string,
  actor: Actor,
  isStillWanted: (trx: Trx) => Promise<boolean> = async () => true,
): Promise<{ numbers: number } | ActionRefusal> =>
  withLockedCustomer(deps.db, userId, async (trx, customer): Promise<{ numbers: number } | ActionRefusal> => {
    if (!(await isStillWanted(trx))) return { why: 'The customer no longer wants their data erased.' }
    // The lock prevents orders from being changed or refunded while this function looks for open work.
    await lockUserOrders(trx, userId)
    const erasureBlockers = await findErasureBlockers(trx, customer.user)
    if (erasureBlockers.length > 0)
      return {
        why: `Not possible while something is open: ${erasureBlockers.map(describeErasureBlocker).join(', ')}.`,
        open: erasureBlockers,
      }
    await deps.customerParts.endAll(trx, customer, actor)
    await deps.customerParts.forgetAll(trx, customer)
    await insertErasure(trx, userId, deps.clock.now())
    await audit(trx, deps.clock, { event: 'customer_erased', userId, actor })
    await deps.jobs.send(trx, erasureQueue, userId)
    return { numbers: customer.services.filter(({ released_at: at }) => at === null).length }
  })

const maxRetrySeconds = 3_600

/**
 * Adds an erasure to the list outside the database. The erasure completes once the gateway has deleted the card and the
 * network has released the numbers, because both requests need the customer's identifiers.
 */
export async function processErasure(deps: CustomersDeps, erasure: Erasure): Promise<void> {
  const { db, clock } = deps
  const { user_id: userId, tries } = erasure
  if (erasure.state !== 'initiated') return
  if (!erasure.listed_at) {
    await appendErasure(deps.erasuresFile, userId, erasure.created_at.toISOString())
    await markAddedToErasureList(db, userId)
  }
  if ((await hasPendingCardRemovals(db, userId)) || (await hasOpenRelease(db, userId)))
    return scheduleRetry(
      db,
      erasureQueue,
      { user_id: userId },
      { seconds: computeBackOffSeconds(tries, maxRetrySeconds) },
    )
  await transact(db, async (trx) => {
    await eraseReleasedNumbers(trx, userId)
    await transitionErasure(trx, erasure, 'completed', { ended_at: toDate(clock.now()) })
  })
}

/**
 * After a backup has been restored, erases again every listed customer that the backup brought back, and yields each
 * outcome.
 */
export async function* repeatErasures(
  deps: CustomersDeps,
  actor: Actor,
): AsyncGenerator<{ customer: string; why: string | null }> {
  for (const customer of await readErasures(deps.erasuresFile)) {
    if (!(await findUser(deps.db, customer)) || (await findErasure(deps.db, customer))) continue
    const result = await eraseCustomer(deps, customer, actor)
    yield { customer, why: 'why' in result ? result.why : null }
  }
}
