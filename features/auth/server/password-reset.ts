import { audit } from '#kit/server/audit.ts'
import { transact, type Trx } from '#kit/server/db.ts'
import type { FieldErrors } from '#kit/contract/errors.ts'
import { findPasswordFault } from '#kit/server/password-rule.ts'
import { badRequest, type HttpError, throwIfInvalid } from '#kit/server/http-error.ts'
import type { BrowserIdentity, RequestContext } from '#kit/server/request-context.ts'
import { allowMailToUser, findMailStoppedUsers } from '#features/messages/server/mail-stops.store.ts'
import { resetMessages } from '../password-reset.contract.ts'
import { blockedAccountError, replacePassword } from './auth.ts'
import type { AuthDeps } from './auth.deps.ts'
import { isAccountBrowser } from './account-browser.ts'
import { type ResetAccount, queueResetLinkMail } from './password.mail.ts'
import { insertResetRequest, resetRequestQueue, consumeResetRequest } from './password-reset-requests.store.ts'
import { requirePin } from './reset-pin.ts'
import { findToken, isTokenIssued, issueToken, consumeToken, invalidateTokens } from './tokens.store.ts'
import {
  listAccountsWithEmail,
  findVerifiedAccount,
  findUser,
  isEmailTaken,
  lockUser,
  lockUsers,
  markEmailVerified,
  type User,
} from './users.store.ts'

/** Does nothing but queue a job, so that the response takes equally long whether or not the address has an account. */
export async function requestReset(
  deps: AuthDeps,
  visit: RequestContext,
  { email, next }: { email: string; next: string },
): Promise<void> {
  const id = await insertResetRequest(deps.db, {
    sealed_email: deps.secrets.seal(email),
    sealed_next: deps.secrets.seal(next),
    session_id: visit.session.id,
  })
  await deps.jobs.send(deps.db, resetRequestQueue, id)
}

type ResetRequest = {
  email: string
  next: string
  requestId: string
  sessionId: string | null
}

export const processResetRequest = (deps: AuthDeps, requestId: string): Promise<void> =>
  transact(deps.db, async (trx) => {
    const row = await consumeResetRequest(trx, requestId)
    if (!row) return
    const { open } = deps.secrets
    const [email, next] = [open(row.sealed_email), open(row.sealed_next)]
    await emailResetLinks(trx, deps, { email, next, requestId, sessionId: row.session_id })
  })

/**
 * Emails a reset link for each account with this address. Requesting more links does not shorten the hour for which
 * each link is valid.
 */
export async function emailResetLinks(trx: Trx, deps: AuthDeps, request: ResetRequest): Promise<void> {
  const { email, requestId, sessionId } = request
  const accounts = await listAccountsWithEmail(trx, email)
  if (accounts.length === 0) return audit(trx, deps.clock, { event: 'password_reset_requested', sessionId })
  const lockedUsers = await lockUsers(
    trx,
    accounts.map(({ id }) => id),
  )
  // Keep the order of `accounts`, which lists the verified account first.
  const users = accounts.flatMap(({ id }) => lockedUsers.find((user) => user.id === id && user.email === email) ?? [])
  for (const user of users) {
    // This request has already been handled by a process that runs the previous version.
    if (await isTokenIssued(trx, 'reset', user.id, requestId)) return
    await audit(trx, deps.clock, { event: 'password_reset_requested', userId: user.id, sessionId })
  }
  await queueResetLinks(trx, deps, users, request)
}

export async function queueResetLinks(
  trx: Trx,
  deps: AuthDeps,
  users: readonly User[],
  request: Pick<ResetRequest, 'requestId' | 'next'>,
): Promise<void> {
  const accountsWithMailStopped = await findMailStoppedUsers(
    trx,
    users.map(({ id }) => id),
  )
  const accounts: ResetAccount[] = []
  for (const user of users.filter(({ id }) => !accountsWithMailStopped.has(id)))
    accounts.push(await issueResetLink(trx, deps, user, request))
  const [first, ...others] = accounts
  if (first) await queueResetLinkMail(trx, deps, [first, ...others], request.requestId)
}

async function issueResetLink(
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

type ResetLink = { uid: string; token: string }

async function findLinkOwner(deps: AuthDeps, { uid, token }: ResetLink): Promise<User | null> {
  const userId = parseUserId(uid)
  const validToken = userId
    ? await findToken(deps.db, { token, purpose: 'reset', userId }, deps.clock.now())
    : undefined
  const user = validToken && (await findUser(deps.db, validToken.user_id))
  // Reject the link if it was sent to an address that the account no longer has.
  return user && user.email === validToken.email ? user : null
}

export async function validateReset(
  deps: AuthDeps,
  link: ResetLink,
  { password }: { password?: string },
): Promise<FieldErrors> {
  const user = password === undefined ? null : await findLinkOwner(deps, link)
  return user && password !== undefined ? validateNewPassword(user, password) : {}
}

function validateNewPassword({ email, first_name, last_name }: User, password: string): FieldErrors {
  const fault = findPasswordFault(password, { email, names: [first_name, last_name] })
  return fault ? { password: [fault] } : {}
}

/**
 * Uses an emailed link to set a new password. Ends the account's sessions and open requests, and signs the visitor in.
 * If the address is unverified, the account also needs a PIN sent to its number, unless this is the browser that placed
 * its order. The reset verifies the address too, unless another account has already verified it. Returns the account's
 * id and the browser's new cookies.
 * @throws 400 when the link is invalid; also when the password is not acceptable or the PIN is wrong, in which case the
 * link stays valid
 */
export async function applyResetLink(
  deps: AuthDeps,
  visit: RequestContext,
  link: ResetLink,
  { password, pin }: { password: string; pin: string },
): Promise<{ userId: string; cookies: BrowserIdentity }> {
  const user = await findLinkOwner(deps, link)
  if (!user) throw invalidLinkError()
  if (user.blocked_at) throw blockedAccountError(deps)
  throwIfInvalid(validateNewPassword(user, password))
  if (!user.email_verified_at && !isAccountBrowser(deps, visit, user)) await requirePin(deps, user, link.token, pin)
  // Argon2 is deliberately slow, so hash before the transaction starts.
  const hash = await deps.passwords.hash(password, user.email)
  const runPasswordReset = () =>
    transact(deps.db, (trx) => replacePasswordWithToken(trx, deps, visit, { user, token: link.token, hash }))
  // If another account verifies the address at the same moment, run again. The second run leaves this account unverified.
  const cookies = await runPasswordReset().catch((error: unknown) =>
    isEmailTaken(error) ? runPasswordReset() : Promise.reject(error),
  )
  return { userId: user.id, cookies }
}

async function replacePasswordWithToken(
  trx: Trx,
  deps: AuthDeps,
  visit: RequestContext,
  { user, token, hash }: { user: User; token: string; hash: string },
): Promise<BrowserIdentity> {
  const owner = await lockUser(trx, user.id)
  const now = deps.clock.now()
  const usedToken = owner && (await consumeToken(trx, { token, purpose: 'reset', userId: owner.id }, now))
  if (!usedToken || usedToken.email !== owner.email) throw invalidLinkError()
  if (owner.blocked_at) throw blockedAccountError(deps)
  // Following the link proves that the visitor can read email sent to this address.
  if (!owner.email_verified_at && !(await findVerifiedAccount(trx, owner.email))) {
    await markEmailVerified(trx, owner.id, usedToken.email, now)
    await allowMailToUser(trx, owner.id)
    await invalidateTokens(trx, owner.id, ['verify'], now)
    await audit(trx, deps.clock, { event: 'email_verified', userId: owner.id, sessionId: visit.session.id })
  }
  await deps.accountParts.endRequests(trx, owner.id)
  const cookies = await replacePassword(trx, deps, visit, { owner, hash, event: 'password_reset' })
  if (!cookies) throw new Error('the account was locked, and another call was quicker all the same')
  return cookies
}

const invalidLinkError = (): HttpError =>
  badRequest({
    __all__: [
      { message: resetMessages.invalid, actions: [{ url: '/forgot-password/', text: resetMessages.askAgain }] },
    ],
  })

const uidOf = (userId: string): string => Buffer.from(userId).toString('base64url')

function parseUserId(uid: string): string | null {
  const id = Buffer.from(uid, 'base64url').toString()
  return /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(id) && uidOf(id) === uid ? id : null
}
