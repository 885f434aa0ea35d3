import { audit } from '#kit/server/audit.ts'
import { transact, type Trx } from '#kit/server/db.ts'
import { countLimitUse, tryCountLimitUse, type Limit } from '#kit/server/limits.ts'
import { conflict, badRequest } from '#kit/server/http-error.ts'
import { type CustomerActor, toCustomerActor, type SignedInContext } from '#kit/server/request-context.ts'
import { issueToken, consumeToken, invalidateTokens } from '#features/auth/server/tokens.store.ts'
import { changeEmail, findVerifiedAccount, findUser, isEmailTaken } from '#features/auth/server/users.store.ts'
import { allowMailToUser } from '#features/messages/server/mail-stops.store.ts'
import { type EmailChangeView, changeEmailMessages } from '../change-email.contract.ts'
import type { ChangeEmailDeps } from './change-email.deps.ts'
import { sendEmailChangedMails, sendLinkMail, sendAddressTakenMail } from './change-email.mail.ts'
import { presentEmailChange } from './change-email.present.ts'
import {
  type EmailChange,
  findEmailChange,
  findLatestEmailChange,
  linkMailRequestColumns,
  lockEmailChange,
  transitionEmailChange,
  consumeLinkMailRequest,
  linkMailQueue,
} from './change-email.store.ts'

const linkLifetimeHours = 24

export const newEmailMailLimit = (email: string): Limit => ({
  key: `change-email:mails:${email}`,
  times: 12,
  seconds: 3_600,
  isStrict: true,
})

/**
 * Mails a link to the new address, or a notice if another account has verified that address. An unverified account does
 * not prevent the change. The mail is sent once for each request. Once the address has reached its hourly limit, no
 * mail is sent and no error is returned, so that several accounts together cannot flood a stranger's mailbox.
 */
export async function sendRequestedLinkMail(deps: ChangeEmailDeps, changeId: string): Promise<void> {
  await transact(deps.db, async (trx) => {
    const changeRow = await findEmailChange(trx, changeId)
    if (!changeRow) return
    const now = deps.clock.now()
    const change = await lockEmailChange(trx, changeRow.user_id, now)
    const isMailRequested = await consumeLinkMailRequest(trx, changeId)
    if (!isMailRequested || change?.id !== changeId || change.state !== 'VERIFIED') return
    if (!(await tryCountLimitUse(trx, [newEmailMailLimit(change.new_email)]))) return
    const existingAccount = await findVerifiedAccount(trx, change.new_email)
    if (existingAccount && existingAccount.id !== change.user_id) return sendAddressTakenMail(trx, deps, change)
    const token = await issueToken(trx, {
      purpose: 'change-email',
      userId: change.user_id,
      email: change.new_email,
      subjectId: change.id,
      at: now,
      hours: linkLifetimeHours,
    })
    await sendLinkMail(trx, deps, change, token)
  })
}

/**
 * Mails a new link to the new address and invalidates the previous link.
 * @throws 409 when no link is expected, 429 after too many links
 */
export async function resendLink(deps: ChangeEmailDeps, { user }: SignedInContext): Promise<EmailChangeView> {
  const userId = user.id
  const latestChange = await findLatestEmailChange(deps.db, userId)
  if (!latestChange || presentEmailChange(latestChange, deps.clock.now()).state !== 'VERIFIED')
    throw conflict(changeEmailMessages.noRequest)
  await countLimitUse(deps.db, [
    { key: `change-email:links:request:${latestChange.id}`, times: 3, seconds: 3_600 },
    { key: `change-email:links:account:${userId}`, times: 10, seconds: 86_400 },
  ])
  return transact(deps.db, async (trx) => {
    const now = deps.clock.now()
    const change = await lockEmailChange(trx, userId, now)
    if (change?.id !== latestChange.id || change.state !== 'VERIFIED') throw conflict(changeEmailMessages.noRequest)
    const changeAfterResend = await transitionEmailChange(trx, change, 'link_resent', {
      now,
      ...linkMailRequestColumns(),
    })
    await invalidateTokens(trx, userId, ['change-email'], now)
    await deps.jobs.send(trx, linkMailQueue, change.id)
    return presentEmailChange(changeAfterResend, now)
  })
}

/**
 * Changes the email address, using the link's token. The token must belong to the signed-in customer, for two
 * reasons: a stranger who receives the link because of a typo must not get into the account, and nobody must be
 * tricked into taking over another person's address.
 * @throws 400 when the token is invalid, used, expired or another customer's, or another account has verified the
 * address meanwhile
 */
export async function confirmEmailChange(
  deps: ChangeEmailDeps,
  visit: SignedInContext,
  token: string,
): Promise<EmailChangeView> {
  const actor = toCustomerActor(visit)
  const { userId } = actor
  const now = deps.clock.now()
  const attemptedChange: { change?: EmailChange } = {}
  try {
    return await transact(deps.db, async (trx) => {
      const change = await lockEmailChange(trx, userId, now)
      const usedToken = await consumeToken(trx, { token, purpose: 'change-email', userId }, now)
      if (!usedToken || change?.id !== usedToken.subject_id || change.state !== 'VERIFIED')
        throw badRequest({ token: [changeEmailMessages.linkInvalid] })
      attemptedChange.change = change
      return presentEmailChange(await finishEmailChange(trx, deps, { actor, change, now }), now)
    })
  } catch (error) {
    if (!attemptedChange.change || !isEmailTaken(error)) throw error
    await cancelChangeToTakenEmail(deps, actor, attemptedChange.change)
    throw badRequest({ token: [changeEmailMessages.linkInvalid] })
  }
}

async function finishEmailChange(
  trx: Trx,
  deps: ChangeEmailDeps,
  { actor, change, now }: { actor: CustomerActor; change: EmailChange; now: Temporal.Instant },
): Promise<EmailChange> {
  const { userId } = actor
  const owner = await findUser(trx, userId)
  if (!owner) throw new Error('a change of address without an account')
  await changeEmail(trx, userId, change.new_email, now)
  await allowMailToUser(trx, userId)
  const finishedChange = await transitionEmailChange(trx, change, 'link_followed', { now })
  await invalidateTokens(trx, userId, ['change-email', 'reset', 'verify', 'phone'], now)
  await audit(trx, deps.clock, {
    event: 'email_changed',
    ...actor,
    details: { request: change.id },
  })
  await sendEmailChangedMails(trx, deps, finishedChange, owner)
  return finishedChange
}

/**
 * Cancels the email change because another account has verified the new address. A second transaction does this,
 * because the first one was rolled back.
 */
async function cancelChangeToTakenEmail(
  deps: ChangeEmailDeps,
  actor: CustomerActor,
  { id }: EmailChange,
): Promise<void> {
  await transact(deps.db, async (trx) => {
    const now = deps.clock.now()
    const change = await lockEmailChange(trx, actor.userId, now)
    if (change?.id !== id || change.state !== 'VERIFIED') return
    await transitionEmailChange(trx, change, 'address_taken', { now })
    await invalidateTokens(trx, actor.userId, ['change-email'], now)
    await audit(trx, deps.clock, {
      event: 'email_change_canceled',
      ...actor,
      details: { request: id, reason: 'taken' },
    })
  })
}
