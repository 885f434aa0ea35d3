import type { Actor } from '#kit/server/actor.ts'
import { audit } from '#kit/server/audit.ts'
import { toDate } from '#kit/server/clock.ts'
import { transact, type Trx } from '#kit/server/db.ts'
import { conflict, badRequest, unauthorised } from '#kit/server/http-error.ts'
import { toCustomerActor, type SignedInContext, type RequestContext } from '#kit/server/request-context.ts'
import { findUser, lockUser, type User } from '#features/auth/server/users.store.ts'
import { listNumbers } from '#features/customers/server/customer.store.ts'
import { findErasureBlockers } from '#features/customers/server/erasure-blockers.store.ts'
import { type ErasureView, privacyMessages } from '../privacy.contract.ts'
import { notifyErasureCancelled, notifyErasureRequested } from './erasure.mail.ts'
import { presentErasure, describeErasureBlocker } from './erasure.present.ts'
import {
  findErasureByLink,
  findErasureRequest,
  findPendingErasure,
  insertErasureRequest,
  transitionErasureRequest,
} from './erasure-requests.store.ts'
import { computeErasureDueAt } from './erasure.times.ts'
import { requireCorrectPassword } from './own-data.ts'
import type { PrivacyDeps } from './privacy.deps.ts'

export async function readOwnErasure(deps: PrivacyDeps, { user: { id } }: SignedInContext): Promise<ErasureView> {
  const user = await findUser(deps.db, id)
  if (!user) throw unauthorised()
  return presentErasure({
    waiting: await findPendingErasure(deps.db, id),
    open: await transact(deps.db, (trx) => findErasureBlockers(trx, user)),
    numbers: await listNumbers(deps.db, id),
  })
}

/**
 * Requests the erasure of the customer's data, which takes place a day later. Idempotent: repeating the request sends
 * no further emails.
 * @throws 400 when the password is wrong or something prevents the erasure; 429 after too many wrong passwords
 */
export async function requestOwnErasure(
  deps: PrivacyDeps,
  visit: SignedInContext,
  password: string,
): Promise<ErasureView> {
  const actor = toCustomerActor(visit)
  await requireCorrectPassword(deps, actor, password)
  await transact(deps.db, async (trx) => {
    const user = await lockUser(trx, actor.userId)
    if (!user || user.erased_at) throw unauthorised()
    if (await findPendingErasure(trx, user.id)) return
    const erasureBlockers = await findErasureBlockers(trx, user)
    if (erasureBlockers.length > 0) throw badRequest({ __all__: erasureBlockers.map(describeErasureBlocker) })
    const askedAt = deps.clock.now()
    const request = await insertErasureRequest(trx, user.id, { askedAt, dueAt: computeErasureDueAt(askedAt) })
    await notifyErasureRequested(trx, deps, user, request)
    await audit(trx, deps.clock, { event: 'erasure_requested', ...actor })
  })
  return readOwnErasure(deps, visit)
}

/**
 * Cancels the customer's pending erasure.
 * @throws 409 when no erasure is pending
 */
export async function cancelOwnErasure(deps: PrivacyDeps, visit: SignedInContext): Promise<ErasureView> {
  const actor = toCustomerActor(visit)
  await transact(deps.db, async (trx) => {
    const user = await lockUser(trx, actor.userId)
    const pendingErasure = user && (await findPendingErasure(trx, user.id))
    if (
      !pendingErasure ||
      !(await cancelErasureRequest(trx, deps, user, {
        requestId: pendingErasure.id,
        by: { sessionId: actor.sessionId },
      }))
    )
      throw conflict(privacyMessages.nothingWaits)
  })
  return readOwnErasure(deps, visit)
}

/**
 * Cancels an erasure through the link in one of its emails, because the account's owner may no longer be able to log
 * in. Idempotent.
 * @throws 400 when the link is invalid, or the customer is already erased
 */
export async function cancelErasureByLink(
  deps: PrivacyDeps,
  { session }: RequestContext,
  token: string,
): Promise<void> {
  const linkedRequest = await findErasureByLink(deps.db, token)
  const isCancelled = await transact(deps.db, async (trx) => {
    const user = linkedRequest && (await lockUser(trx, linkedRequest.user_id))
    if (!user || user.erased_at) return false
    return cancelErasureRequest(trx, deps, user, { requestId: linkedRequest.id, by: { sessionId: session.id } })
  })
  if (!isCancelled) throw badRequest({ token: [privacyMessages.linkInvalid] })
}

export const cancelErasureByStaff = (
  deps: PrivacyDeps,
  userId: string,
  actor: Actor,
): Promise<{ kept: true } | { why: string }> =>
  transact(deps.db, async (trx) => {
    const user = await lockUser(trx, userId)
    if (!user) return { why: 'There is no customer with this ID.' }
    if (user.erased_at) return { why: 'This customer has been erased.' }
    const pendingErasure = await findPendingErasure(trx, userId)
    const isCancelled =
      pendingErasure && (await cancelErasureRequest(trx, deps, user, { requestId: pendingErasure.id, by: { actor } }))
    return isCancelled ? { kept: true } : { why: 'This customer has no pending erasure.' }
  })

/**
 * Cancels an erasure request. The caller must have locked the customer, so that the erasure cannot run at the same
 * time. Returns `false` if the request no longer exists.
 */
async function cancelErasureRequest(
  trx: Trx,
  deps: PrivacyDeps,
  user: User,
  { requestId, by }: { requestId: string; by: { sessionId: string | null } | { actor: Actor } },
): Promise<boolean> {
  const request = await findErasureRequest(trx, requestId)
  if (!request) return false
  const cancelledRequest = await transitionErasureRequest(trx, request, 'called_off', {
    ended_at: toDate(deps.clock.now()),
  })
  if (!cancelledRequest) return true
  await notifyErasureCancelled(trx, deps, user, cancelledRequest)
  await audit(trx, deps.clock, { event: 'erasure_called_off', userId: user.id, ...by })
  return true
}
