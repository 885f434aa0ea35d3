import { audit } from '#kit/server/audit.ts'
import { transact, type Trx } from '#kit/server/db.ts'
import { conflict, badRequest } from '#kit/server/http-error.ts'
import { type CustomerActor, toCustomerActor, type SignedInContext } from '#kit/server/request-context.ts'
import { findUser } from '#features/auth/server/users.store.ts'
import { type EmailChangeView, changeEmailMessages } from '../change-email.contract.ts'
import type { ChangeEmailDeps } from './change-email.deps.ts'
import { sendCanceledMail } from './change-email.mail.ts'
import { presentEmailChange } from './change-email.present.ts'
import {
  type EmailChange,
  linkMailRequestColumns,
  lockEmailChange,
  transitionEmailChange,
  linkMailQueue,
} from './change-email.store.ts'
import { dayOf, isCorrectPin, findLockedUntil } from './pin.ts'
import { countPinAttempt, undoPinAttemptCount, maxPinAttemptsPerDay } from './pin-tries.store.ts'

/**
 * Verifies the PIN, which proves that the account's owner wants the change. The fifth wrong PIN of a day cancels the change; an expired PIN
 * is not counted. `newEmail` is the address that the page shows. If another tab has requested a different address meanwhile, the response
 * is 409 and no attempt is used.
 * @throws 400 for a wrong PIN, 409 when no email change is open or the open one is for another address
 */
export async function enterPin(
  deps: ChangeEmailDeps,
  visit: SignedInContext,
  pin: string,
  newEmail: string | null,
): Promise<EmailChangeView> {
  const actor = toCustomerActor(visit)
  // Throwing inside the transaction would roll back the count of wrong PINs, so throw after it has been committed.
  const result = await transact(deps.db, async (trx) => {
    const now = deps.clock.now()
    const change = await lockEmailChange(trx, actor.userId, now)
    if (!change || (newEmail !== null && newEmail !== change.new_email)) return 'none'
    // The PIN arrived late or twice, and the email change no longer waits for one. Return the current state for the page to show.
    if (change.state !== 'REQUESTED') return presentEmailChange(change, now)
    const pinResult = await checkPinAttempt(trx, deps, { actor, change, pin, now })
    if ('triesLeft' in pinResult) return pinResult
    return presentEmailChange(pinResult, now, await findLockedUntil(trx, deps, actor.userId, now))
  })
  if (result === 'none') throw conflict(changeEmailMessages.noRequest)
  if ('triesLeft' in result) throw badRequest({ otp: [changeEmailMessages.otpWrong(result.triesLeft)] })
  return result
}

type PinAttempt = { actor: CustomerActor; change: EmailChange; pin: string; now: Temporal.Instant }

async function checkPinAttempt(
  trx: Trx,
  deps: ChangeEmailDeps,
  { actor, change, pin, now }: PinAttempt,
): Promise<EmailChange | { triesLeft: number }> {
  const { userId } = actor
  const auditEvent = { ...actor, details: { request: change.id } }
  const day = dayOf(deps, now)
  const wrongPinCount = await countPinAttempt(trx, userId, day)
  if (wrongPinCount !== null && isCorrectPin(deps.secrets, change, pin)) {
    await undoPinAttemptCount(trx, userId, day)
    const verifiedChange = await transitionEmailChange(trx, change, 'pin_right', { now, ...linkMailRequestColumns() })
    await audit(trx, deps.clock, { ...auditEvent, event: 'email_change_verified' })
    await deps.jobs.send(trx, linkMailQueue, change.id)
    return verifiedChange
  }
  await audit(trx, deps.clock, { ...auditEvent, event: 'email_change_pin_wrong' })
  if (wrongPinCount !== null && wrongPinCount < maxPinAttemptsPerDay)
    return { triesLeft: maxPinAttemptsPerDay - wrongPinCount }
  const canceledChange = await transitionEmailChange(trx, change, 'pin_wrong_too_often', { now })
  await audit(trx, deps.clock, {
    ...auditEvent,
    event: 'email_change_canceled',
    details: { request: change.id, reason: 'pin' },
  })
  const owner = await findUser(trx, userId)
  if (owner) await sendCanceledMail(trx, deps, canceledChange, owner)
  return canceledChange
}
