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

/** Whether the customer waits to be erased, what would be lost, and what stands in its way. */
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
 * Has the customer erased in a day. Asked for twice it is one, and its mails are not sent again.
 * @throws 400 when the password is wrong, or something stands in its way; 429 after too many wrong ones
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

/**
 * Calls the erasure off that the customer waits for.
 * @throws 409 when there is none
 */
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
 * Calls an erasure off by the link of one of its mails: the account's owner may be signed in no more. Followed twice it is as well.
 * @throws 400 when the link is none of ours, or the customer is erased
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

/** A person at the provider calls off the erasure that a customer waits for, who is told as when they do it themselves. */
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

/** The customer is locked: an erasure whose time has come has been done, or finds it called off. False when there is none any more. */
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
