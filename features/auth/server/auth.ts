import { namesOf } from '#kit/contract/names.ts'
import { audit } from '#kit/server/audit.ts'
import type { Clock } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'
import { countUse, forgiveUse, inEpoch, isWithin, type Limit } from '#kit/server/limits.ts'
import { isPasswordRecent, notePassword } from '#kit/server/own-sessions.ts'
import { invalid, invalidForm, type Refusal, unauthorised } from '#kit/server/refusal.ts'
import { endSessions } from '#kit/server/session.ts'
import { signIn } from '#kit/server/sign-in.ts'
import type { Actor, BrowserIdentity, Visit } from '#kit/server/visit.ts'
import { callUs } from '#features/messages/server/messages.ts'
import { loginMessages } from '../login.contract.ts'
import { passwordAgainMessages } from '../password-again.contract.ts'
import type { AuthDeps } from './auth.deps.ts'
import { loginsOfAddress, loginsOfKnownBrowsers, loginsTo } from './login-limits.ts'
import { tellOfNewPassword } from './password.mail.ts'
import { issueToken, voidTokens } from './tokens.store.ts'
import { resetPinTexts, wrongResetPins } from './reset-pin.ts'
import {
  findAccountsOf,
  findUser,
  findUsers,
  findVerifiedAccount,
  insertUser,
  setPasswordHash,
  type User,
} from './users.store.ts'

/** For who has shown that the account is theirs, or is signed in to it: to others it is not told apart from any other. */
export const accountIsBlocked = (deps: Pick<AuthDeps, 'help'>): Refusal =>
  invalidForm(loginMessages.blocked(callUs(deps)))

/**
 * For what is paid for by, or becomes part of, an account. The caller has just written a row that refers to it: so a block that
 * is on its way waits for the caller, or the caller has waited for it.
 * @throws 400 when the account is blocked
 */
export async function requireUnblocked(
  trx: Trx,
  deps: Pick<AuthDeps, 'help'>,
  userIds: readonly (string | null | undefined)[],
): Promise<void> {
  const ids = new Set(userIds.filter((id) => typeof id === 'string'))
  const users = ids.size > 0 ? await findUsers(trx, [...ids]) : new Map<string, User>()
  if (users.values().some(({ blocked_at: at }) => at !== null)) throw accountIsBlocked(deps)
}

/** The limits that keep one account's owner out, each with what it counts: those that can be lifted for the account. */
export async function limitsOf(
  db: Db,
  user: Pick<User, 'id' | 'email' | 'limits_epoch'>,
): Promise<{ of: string; limit: Limit }[]> {
  return [
    { of: 'sign-ins with the address', limit: loginsOfAddress(user.email, await findAccountsOf(db, user.email)) },
    { of: 'sign-ins from known browsers', limit: loginsOfKnownBrowsers(user) },
    { of: 'wrong own passwords', limit: wrongOwnPasswords(user) },
    { of: 'wrong PINs for a new password', limit: wrongResetPins(user) },
    { of: 'PINs sent for a new password', limit: resetPinTexts(user) },
  ]
}

/** What a sign-up leaves behind: the password's hash, and the verified account of the address when the password is its own. */
type Signup = { password_hash: string; joins_user_id: string | null }

/**
 * Hashes the password that is typed to sign up, and says whose it is already. It counts as a try to log in; past the limit
 * it is compared with nothing, and neither answer nor time tells what came of it: it costs one hash, whoever has the address. So an
 * account that has moved here and has the salt of its old address is not found; its owner's next login joins the two.
 */
export async function checkSignupPassword(
  deps: Pick<AuthDeps, 'db' | 'passwords' | 'help'>,
  visit: Visit,
  { email, password }: { email: string; password: string },
): Promise<Signup> {
  const accounts = await findAccountsOf(deps.db, email)
  const holders = accounts.filter(({ email_verified_at: at }) => at !== null)
  // A known browser has no limits of its own here: a customer who is not recognised keeps a separate account until they log in.
  const isCounted = await isWithin(deps.db, loginsTo(visit, email, accounts))
  const hash = await deps.passwords.hash(password, email)
  const joined = isCounted ? holders.find(({ password_hash: kept }) => deps.passwords.isSame(hash, kept)) : undefined
  if (joined?.blocked_at) throw accountIsBlocked(deps)
  return { password_hash: hash, joins_user_id: joined?.id ?? null }
}

type Order = Omit<Signup, 'password_hash'> & {
  id: string
  session_id: string | null
  user_id: string | null
  email: string
  full_name: string
  password_hash: string | null
  marketing_consent: boolean
}

/**
 * The account that an order belongs to: the signed-in customer's; the address's verified one, whose password was typed to
 * sign up; else one of its own. The address alone leads to no account: until it is verified it is a claim.
 */
export async function accountForOrder(
  trx: Trx,
  clock: Clock,
  order: Order,
): Promise<{ userId: string; isNew: boolean }> {
  if (order.user_id) return { userId: order.user_id, isNew: false }
  const holder = order.joins_user_id ? await findVerifiedAccount(trx, order.email) : undefined
  if (holder && holder.id === order.joins_user_id && !holder.blocked_at) return { userId: holder.id, isNew: false }
  const { id, session_id, email, password_hash, full_name, marketing_consent } = order
  const account = {
    email,
    password_hash: password_hash ?? '',
    ...namesOf(full_name),
    marketing_consent,
    made_by_order: id,
    made_in_session: session_id,
  }
  const userId = await insertUser(trx, account, clock.now())
  await audit(trx, clock, { event: 'account_made', userId, sessionId: session_id })
  return { userId, isNew: true }
}

/** A link's token that proves an address is read by its owner; only its hash is kept. */
export async function issueVerification(trx: Trx, userId: string, at: Temporal.Instant): Promise<string | null> {
  const user = await findUser(trx, userId)
  if (!user || user.email_verified_at) return null
  return issueToken(trx, { purpose: 'verify', userId, email: user.email, at, hours: 7 * 24 })
}

type NewPassword = {
  owner: { id: string; email: string; first_name: string; password_hash: string }
  hash: string
  event: 'password_reset' | 'password_changed'
}

/**
 * Puts a new password in place of the one that `owner` was read with: this visitor goes on signed in and in a known browser, every
 * other session and known browser of the account ends, links that would get round it lead nowhere, and its owner is told. Answers
 * what the visitor's browser goes on with, or null when another call was quicker.
 */
export async function replacePassword(
  trx: Trx,
  deps: AuthDeps,
  visit: Visit,
  { owner, hash, event }: NewPassword,
): Promise<BrowserIdentity | null> {
  const now = deps.clock.now()
  const passwordEpoch = await setPasswordHash(trx, owner.id, { from: owner.password_hash, to: hash }, now)
  if (passwordEpoch === null) return null
  // First this session goes on under a new token: then every other one is another browser's.
  const cookies = await signIn(trx, deps, visit, { id: owner.id, passwordEpoch })
  await endSessions(trx, owner.id, cookies.session.id)
  await voidTokens(trx, owner.id, ['reset', 'change-email'], now)
  await tellOfNewPassword(trx, deps, owner)
  await audit(trx, deps.clock, { event, userId: owner.id, sessionId: cookies.session.id })
  return cookies
}

const wrongOwnPasswords = ({ id, limits_epoch: epoch }: Pick<User, 'id' | 'limits_epoch'>): Limit => ({
  key: inEpoch(`own-password:wrong:${id}`, epoch),
  times: 10,
  seconds: 900,
})

type PasswordDeps = Pick<AuthDeps, 'db' | 'clock' | 'passwords'>

/**
 * Whether this is the password of a customer who is signed in. Wrong ones are counted, right ones are not: a stranger at an
 * open browser must not find out the password that its owner uses elsewhere, too.
 * @throws 429 after too many wrong ones
 */
export async function checkSessionPassword(
  deps: PasswordDeps,
  user: { id: string; password_hash: string; limits_epoch: number },
  sessionId: string | null,
  password: string,
): Promise<boolean> {
  const limits = [wrongOwnPasswords(user)]
  await countUse(deps.db, limits)
  const isRight = await deps.passwords.verify(password, user.password_hash)
  if (isRight) await forgiveUse(deps.db, limits)
  else await audit(deps.db, deps.clock, { event: 'password_wrong', userId: user.id, sessionId })
  return isRight
}

/**
 * Takes note of the password in a session that has not had it for a day; where it is empty, or not asked for, nothing happens.
 * @throws 400 when it is wrong, 429 after too many wrong ones
 */
export async function enterPassword(deps: PasswordDeps, { userId, sessionId }: Actor, password: string): Promise<void> {
  if (password === '' || (await isPasswordRecent(deps.db, userId, sessionId))) return
  const user = await findUser(deps.db, userId)
  if (!user) throw unauthorised()
  if (!(await checkSessionPassword(deps, user, sessionId, password)))
    throw invalid({ password: [passwordAgainMessages.wrong] })
  // Signed out while it was being checked.
  if (!(await notePassword(deps.db, userId, sessionId))) throw unauthorised()
  await audit(deps.db, deps.clock, { event: 'password_confirmed', userId, sessionId })
}

/**
 * For a change that would hand the account over.
 * @throws 400 in a session in which the password was not entered for a day
 */
export async function requireRecentPassword(db: Db | Trx, { userId, sessionId }: Actor): Promise<void> {
  if (!(await isPasswordRecent(db, userId, sessionId))) throw invalid({ password: [passwordAgainMessages.needed] })
}
