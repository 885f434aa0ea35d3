import { audit } from '#kit/server/audit.ts'
import { transact, type Trx } from '#kit/server/db.ts'
import type { FieldErrors } from '#kit/contract/errors.ts'
import { passwordFault } from '#kit/server/password-rule.ts'
import { invalid, type Refusal, refuseAny } from '#kit/server/refusal.ts'
import type { BrowserIdentity, Visit } from '#kit/server/visit.ts'
import { allowMail, findStopped } from '#features/messages/server/mail-stops.store.ts'
import { resetMessages } from '../password-reset.contract.ts'
import { accountIsBlocked, replacePassword } from './auth.ts'
import type { AuthDeps } from './auth.deps.ts'
import { isBrowserOfAccount } from './account-browser.ts'
import { type ResetAccount, sendResetLinks } from './password.mail.ts'
import { insertResetRequest, resetRequestRetries, takeResetRequest } from './password-reset-requests.store.ts'
import { demandPin } from './reset-pin.ts'
import { findToken, isTokenIssued, issueToken, takeToken, voidTokens } from './tokens.store.ts'
import {
  findAccountsOf,
  findVerifiedAccount,
  findUser,
  isEmailTaken,
  lockUser,
  lockUsers,
  markVerified,
  type User,
} from './users.store.ts'

/** Only queues a job, so the response takes the same time for an unknown address. */
export async function askForReset(
  deps: AuthDeps,
  visit: Visit,
  { email, next }: { email: string; next: string },
): Promise<void> {
  const id = await insertResetRequest(deps.db, {
    sealed_email: deps.secrets.seal(email),
    sealed_next: deps.secrets.seal(next),
    session_id: visit.session.id,
  })
  await deps.jobs.send(deps.db, resetRequestRetries, id)
}

type ResetRequest = {
  email: string
  next: string
  requestId: string
  sessionId: string | null
}

export const doResetRequest = (deps: AuthDeps, requestId: string): Promise<void> =>
  transact(deps.db, async (trx) => {
    const row = await takeResetRequest(trx, requestId)
    if (!row) return
    const { open } = deps.secrets
    const [email, next] = [open(row.sealed_email), open(row.sealed_next)]
    await mailResetLinks(trx, deps, { email, next, requestId, sessionId: row.session_id })
  })

/** Each link is valid for an hour, however many are requested. */
export async function mailResetLinks(trx: Trx, deps: AuthDeps, request: ResetRequest): Promise<void> {
  const { email, requestId, sessionId } = request
  const accounts = await findAccountsOf(trx, email)
  if (accounts.length === 0) return audit(trx, deps.clock, { event: 'password_reset_requested', sessionId })
  const locked = await lockUsers(
    trx,
    accounts.map(({ id }) => id),
  )
  // Keep the sequence of `accounts`: the verified account first.
  const users = accounts.flatMap(({ id }) => locked.find((user) => user.id === id && user.email === email) ?? [])
  for (const user of users) {
    // A process of the previous version has processed this request already.
    if (await isTokenIssued(trx, 'reset', user.id, requestId)) return
    await audit(trx, deps.clock, { event: 'password_reset_requested', userId: user.id, sessionId })
  }
  await writeResetLinks(trx, deps, users, request)
}

export async function writeResetLinks(
  trx: Trx,
  deps: AuthDeps,
  users: readonly User[],
  request: Pick<ResetRequest, 'requestId' | 'next'>,
): Promise<void> {
  const stopped = await findStopped(
    trx,
    users.map(({ id }) => id),
  )
  const accounts: ResetAccount[] = []
  for (const user of users.filter(({ id }) => !stopped.has(id)))
    accounts.push(await issueLink(trx, deps, user, request))
  const [first, ...others] = accounts
  if (first) await sendResetLinks(trx, deps, [first, ...others], request.requestId)
}

async function issueLink(
  trx: Trx,
  deps: AuthDeps,
  user: User,
  { requestId, next }: Pick<ResetRequest, 'requestId' | 'next'>,
): Promise<ResetAccount> {
  const phone = await deps.accountParts.phone(user.id, trx)
  const token = await issueToken(trx, {
    purpose: 'reset',
    userId: user.id,
    email: user.email,
    subjectId: requestId,
    at: deps.clock.now(),
    hours: 1,
  })
  const query = next === '/' ? '' : `?${new URLSearchParams({ next })}`
  return {
    user,
    phone: phone?.phone_display ?? null,
    link: `${deps.publicUrl}/password-reset/${uidOf(user.id)}/${token}${query}`,
  }
}

type Link = { uid: string; token: string }

async function ownerOfLink(deps: AuthDeps, { uid, token }: Link): Promise<User | null> {
  const userId = userIdOf(uid)
  const found = userId ? await findToken(deps.db, { token, purpose: 'reset', userId }, deps.clock.now()) : undefined
  const user = found && (await findUser(deps.db, found.user_id))
  // After a change of address, a link that was sent to the old address is invalid.
  return user && user.email === found.email ? user : null
}

export async function resetFaults(
  deps: AuthDeps,
  link: Link,
  { password }: { password?: string },
): Promise<FieldErrors> {
  const user = password === undefined ? null : await ownerOfLink(deps, link)
  return user && password !== undefined ? newPasswordFaults(user, password) : {}
}

function newPasswordFaults({ email, first_name, last_name }: User, password: string): FieldErrors {
  const fault = passwordFault(password, { email, names: [first_name, last_name] })
  return fault ? { password: [fault] } : {}
}

/**
 * Sets a new password by the link of a mail, ends every session and open request of the account, and signs the visitor
 * in. If the account's address is not verified, a PIN sent to its number is required too, unless this browser ordered
 * the account. A reset by the link, with the PIN or in that browser, also verifies the address, unless another account has verified it.
 * Returns the
 * account and the browser's new cookies.
 * @throws 400 when the link is invalid, or the password or PIN is wrong; the link then stays valid
 */
export async function resetWithLink(
  deps: AuthDeps,
  visit: Visit,
  link: Link,
  { password, pin }: { password: string; pin: string },
): Promise<{ userId: string; cookies: BrowserIdentity }> {
  const user = await ownerOfLink(deps, link)
  if (!user) throw linkIsNoGood()
  if (user.blocked_at) throw accountIsBlocked(deps)
  refuseAny(newPasswordFaults(user, password))
  if (!user.email_verified_at && !isBrowserOfAccount(deps, visit, user)) await demandPin(deps, user, link.token, pin)
  // Hash outside the transaction, because argon2 is slow by design.
  const hash = await deps.passwords.hash(password, user.email)
  const reset = () => transact(deps.db, (trx) => takeReset(trx, deps, visit, { user, token: link.token, hash }))
  // Another account may verify the address at this moment. A second run then leaves this account unverified.
  const cookies = await reset().catch((error: unknown) => (isEmailTaken(error) ? reset() : Promise.reject(error)))
  return { userId: user.id, cookies }
}

async function takeReset(
  trx: Trx,
  deps: AuthDeps,
  visit: Visit,
  { user, token, hash }: { user: User; token: string; hash: string },
): Promise<BrowserIdentity> {
  const owner = await lockUser(trx, user.id)
  const now = deps.clock.now()
  const taken = owner && (await takeToken(trx, { token, purpose: 'reset', userId: owner.id }, now))
  if (!taken || taken.email !== owner.email) throw linkIsNoGood()
  if (owner.blocked_at) throw accountIsBlocked(deps)
  // Following the link proves that the visitor reads mail at the address.
  if (!owner.email_verified_at && !(await findVerifiedAccount(trx, owner.email))) {
    await markVerified(trx, owner.id, taken.email, now)
    await allowMail(trx, owner.id)
    await voidTokens(trx, owner.id, ['verify'], now)
    await audit(trx, deps.clock, { event: 'email_verified', userId: owner.id, sessionId: visit.session.id })
  }
  await deps.accountParts.endRequests(trx, owner.id)
  const cookies = await replacePassword(trx, deps, visit, { owner, hash, event: 'password_reset' })
  if (!cookies) throw new Error('the account was locked, and another call was quicker all the same')
  return cookies
}

const linkIsNoGood = (): Refusal =>
  invalid({
    __all__: [
      { message: resetMessages.invalid, actions: [{ url: '/forgot-password/', text: resetMessages.askAgain }] },
    ],
  })

const uidOf = (userId: string): string => Buffer.from(userId).toString('base64url')

function userIdOf(uid: string): string | null {
  const id = Buffer.from(uid, 'base64url').toString()
  return /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(id) && uidOf(id) === uid ? id : null
}
