import { randomUUID } from 'node:crypto'
import type { FieldErrors } from '#kit/contract/errors.ts'
import { audit } from '#kit/server/audit.ts'
import { toDate } from '#kit/server/clock.ts'
import { transact } from '#kit/server/db.ts'
import { countUse, inEpoch, type Limit } from '#kit/server/limits.ts'
import { conflict, faultsIn, invalid, refuseAny, tooMany } from '#kit/server/refusal.ts'
import { type Actor, actorOf, type SignedInVisit } from '#kit/server/visit.ts'
import { enterPassword, requireRecentPassword } from '#features/auth/server/auth.ts'
import { voidTokens } from '#features/auth/server/tokens.store.ts'
import { findUser } from '#features/auth/server/users.store.ts'
import { type ChangeEmail, changeEmailMessages, type NewEmail } from '../change-email.contract.ts'
import type { ChangeEmailDeps } from './change-email.deps.ts'
import { presentChange } from './change-email.present.ts'
import { findLatestChange, insertChange, lockChange, moveChange } from './change-email.store.ts'
import { lockOf, makePin } from './pin.ts'

export async function currentChange(deps: ChangeEmailDeps, { user }: SignedInVisit): Promise<ChangeEmail> {
  const now = deps.clock.now()
  return presentChange(await findLatestChange(deps.db, user.id), now, await lockOf(deps.db, deps, user.id, now))
}

/**
 * A correct password is recorded for the session.
 * @throws 429 after too many wrong passwords
 */
export const newEmailFaults = (
  deps: ChangeEmailDeps,
  actor: Actor,
  { new_email: newEmail, password = '' }: Partial<NewEmail>,
): Promise<FieldErrors> =>
  faultsIn(
    async () => {
      const owner = newEmail && (await findUser(deps.db, actor.userId))
      if (owner && owner.email === newEmail) throw invalid({ new_email: [changeEmailMessages.same] })
    },
    async () => {
      await enterPassword(deps, actor, password)
      await requireRecentPassword(deps.db, actor)
    },
  )

/**
 * Requests another address and replaces an earlier request. This step does not check whether the address has an
 * account. The worker checks that after the PIN, and only the owner of the address learns the result.
 * @throws 400 when it is the current address, or the password is needed again; 429 when the day's tries or PINs are
 * used up
 */
export async function startChange(
  deps: ChangeEmailDeps,
  visit: SignedInVisit,
  { new_email: newEmail, password }: NewEmail,
): Promise<ChangeEmail> {
  const actor = actorOf(visit)
  const { userId } = actor
  await refuseWhenTriesAreUsedUp(deps, userId)
  refuseAny(await newEmailFaults(deps, actor, { new_email: newEmail, password }))
  await countUse(deps.db, [await pinsOfAccount(deps, userId)])
  return transact(deps.db, async (trx) => {
    const now = deps.clock.now()
    const before = await lockChange(trx, userId, now)
    if (before) {
      await moveChange(trx, before, 'replaced', { now })
      await voidTokens(trx, userId, ['change-email'], now)
    }
    const request = { id: randomUUID(), user_id: userId, new_email: newEmail, created_at: toDate(now) }
    const pin = await makePin(trx, deps, request, now)
    const change = await insertChange(trx, { ...request, ...pin.kept })
    await pin.send(change)
    await audit(trx, deps.clock, { event: 'email_change_requested', ...actor, details: { request: change.id } })
    return presentChange(change, now)
  })
}

/**
 * Sends another PIN and voids the previous one.
 * @throws 409 when no PIN is expected, 429 after too many PINs
 */
export async function resendPin(deps: ChangeEmailDeps, { user }: SignedInVisit): Promise<ChangeEmail> {
  const userId = user.id
  const seen = await findLatestChange(deps.db, userId)
  if (!seen || !waitsForPin(presentChange(seen, deps.clock.now()))) throw conflict(changeEmailMessages.noRequest)
  await refuseWhenTriesAreUsedUp(deps, userId)
  await countUse(deps.db, [
    { key: `change-email:pins:request:${seen.id}`, times: 3, seconds: 3_600 },
    await pinsOfAccount(deps, userId),
  ])
  return transact(deps.db, async (trx) => {
    const now = deps.clock.now()
    const change = await lockChange(trx, userId, now)
    if (change?.id !== seen.id || !waitsForPin(change)) throw conflict(changeEmailMessages.noRequest)
    const pin = await makePin(trx, deps, change, now)
    const resent = await moveChange(trx, change, 'pin_resent', { now, ...pin.kept })
    await pin.send(resent)
    return presentChange(resent, now)
  })
}

const waitsForPin = ({ state }: Pick<ChangeEmail, 'state'>): boolean => state === 'REQUESTED' || state === 'EXPIRED'

async function pinsOfAccount({ db }: ChangeEmailDeps, userId: string): Promise<Limit> {
  const owner = await findUser(db, userId)
  return {
    key: inEpoch(`change-email:pins:account:${userId}`, owner?.limits_epoch ?? 0),
    times: 10,
    seconds: 86_400,
  }
}

async function refuseWhenTriesAreUsedUp(deps: ChangeEmailDeps, userId: string): Promise<void> {
  const now = deps.clock.now()
  const lock = await lockOf(deps.db, deps, userId, now)
  if (lock) throw tooMany(Math.max(1, Math.ceil(now.until(lock).total('seconds'))))
}
