import { audit } from '#kit/server/audit.ts'
import { transact, type Trx } from '#kit/server/db.ts'
import { conflict, invalid } from '#kit/server/refusal.ts'
import { type Actor, actorOf, type SignedInVisit } from '#kit/server/visit.ts'
import { findUser } from '#features/auth/server/users.store.ts'
import { type ChangeEmail, changeEmailMessages } from '../change-email.contract.ts'
import type { ChangeEmailDeps } from './change-email.deps.ts'
import { sendCanceledMail } from './change-email.mail.ts'
import { presentChange } from './change-email.present.ts'
import { type EmailChange, linkWanted, lockChange, moveChange, wantedLinkRetries } from './change-email.store.ts'
import { dayOf, isPinOf, lockOf } from './pin.ts'
import { countTry, uncountTry, triesInADay } from './pin-tries.store.ts'

/**
 * Verifies the PIN, which proves that the account's owner wants the change. The fifth wrong PIN of a day cancels the
 * request; an expired PIN does not count. `newEmail`: the address that the page shows. If another tab has requested a
 * different address since, the response is 409 and no try is used.
 * @throws 400 for a wrong PIN, 409 when there is no open request or it is for another address
 */
export async function enterPin(
  deps: ChangeEmailDeps,
  visit: SignedInVisit,
  pin: string,
  newEmail: string | null,
): Promise<ChangeEmail> {
  const actor = actorOf(visit)
  // The effects of a wrong PIN must be committed, so the error is thrown after the transaction.
  const outcome = await transact(deps.db, async (trx) => {
    const now = deps.clock.now()
    const change = await lockChange(trx, actor.userId, now)
    if (!change || (newEmail !== null && newEmail !== change.new_email)) return 'none'
    // The PIN is late or was sent twice, so the page shows the current state.
    if (change.state !== 'REQUESTED') return presentChange(change, now)
    const tried = await tryPin(trx, deps, { actor, change, pin, now })
    if ('triesLeft' in tried) return tried
    return presentChange(tried, now, await lockOf(trx, deps, actor.userId, now))
  })
  if (outcome === 'none') throw conflict(changeEmailMessages.noRequest)
  if ('triesLeft' in outcome) throw invalid({ otp: [changeEmailMessages.otpWrong(outcome.triesLeft)] })
  return outcome
}

type Try = { actor: Actor; change: EmailChange; pin: string; now: Temporal.Instant }

async function tryPin(
  trx: Trx,
  deps: ChangeEmailDeps,
  { actor, change, pin, now }: Try,
): Promise<EmailChange | { triesLeft: number }> {
  const { userId } = actor
  const act = { ...actor, details: { request: change.id } }
  const day = dayOf(deps, now)
  const wrong = await countTry(trx, userId, day)
  if (wrong !== null && isPinOf(deps.secrets, change, pin)) {
    await uncountTry(trx, userId, day)
    const verified = await moveChange(trx, change, 'pin_right', { now, ...linkWanted() })
    await audit(trx, deps.clock, { ...act, event: 'email_change_verified' })
    await deps.jobs.send(trx, wantedLinkRetries, change.id)
    return verified
  }
  await audit(trx, deps.clock, { ...act, event: 'email_change_pin_wrong' })
  if (wrong !== null && wrong < triesInADay) return { triesLeft: triesInADay - wrong }
  const canceled = await moveChange(trx, change, 'pin_wrong_too_often', { now })
  await audit(trx, deps.clock, {
    ...act,
    event: 'email_change_canceled',
    details: { request: change.id, reason: 'pin' },
  })
  const owner = await findUser(trx, userId)
  if (owner) await sendCanceledMail(trx, deps, canceled, owner)
  return canceled
}
