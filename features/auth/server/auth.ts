import { randomUUID } from 'node:crypto'
import { namesOf } from '#kit/contract/names.ts'
import { audit } from '#kit/server/audit.ts'
import type { Clock } from '#kit/server/clock.ts'
import { type Db, transact, type Trx } from '#kit/server/db.ts'
import { countUse, forgiveUse } from '#kit/server/limits.ts'
import { isPasswordRecent, notePassword } from '#kit/server/own-sessions.ts'
import { verifyPassword } from '#kit/server/password.ts'
import { invalid, unauthorised } from '#kit/server/refusal.ts'
import { endSessions } from '#kit/server/session.ts'
import { signIn } from '#kit/server/sign-in.ts'
import type { Visit } from '#kit/server/visit.ts'
import { greet, queueMail } from '#features/messages/server/messages.ts'
import { passwordAgainMessages } from '../password-again.contract.ts'
import { verifyMessages } from '../verify.contract.ts'
import type { AuthDeps } from './auth.deps.ts'
import { findTokenOwner, issueToken, takeToken, voidTokens } from './tokens.store.ts'
import { findUser, findUserIdByEmail, insertUser, lockUser, markVerified, setPasswordHash } from './users.store.ts'

type Signup = { id: string; user_id: string | null; email: string; full_name: string; password_hash: string | null; marketing_consent: boolean }

/**
 * The account that an order belongs to: the signed-in customer's, the one the address has, or a new one.
 * Nothing of an existing account changes, and nothing tells the visitor which of these it was.
 */
export async function claimAccount(trx: Trx, order: Signup, at: Temporal.Instant): Promise<{ userId: string; isNew: boolean }> {
  if (order.user_id) return { userId: order.user_id, isNew: false }
  const made = await insertUser(
    trx,
    { email: order.email, password_hash: order.password_hash ?? '', ...namesOf(order.full_name), marketing_consent: order.marketing_consent, made_by_order: order.id },
    at,
  )
  if (made) return { userId: made, isNew: true }
  const existing = await findUserIdByEmail(trx, order.email)
  if (!existing) throw new Error('the address has an account and has none')
  return { userId: existing, isNew: false }
}

/** A link's token that proves an address is read by its owner; only its hash is kept. */
export async function issueVerification(trx: Trx, userId: string, at: Temporal.Instant): Promise<string | null> {
  const user = await findUser(trx, userId)
  if (!user || user.email_verified_at) return null
  return issueToken(trx, { purpose: 'verify', userId, email: user.email, at, hours: 7 * 24 })
}

/**
 * Confirms an address by the token of its link, whoever carries it.
 * @throws 400 when the token is used up, too old or none of ours, or went to an address that is no longer the account's
 */
export async function confirmEmail(deps: { db: Db; clock: Clock }, visit: Visit, token: string): Promise<void> {
  const now = deps.clock.now()
  const confirmed = await transact(deps.db, async (trx) => {
    // The account first, then its tokens: everybody who needs both takes them in this order.
    const userId = await findTokenOwner(trx, 'verify', token)
    if (!userId || !(await lockUser(trx, userId))) return false
    const taken = await takeToken(trx, 'verify', token, now)
    if (!taken || !(await markVerified(trx, userId, taken.email, now))) return false
    await voidTokens(trx, userId, ['verify'], now)
    await audit(trx, deps.clock, { event: 'email_verified', userId, sessionId: visit.session.id })
    return true
  })
  if (!confirmed) throw invalid({ token: [verifyMessages.invalid] })
}

type Owner = { id: string; email: string; first_name: string; password_hash: string }

/**
 * Puts a new password in place of the one that `owner` was read with: this visitor goes on signed in, every other session of
 * the account ends, links that would get round it lead nowhere, and its owner is told. False when somebody else was quicker.
 */
export async function replacePassword(trx: Trx, deps: AuthDeps, visit: Visit, owner: Owner, hash: string, event: 'password_reset' | 'password_changed'): Promise<boolean> {
  const now = deps.clock.now()
  if (!(await setPasswordHash(trx, owner.id, { from: owner.password_hash, to: hash }, now))) return false
  // First this session goes on under a new token: then every other one is somebody else's.
  await signIn(trx, deps.secrets, visit, owner.id)
  await endSessions(trx, owner.id, visit.session.id)
  await voidTokens(trx, owner.id, ['reset', 'change-email'], now)
  await queueMail(trx, deps, {
    eventKey: `password-changed:${randomUUID()}`,
    to: owner.email,
    subject: 'Your password was changed',
    heading: 'Your password was changed',
    paragraphs: [
      `${greet(owner.first_name)}, the password of your ${deps.brandName} account has just been changed, and everybody who was logged in to it elsewhere was logged out.`,
      'If that was you, there is nothing more to do. If it was not, set a new password with the link below at once, and contact us.',
    ],
    rows: [],
    button: { text: 'It was not me', url: `${deps.publicUrl}/forgot-password/` },
  })
  await audit(trx, deps.clock, { event, userId: owner.id, sessionId: visit.session.id })
  return true
}

/** Who acts, and in which session. */
export type Actor = { userId: string; sessionId: string | null }

/**
 * Whether this is the password of a customer who is signed in. Wrong ones are counted, right ones are not: somebody at an
 * open browser must not find out the password that its owner uses elsewhere, too.
 * @throws 429 after too many wrong ones
 */
export async function isOwnPassword(deps: { db: Db; clock: Clock }, user: { id: string; password_hash: string }, sessionId: string | null, password: string): Promise<boolean> {
  const limits = [{ key: `own-password:wrong:${user.id}`, times: 10, seconds: 900 }]
  await countUse(deps.db, limits)
  const isRight = await verifyPassword(password, user.password_hash)
  if (isRight) await forgiveUse(deps.db, limits)
  else await audit(deps.db, deps.clock, { event: 'password_wrong', userId: user.id, sessionId })
  return isRight
}

/**
 * Takes note of the password in a session that has not had it for a day; where it is empty, or not asked for, nothing happens.
 * @throws 400 when it is wrong, 429 after too many wrong ones
 */
export async function enterPassword(deps: { db: Db; clock: Clock }, { userId, sessionId }: Actor, password: string): Promise<void> {
  if (password === '' || (await isPasswordRecent(deps.db, userId, sessionId))) return
  const user = await findUser(deps.db, userId)
  if (!user) throw unauthorised()
  if (!(await isOwnPassword(deps, user, sessionId, password))) throw invalid({ password: [passwordAgainMessages.wrong] })
  // Signed out while it was being checked.
  if (!(await notePassword(deps.db, userId, sessionId))) throw unauthorised()
  await audit(deps.db, deps.clock, { event: 'password_confirmed', userId, sessionId })
}

/**
 * For a change that would hand the account over.
 * @throws 400 in a session in which nobody has entered the password for a day
 */
export async function requireRecentPassword(db: Db | Trx, { userId, sessionId }: Actor): Promise<void> {
  if (!(await isPasswordRecent(db, userId, sessionId))) throw invalid({ password: [passwordAgainMessages.needed] })
}
