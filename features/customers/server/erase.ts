import type { Actor } from '#kit/server/actor.ts'
import { audit } from '#kit/server/audit.ts'
import { toDate } from '#kit/server/clock.ts'
import { transact, type Trx } from '#kit/server/db.ts'
import { backOff, retryIn } from '#kit/server/retries.ts'
import { findUser } from '#features/auth/server/users.store.ts'
import { forgetNumbers } from '#features/services/server/services.store.ts'
import { isReleasing } from '#features/services/server/releases.store.ts'
import { lockOrdersOf } from '#features/orders/server/forgotten-customers.store.ts'
import type { CustomersDeps } from './customers.deps.ts'
import { listErasure, readErasures } from './erasure-list.ts'
import {
  type Erasure,
  erasureRetries,
  findErasure,
  insertErasure,
  areCardsKept,
  markListed,
  moveErasure,
} from './erasures.store.ts'
import { type Impossible, withCustomer } from './locked-customer.ts'
import { listOpen, openWords } from './open.store.ts'

/** What stands in the way of an erasure. */
export const openThings = async (deps: CustomersDeps, user: { id: string; email: string }): Promise<string[]> =>
  (await transact(deps.db, (trx) => listOpen(trx, user))).map(openWords)

/**
 * Forgets a customer for good: plans, auto-renewal, lines and stored card end, and all that is kept of the person goes, but for
 * invoices and the audit trail. What the gateway and the network have to do for it is intended in the same transaction.
 * Impossible while something is open. Where it was asked for before, `isStillWanted` is asked while the customer is locked.
 */
export const eraseCustomer = (
  deps: CustomersDeps,
  userId: string,
  actor: Actor,
  isStillWanted: (trx: Trx) => Promise<boolean> = async () => true,
): Promise<{ numbers: number } | Impossible> =>
  withCustomer(deps.db, userId, async (trx, customer): Promise<{ numbers: number } | Impossible> => {
    if (!(await isStillWanted(trx))) return { why: 'This is not wanted any more.' }
    // Nothing moves them, and none is given back, while this looks at them.
    await lockOrdersOf(trx, userId)
    const open = await listOpen(trx, customer.user)
    if (open.length > 0)
      return { why: `Something is still open: ${open.map(openWords).join(', ')}. It has to be over first.`, open }
    await deps.customerParts.endAll(trx, customer, actor)
    await deps.customerParts.forgetAll(trx, customer)
    await insertErasure(trx, userId, deps.clock.now())
    await audit(trx, deps.clock, { event: 'customer_erased', userId, actor })
    await deps.jobs.send(trx, erasureRetries, userId)
    return { numbers: customer.services.filter(({ released_at: at }) => at === null).length }
  })

const longestPauseSeconds = 3_600

/**
 * Writes an erasure into the list that is kept apart, and ends it once the gateway has forgotten the card and the network has
 * the numbers back: until then they have to be known.
 */
export async function resolveErasure(deps: CustomersDeps, erasure: Erasure): Promise<void> {
  const { db, clock } = deps
  const { user_id: userId, tries } = erasure
  if (erasure.state !== 'initiated') return
  if (!erasure.listed_at) {
    await listErasure(deps.erasuresFile, userId, erasure.created_at.toISOString())
    await markListed(db, userId)
  }
  if ((await areCardsKept(db, userId)) || (await isReleasing(db, userId)))
    return retryIn(db, erasureRetries, { user_id: userId }, { seconds: backOff(tries, longestPauseSeconds) })
  await transact(db, async (trx) => {
    await forgetNumbers(trx, userId)
    await moveErasure(trx, erasure, 'completed', { ended_at: toDate(clock.now()) })
  })
}

/** After a backup was restored: erases whom the list says who are there again, and tells what came of each. */
export async function* repeatErasures(
  deps: CustomersDeps,
  actor: Actor,
): AsyncGenerator<{ customer: string; why: string | null }> {
  for (const customer of await readErasures(deps.erasuresFile)) {
    if (!(await findUser(deps.db, customer)) || (await findErasure(deps.db, customer))) continue
    const outcome = await eraseCustomer(deps, customer, actor)
    yield { customer, why: 'why' in outcome ? outcome.why : null }
  }
}
