import { randomUUID } from 'node:crypto'
import type { FieldErrors } from '#kit/contract/errors.ts'
import { audit } from '#kit/server/audit.ts'
import { toDate } from '#kit/server/clock.ts'
import { transact } from '#kit/server/db.ts'
import { countLimitUse, addEpochToLimitKey, type Limit } from '#kit/server/limits.ts'
import { conflict, collectErrors, badRequest, throwIfInvalid, tooManyRequests } from '#kit/server/http-error.ts'
import { type CustomerActor, toCustomerActor, type SignedInContext } from '#kit/server/request-context.ts'
import { checkAndRecordPassword, requireRecentPassword } from '#features/auth/server/auth.ts'
import { invalidateTokens } from '#features/auth/server/tokens.store.ts'
import { findUser } from '#features/auth/server/users.store.ts'
import { type EmailChangeView, changeEmailMessages, type NewEmail } from '../change-email.contract.ts'
import type { ChangeEmailDeps } from './change-email.deps.ts'
import { presentEmailChange } from './change-email.present.ts'
import {
  findLatestEmailChange,
  insertEmailChange,
  lockEmailChange,
  transitionEmailChange,
} from './change-email.store.ts'
import { findLockedUntil, createPin } from './pin.ts'

export async function readCurrentEmailChange(
  deps: ChangeEmailDeps,
  { user }: SignedInContext,
): Promise<EmailChangeView> {
  const now = deps.clock.now()
  return presentEmailChange(
    await findLatestEmailChange(deps.db, user.id),
    now,
    await findLockedUntil(deps.db, deps, user.id, now),
  )
}

/**
 * Validates the new address and the password. A correct password is recorded in the session, so that the customer does
 * not need to enter it again for the next request.
 * @throws 429 after too many wrong passwords
 */
export const validateNewEmail = (
  deps: ChangeEmailDeps,
  actor: CustomerActor,
  { new_email: newEmail, password = '' }: Partial<NewEmail>,
): Promise<FieldErrors> =>
  collectErrors(
    async () => {
      const owner = newEmail && (await findUser(deps.db, actor.userId))
      if (owner && owner.email === newEmail) throw badRequest({ new_email: [changeEmailMessages.same] })
    },
    async () => {
      await checkAndRecordPassword(deps, actor, password)
      await requireRecentPassword(deps.db, actor)
    },
  )

/**
 * Starts an email change and replaces an earlier one. Nothing here depends on whether the new address has an account:
 * only the worker checks this, after the PIN, and only the owner of the address learns the result.
 * @throws 400 when the new address is the current one, or the password is needed again; 429 when the day's PIN attempts
 * or PINs are used up
 */
export async function startEmailChange(
  deps: ChangeEmailDeps,
  visit: SignedInContext,
  { new_email: newEmail, password }: NewEmail,
): Promise<EmailChangeView> {
  const actor = toCustomerActor(visit)
  const { userId } = actor
  await rejectIfNoTriesLeft(deps, userId)
  throwIfInvalid(await validateNewEmail(deps, actor, { new_email: newEmail, password }))
  await countLimitUse(deps.db, [await findPinLimit(deps, userId)])
  return transact(deps.db, async (trx) => {
    const now = deps.clock.now()
    const previousChange = await lockEmailChange(trx, userId, now)
    if (previousChange) {
      await transitionEmailChange(trx, previousChange, 'replaced', { now })
      await invalidateTokens(trx, userId, ['change-email'], now)
    }
    const request = { id: randomUUID(), user_id: userId, new_email: newEmail, created_at: toDate(now) }
    const pin = await createPin(trx, deps, request, now)
    const change = await insertEmailChange(trx, { ...request, ...pin.columns })
    await pin.send(change)
    await audit(trx, deps.clock, { event: 'email_change_requested', ...actor, details: { request: change.id } })
    return presentEmailChange(change, now)
  })
}

/** Sends another PIN and invalidates the previous one. @throws 409 when no PIN is expected, 429 after too many PINs */
export async function resendPin(deps: ChangeEmailDeps, { user }: SignedInContext): Promise<EmailChangeView> {
  const userId = user.id
  const latestChange = await findLatestEmailChange(deps.db, userId)
  if (!latestChange || !isAwaitingPin(presentEmailChange(latestChange, deps.clock.now())))
    throw conflict(changeEmailMessages.noRequest)
  await rejectIfNoTriesLeft(deps, userId)
  await countLimitUse(deps.db, [
    { key: `change-email:pins:request:${latestChange.id}`, times: 3, seconds: 3_600 },
    await findPinLimit(deps, userId),
  ])
  return transact(deps.db, async (trx) => {
    const now = deps.clock.now()
    const change = await lockEmailChange(trx, userId, now)
    if (change?.id !== latestChange.id || !isAwaitingPin(change)) throw conflict(changeEmailMessages.noRequest)
    const pin = await createPin(trx, deps, change, now)
    const changeAfterResend = await transitionEmailChange(trx, change, 'pin_resent', { now, ...pin.columns })
    await pin.send(changeAfterResend)
    return presentEmailChange(changeAfterResend, now)
  })
}

const isAwaitingPin = ({ state }: Pick<EmailChangeView, 'state'>): boolean =>
  state === 'REQUESTED' || state === 'EXPIRED'

async function findPinLimit({ db }: ChangeEmailDeps, userId: string): Promise<Limit> {
  const owner = await findUser(db, userId)
  return {
    key: addEpochToLimitKey(`change-email:pins:account:${userId}`, owner?.limits_epoch ?? 0),
    times: 10,
    seconds: 86_400,
  }
}

async function rejectIfNoTriesLeft(deps: ChangeEmailDeps, userId: string): Promise<void> {
  const now = deps.clock.now()
  const lockedUntil = await findLockedUntil(deps.db, deps, userId, now)
  if (lockedUntil) throw tooManyRequests(Math.max(1, Math.ceil(now.until(lockedUntil).total('seconds'))))
}
