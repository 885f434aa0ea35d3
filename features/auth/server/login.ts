import type { EndpointBody } from '#kit/contract/endpoint.ts'
import { audit } from '#kit/server/audit.ts'
import { transact } from '#kit/server/db.ts'
import { formError } from '#kit/server/http-error.ts'
import { signIn, signOut } from '#kit/server/sign-in.ts'
import type { BrowserIdentity, RequestContext } from '#kit/server/request-context.ts'
import { type login, loginMessages } from '../login.contract.ts'
import { blockedAccountError } from './auth.ts'
import type { AuthDeps } from './auth.deps.ts'
import { countSuccessfulLogin } from './count-successful-login.ts'
import { joinAccounts } from './join-accounts.ts'
import { matchPassword } from './match-password.ts'
import { beginPasswordAttempt } from './password-attempt.ts'
import {
  listAccountsWithEmail,
  findUser,
  lockUsers,
  lockUserWithPassword,
  replacePasswordSalt,
  type User,
} from './users.store.ts'

/**
 * Signs in to the account that matches the email address and password. An unknown address gets the same response as a
 * wrong password, after the same amount of work. Returns the account's id and the browser's new cookies.
 * @throws 400 when the address and password do not match or the account is blocked, 429 after too many wrong passwords
 * or logins
 */
export async function logIn(
  deps: AuthDeps,
  visit: RequestContext,
  { username, password }: EndpointBody<typeof login>,
): Promise<{ userId: string; cookies: BrowserIdentity }> {
  const accounts = await listAccountsWithEmail(deps.db, username)
  const passwordAttempt = await beginPasswordAttempt(deps, visit, { email: username, accounts, candidates: accounts })
  const { comparable, knownTo } = passwordAttempt
  const { hash, matches } = await passwordAttempt.uncountOnError(() =>
    matchPassword(deps.passwords, { email: username, accounts: comparable }, password),
  )
  const user = selectAccount(matches, knownTo)
  // After too many failed logins, issue a new device cookie. Keeping the old one would make this a known browser again.
  const browser = knownTo ? visit : { ...visit, device: null }
  if (user && !user.blocked_at) await countSuccessfulLogin(deps.db, user, () => passwordAttempt.settle(matches))
  const cookies = user && !user.blocked_at ? await startSession(deps, browser, user, hash) : null
  const isBlocked = user && !cookies && (await findUser(deps.db, user.id))?.blocked_at
  if (isBlocked) await passwordAttempt.settle(matches)
  if (!user || !cookies) {
    // If several accounts share the address, nobody can tell which one was meant, so record the event for the first account.
    await audit(deps.db, deps.clock, {
      event: 'login_failed',
      userId: accounts[0]?.id ?? null,
      sessionId: visit.session.id,
      details: isBlocked ? { blocked: true } : {},
    })
    throw isBlocked ? blockedAccountError(deps) : formError(loginMessages.wrong)
  }
  await passwordAttempt.settle(matches)
  if (user.email_verified_at)
    await joinOtherAccounts(
      deps,
      { into: user, from: matches.filter(({ id }) => id !== user.id), hash },
      cookies.session.id,
    )
  return { userId: user.id, cookies }
}

function selectAccount(matches: User[], knownAccount: User | undefined): User | undefined {
  const [first] = matches
  return first?.email_verified_at ? first : (matches.find((account) => account === knownAccount) ?? first)
}

/**
 * Starts a session for the customer. Returns `null` if the password was changed or the account was blocked during the
 * check, because either one must end all of the account's sessions.
 */
async function startSession(
  deps: AuthDeps,
  visit: RequestContext,
  user: User,
  hash: string,
): Promise<BrowserIdentity | null> {
  const cookies = await transact(deps.db, async (trx) => {
    const lockedUser = await lockUserWithPassword(trx, user.id, [user.password_hash, hash])
    if (!lockedUser) return null
    const signedInBrowser = await signIn(trx, deps, visit, { id: user.id, passwordEpoch: lockedUser.password_epoch })
    await audit(trx, deps.clock, { event: 'login', userId: user.id, sessionId: signedInBrowser.session.id })
    return signedInBrowser
  })
  // The stored hash still has the former address's salt. Replace it, so that the next login needs only one hash.
  if (cookies && user.password_hash !== hash)
    await replacePasswordSalt(deps.db, user.id, { from: user.password_hash, to: hash })
  return cookies
}

/**
 * Merges unverified accounts with the same address and password into the verified account. Entering the password has
 * proved that the customer owns all of them.
 */
async function joinOtherAccounts(
  deps: AuthDeps,
  { into, from: otherAccounts, hash }: { into: User; from: User[]; hash: string },
  sessionId: string | null,
): Promise<void> {
  for (const other of otherAccounts) {
    await transact(deps.db, async (trx) => {
      const lockedAccounts = await lockUsers(trx, [into.id, other.id])
      const [from, owner] = [other.id, into.id].map((id) => lockedAccounts.find((account) => account.id === id))
      const isUnchanged =
        from &&
        owner &&
        !from.email_verified_at &&
        !from.blocked_at &&
        !owner.blocked_at &&
        // The password has opened both accounts. The hash of `into` may have been replaced since then.
        from.password_hash === other.password_hash &&
        [hash, into.password_hash].includes(owner.password_hash)
      if (isUnchanged) await joinAccounts(trx, deps, { from, into: owner }, sessionId)
    })
  }
}

export const logOut = (deps: AuthDeps, visit: RequestContext): Promise<BrowserIdentity> =>
  transact(deps.db, async (trx) => {
    const { user, session } = visit
    if (user) await audit(trx, deps.clock, { event: 'logout', userId: user.id, sessionId: session.id })
    return signOut(trx, deps, visit)
  })
