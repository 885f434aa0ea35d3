import type { Actor } from '#kit/server/actor.ts'
import { audit } from '#kit/server/audit.ts'
import { toDate } from '#kit/server/clock.ts'
import { transact, type Trx } from '#kit/server/db.ts'
import { conflict, invalid, unauthorised } from '#kit/server/refusal.ts'
import { actorOf, type SignedInVisit, type Visit } from '#kit/server/visit.ts'
import { findUser, lockUser, type User } from '#features/auth/server/users.store.ts'
import { listNumbers } from '#features/customers/server/customer.store.ts'
import { listOpen } from '#features/customers/server/open.store.ts'
import { type ErasureView, privacyMessages } from '../privacy.contract.ts'
import { tellOfCallingOff, tellOfErasure } from './erasure.mail.ts'
import { presentErasure, sentenceOf } from './erasure.present.ts'
import {
  findErasureByLink,
  findErasureRequest,
  findWaitingErasure,
  insertErasureRequest,
  moveErasureRequest,
} from './erasure-requests.store.ts'
import { dueAt } from './erasure.times.ts'
import { ownerByPassword } from './own-data.ts'
import type { PrivacyDeps } from './privacy.deps.ts'

export async function ownErasure(deps: PrivacyDeps, { user: { id } }: SignedInVisit): Promise<ErasureView> {
  const user = await findUser(deps.db, id)
  if (!user) throw unauthorised()
  return presentErasure({
    waiting: await findWaitingErasure(deps.db, id),
    open: await transact(deps.db, (trx) => listOpen(trx, user)),
    numbers: await listNumbers(deps.db, id),
  })
}

/**
 * Requests the erasure of the customer's data in a day. Idempotent: a repeat sends no further emails.
 * @throws 400 when the password is wrong or there is an obstacle; 429 after too many wrong passwords
 */
export async function askToBeErased(deps: PrivacyDeps, visit: SignedInVisit, password: string): Promise<ErasureView> {
  const actor = actorOf(visit)
  await ownerByPassword(deps, actor, password)
  await transact(deps.db, async (trx) => {
    const user = await lockUser(trx, actor.userId)
    if (!user || user.erased_at) throw unauthorised()
    if (await findWaitingErasure(trx, user.id)) return
    const open = await listOpen(trx, user)
    if (open.length > 0) throw invalid({ __all__: open.map(sentenceOf) })
    const askedAt = deps.clock.now()
    const request = await insertErasureRequest(trx, user.id, { askedAt, dueAt: dueAt(askedAt) })
    await tellOfErasure(trx, deps, user, request)
    await audit(trx, deps.clock, { event: 'erasure_requested', ...actor })
  })
  return ownErasure(deps, visit)
}

/** @throws 409 when no erasure is pending */
export async function callOff(deps: PrivacyDeps, visit: SignedInVisit): Promise<ErasureView> {
  const actor = actorOf(visit)
  await transact(deps.db, async (trx) => {
    const user = await lockUser(trx, actor.userId)
    const waiting = user && (await findWaitingErasure(trx, user.id))
    if (!waiting || !(await keep(trx, deps, user, { requestId: waiting.id, by: { sessionId: actor.sessionId } })))
      throw conflict(privacyMessages.nothingWaits)
  })
  return ownErasure(deps, visit)
}

/**
 * Cancels an erasure by the link from one of its emails, because the account's owner may no longer be able to log in.
 * Idempotent.
 * @throws 400 when the link is invalid, or the customer is erased
 */
export async function keepByLink(deps: PrivacyDeps, { session }: Visit, token: string): Promise<void> {
  const linked = await findErasureByLink(deps.db, token)
  const isKept = await transact(deps.db, async (trx) => {
    const user = linked && (await lockUser(trx, linked.user_id))
    if (!user || user.erased_at) return false
    return keep(trx, deps, user, { requestId: linked.id, by: { sessionId: session.id } })
  })
  if (!isKept) throw invalid({ token: [privacyMessages.linkInvalid] })
}

export const keepCustomer = (
  deps: PrivacyDeps,
  userId: string,
  actor: Actor,
): Promise<{ kept: true } | { why: string }> =>
  transact(deps.db, async (trx) => {
    const user = await lockUser(trx, userId)
    if (!user) return { why: 'There is no such customer.' }
    if (user.erased_at) return { why: 'This customer has been erased.' }
    const waiting = await findWaitingErasure(trx, userId)
    const isKept = waiting && (await keep(trx, deps, user, { requestId: waiting.id, by: { actor } }))
    return isKept ? { kept: true } : { why: 'This customer does not wait to be erased.' }
  })

/**
 * The caller must have locked the customer, so a due erasure either has completed or finds the request cancelled.
 * Returns `false` when the request no longer exists.
 */
async function keep(
  trx: Trx,
  deps: PrivacyDeps,
  user: User,
  { requestId, by }: { requestId: string; by: { sessionId: string | null } | { actor: Actor } },
): Promise<boolean> {
  const request = await findErasureRequest(trx, requestId)
  if (!request) return false
  const moved = await moveErasureRequest(trx, request, 'called_off', { ended_at: toDate(deps.clock.now()) })
  if (!moved) return true
  await tellOfCallingOff(trx, deps, user, moved)
  await audit(trx, deps.clock, { event: 'erasure_called_off', userId: user.id, ...by })
  return true
}
