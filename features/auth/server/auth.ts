import { splitFullName } from '#kit/contract/names.ts'
import { audit } from '#kit/server/audit.ts'
import type { Clock } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'
import { countLimitUse, undoLimitUse, addEpochToLimitKey, tryCountLimitUse, type Limit } from '#kit/server/limits.ts'
import { isPasswordRecent, recordPasswordEntry } from '#kit/server/own-sessions.ts'
import { badRequest, formError, type HttpError, unauthorised } from '#kit/server/http-error.ts'
import { verifyAnyForm } from '#kit/server/password.ts'
import { endSessions } from '#kit/server/session.ts'
import { signIn } from '#kit/server/sign-in.ts'
import type { CustomerActor, BrowserIdentity, RequestContext } from '#kit/server/request-context.ts'
import { callSupportText } from '#features/messages/server/messages.ts'
import { loginMessages } from '../login.contract.ts'
import { passwordConfirmationMessages } from '../password-confirmation.contract.ts'
import type { AuthDeps } from './auth.deps.ts'
import { loginsPerEmailLimit, allKnownBrowsersLimit, loginsPerEmailLimits } from './login-limits.ts'
import { notifyPasswordChanged } from './password.mail.ts'
import { issueToken, invalidateTokens } from './tokens.store.ts'
import { resetPinSmsLimit, wrongResetPinLimit } from './reset-pin.ts'
import {
  listAccountsWithEmail,
  findUser,
  findUsers,
  findVerifiedAccount,
  insertUser,
  setPasswordHash,
  type User,
} from './users.store.ts'

/** Use this error only for callers who have proved that they own the account. Nobody else may find out that the account is blocked. */
export const blockedAccountError = (deps: Pick<AuthDeps, 'help'>): HttpError =>
  formError(loginMessages.blocked(callSupportText(deps)))

/**
 * Rejects blocked accounts. Call this after inserting a row that references the accounts: the foreign key's lock then
 * makes a concurrent request to block an account wait for this transaction.
 * @throws 400 when an account is blocked
 */
export async function requireUnblocked(
  trx: Trx,
  deps: Pick<AuthDeps, 'help'>,
  userIds: readonly (string | null | undefined)[],
): Promise<void> {
  const ids = new Set(userIds.filter((id) => typeof id === 'string'))
  const users = ids.size > 0 ? await findUsers(trx, [...ids]) : new Map<string, User>()
  if (users.values().some(({ blocked_at: at }) => at !== null)) throw blockedAccountError(deps)
}

export const loginsPerEmailLabel = 'sign-ins with the email address'

export async function listLockoutLimits(
  db: Db,
  user: Pick<User, 'id' | 'email' | 'limits_epoch'>,
): Promise<{ of: string; limit: Limit }[]> {
  return [
    {
      of: loginsPerEmailLabel,
      limit: loginsPerEmailLimit(user.email, await listAccountsWithEmail(db, user.email)),
    },
    { of: 'sign-ins from known browsers', limit: allKnownBrowsersLimit(user) },
    { of: 'wrong current passwords', limit: wrongCurrentPasswordLimit(user) },
    { of: 'wrong password reset PINs', limit: wrongResetPinLimit(user) },
    { of: 'password reset PINs sent', limit: resetPinSmsLimit(user) },
  ]
}

type SignupResult = { password_hash: string; joins_user_id: string | null }

/**
 * Hashes a sign-up password and looks for a verified account with the same email address and password. This counts as a login attempt, and
 * no passwords are compared beyond the limit. A sign-up always costs exactly one hash, so the response time does not reveal whether an
 * account exists. An account whose hash still has a former address's salt is not found; the owner gets a second account, which their next
 * login merges into the first.
 */
export async function checkSignupPassword(
  deps: Pick<AuthDeps, 'db' | 'passwords' | 'help'>,
  visit: RequestContext,
  { email, password }: { email: string; password: string },
): Promise<SignupResult> {
  const accounts = await listAccountsWithEmail(deps.db, email)
  const verifiedAccounts = accounts.filter(({ email_verified_at: at }) => at !== null)
  /*
   * Known browsers have no limits of their own here. If the password is not compared, the customer gets a second account, which their next
   * login merges into the first.
   */
  const isWithinLimit = await tryCountLimitUse(deps.db, loginsPerEmailLimits(visit, email, accounts))
  const hash = await deps.passwords.hash(password, email)
  const matchingAccount = isWithinLimit
    ? verifiedAccounts.find(({ password_hash: storedHash }) => deps.passwords.isSame(hash, storedHash))
    : undefined
  if (matchingAccount?.blocked_at) throw blockedAccountError(deps)
  return { password_hash: hash, joins_user_id: matchingAccount?.id ?? null }
}

type AccountOrder = Omit<SignupResult, 'password_hash'> & {
  id: string
  session_id: string | null
  user_id: string | null
  email: string
  full_name: string
  password_hash: string | null
  marketing_consent: boolean
}

/**
 * Returns the account that an order belongs to: the signed-in customer's, the verified account whose password was
 * entered at sign-up, or a new one. An unverified email address is only a claim, so it never matches an existing
 * account.
 */
export async function findOrCreateOrderAccount(
  trx: Trx,
  clock: Clock,
  order: AccountOrder,
): Promise<{ userId: string; isNew: boolean }> {
  if (order.user_id) return { userId: order.user_id, isNew: false }
  const verifiedAccount = order.joins_user_id ? await findVerifiedAccount(trx, order.email) : undefined
  if (verifiedAccount && verifiedAccount.id === order.joins_user_id && !verifiedAccount.blocked_at)
    return { userId: verifiedAccount.id, isNew: false }
  const { id, session_id, email, password_hash, full_name, marketing_consent } = order
  const account = {
    email,
    password_hash: password_hash ?? '',
    ...splitFullName(full_name),
    marketing_consent,
    made_by_order: id,
    made_in_session: session_id,
  }
  const userId = await insertUser(trx, account, clock.now())
  await audit(trx, clock, { event: 'account_made', userId, sessionId: session_id })
  return { userId, isNew: true }
}

export async function issueVerificationToken(trx: Trx, userId: string, at: Temporal.Instant): Promise<string | null> {
  const user = await findUser(trx, userId)
  if (!user || user.email_verified_at) return null
  return issueToken(trx, { purpose: 'verify', userId, email: user.email, at, hours: 7 * 24 })
}

type PasswordReplacement = {
  owner: { id: string; email: string; first_name: string; password_hash: string }
  hash: string
  event: 'password_reset' | 'password_changed'
}

/**
 * Replaces the account's password, unless it has changed since `owner` was read. Keeps the visitor signed in and makes
 * their browser a known browser. Ends the account's other sessions, makes its other browsers unknown, invalidates open
 * reset and change-email links, and notifies the owner. Returns the visitor's new cookies, or `null` if another request
 * changed the password first or the account is blocked.
 */
export async function replacePassword(
  trx: Trx,
  deps: AuthDeps,
  visit: RequestContext,
  { owner, hash, event }: PasswordReplacement,
): Promise<BrowserIdentity | null> {
  const now = deps.clock.now()
  const passwordEpoch = await setPasswordHash(trx, owner.id, { from: owner.password_hash, to: hash }, now)
  if (passwordEpoch === null) return null
  // Sign the visitor in first. Their session then has a new token, so all of the account's other sessions can be ended.
  const cookies = await signIn(trx, deps, visit, { id: owner.id, passwordEpoch })
  await endSessions(trx, owner.id, cookies.session.id)
  await invalidateTokens(trx, owner.id, ['reset', 'change-email'], now)
  await notifyPasswordChanged(trx, deps, owner)
  await audit(trx, deps.clock, { event, userId: owner.id, sessionId: cookies.session.id })
  return cookies
}

const wrongCurrentPasswordLimit = ({ id, limits_epoch: epoch }: Pick<User, 'id' | 'limits_epoch'>): Limit => ({
  key: addEpochToLimitKey(`own-password:wrong:${id}`, epoch),
  times: 10,
  seconds: 900,
})

type PasswordDeps = Pick<AuthDeps, 'db' | 'clock' | 'passwords'>

/**
 * Checks a signed-in customer's password. Only wrong passwords count towards the limit, which stops a stranger at an
 * unattended computer from guessing the password.
 * @throws 429 after too many wrong passwords
 */
export async function checkSessionPassword(
  deps: PasswordDeps,
  user: { id: string; password_hash: string; limits_epoch: number },
  sessionId: string | null,
  password: string,
): Promise<boolean> {
  const limits = [wrongCurrentPasswordLimit(user)]
  await countLimitUse(deps.db, limits)
  const isCorrectPassword = await verifyAnyForm(deps.passwords, password, user.password_hash)
  if (isCorrectPassword) await undoLimitUse(deps.db, limits)
  else await audit(deps.db, deps.clock, { event: 'password_wrong', userId: user.id, sessionId })
  return isCorrectPassword
}

/**
 * Checks the submitted password and records that it has been entered in this session. Does nothing if the field is
 * empty or the password was entered less than a day ago.
 * @throws 400 when the password is wrong, 429 after too many wrong passwords
 */
export async function checkAndRecordPassword(
  deps: PasswordDeps,
  { userId, sessionId }: CustomerActor,
  password: string,
): Promise<void> {
  if (password === '' || (await isPasswordRecent(deps.db, userId, sessionId))) return
  const user = await findUser(deps.db, userId)
  if (!user) throw unauthorised()
  if (!(await checkSessionPassword(deps, user, sessionId, password)))
    throw badRequest({ password: [passwordConfirmationMessages.wrong] })
  // The session ended while the password was being checked.
  if (!(await recordPasswordEntry(deps.db, userId, sessionId))) throw unauthorised()
  await audit(deps.db, deps.clock, { event: 'password_confirmed', userId, sessionId })
}

/**
 * Call this before a change that could let somebody else take over the account.
 * @throws 400 when the password was last entered more than a day ago in this session
 */
export async function requireRecentPassword(db: Db | Trx, { userId, sessionId }: CustomerActor): Promise<void> {
  if (!(await isPasswordRecent(db, userId, sessionId)))
    throw badRequest({ password: [passwordConfirmationMessages.needed] })
}
