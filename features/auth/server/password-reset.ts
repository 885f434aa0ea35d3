import { randomUUID } from 'node:crypto'
import { audit } from '#kit/server/audit.ts'
import { transact } from '#kit/server/db.ts'
import { hashPassword } from '#kit/server/password.ts'
import { passwordFault } from '#kit/server/password-rule.ts'
import { invalid, type Refusal } from '#kit/server/refusal.ts'
import type { Visit } from '#kit/server/visit.ts'
import { greet, queueMail } from '#features/messages/server/messages.ts'
import { resetMessages } from '../password-reset.contract.ts'
import { replacePassword } from './auth.ts'
import type { AuthDeps } from './auth.deps.ts'
import { mailResetLinkJob } from './password-reset.queue.ts'
import { findToken, isTokenIssued, issueToken, takeToken, voidTokens } from './tokens.store.ts'
import { findUser, findUserIdByEmail, lockUser, markVerified } from './users.store.ts'

/** Leaves the rest to a job: the answer takes as long for an address that nobody has. */
export async function askForReset(deps: AuthDeps, visit: Visit, email: string): Promise<void> {
  await deps.jobs.send(deps.db, mailResetLinkJob, { sealedEmail: deps.secrets.seal(email), requestId: randomUUID(), sessionId: visit.session.id })
}

type ResetRequest = { email: string; requestId: string; sessionId: string | null }

/** Mails the link to the account's own address, if there is an account. At most the newest link is good. */
export async function mailResetLink(deps: AuthDeps, { email, requestId, sessionId }: ResetRequest): Promise<void> {
  await transact(deps.db, async (trx) => {
    const userId = await findUserIdByEmail(trx, email)
    const user = userId ? await lockUser(trx, userId) : undefined
    if (user && (await isTokenIssued(trx, 'reset', user.id, requestId))) return
    await audit(trx, deps.clock, { event: 'password_reset_requested', userId: user?.id ?? null, sessionId })
    if (!user) return
    const now = deps.clock.now()
    await voidTokens(trx, user.id, ['reset'], now)
    const token = await issueToken(trx, { purpose: 'reset', userId: user.id, email: user.email, subjectId: requestId, at: now, hours: 1 })
    await queueMail(trx, deps, {
      eventKey: `password-reset:${requestId}`,
      to: user.email,
      subject: `Set a new password for ${deps.brandName}`,
      heading: 'Set a new password',
      paragraphs: [
        `${greet(user.first_name)}, somebody asked for a new password for your ${deps.brandName} account. If that was you, set one with the link below.`,
        'The link works once, and for one hour. If it was not you, there is nothing you need to do: your password stays as it is.',
      ],
      rows: [],
      button: { text: 'Set a new password', url: `${deps.publicUrl}/password-reset/${uidOf(user.id)}/${token}` },
    })
  })
}

/**
 * Sets a new password with the link of a mail, ends every session of the account and signs this visitor in; answers whose it is.
 * @throws 400 when the link is no good, or the password is not; then the link stays as it was
 */
export async function resetWithLink(deps: AuthDeps, visit: Visit, link: { uid: string; token: string }, password: string): Promise<string> {
  const userId = userIdOf(link.uid)
  const found = userId ? await findToken(deps.db, 'reset', link.token, deps.clock.now(), userId) : undefined
  const user = found ? await findUser(deps.db, found.user_id) : undefined
  // The link went to an address: once the account has another, whoever reads the old one has no business here.
  if (!user || user.email !== found?.email) throw linkIsNoGood()
  const fault = passwordFault(password, { email: user.email, names: [user.first_name, user.last_name] })
  if (fault) throw invalid({ password: [fault] })
  // Outside the transaction: argon2 takes its time on purpose.
  const hash = await hashPassword(password)
  await transact(deps.db, async (trx) => {
    const owner = await lockUser(trx, user.id)
    const now = deps.clock.now()
    const taken = owner && (await takeToken(trx, 'reset', link.token, now, owner.id))
    if (!taken || taken.email !== owner.email) throw linkIsNoGood()
    // Whoever has followed the link reads the address.
    if (!owner.email_verified_at) {
      await markVerified(trx, owner.id, taken.email, now)
      await audit(trx, deps.clock, { event: 'email_verified', userId: owner.id, sessionId: visit.session.id })
    }
    // The account is held: nobody can have been quicker.
    await replacePassword(trx, deps, visit, owner, hash, 'password_reset')
  })
  return user.id
}

const linkIsNoGood = (): Refusal => invalid({ __all__: [{ message: resetMessages.invalid, actions: [{ url: '/forgot-password/', text: resetMessages.askAgain }] }] })

const uidOf = (userId: string): string => Buffer.from(userId).toString('base64url')

/** The user that a link names, or null when it is none of ours. */
function userIdOf(uid: string): string | null {
  const id = Buffer.from(uid, 'base64url').toString()
  return /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(id) && uidOf(id) === uid ? id : null
}
