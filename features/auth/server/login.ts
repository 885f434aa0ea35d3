import type { BodyOf } from '#kit/contract/endpoint.ts'
import { audit } from '#kit/server/audit.ts'
import { transact } from '#kit/server/db.ts'
import { invalidForm } from '#kit/server/refusal.ts'
import { signIn, signOut } from '#kit/server/sign-in.ts'
import type { BrowserIdentity, Visit } from '#kit/server/visit.ts'
import { type login, loginMessages } from '../login.contract.ts'
import { accountIsBlocked } from './auth.ts'
import type { AuthDeps } from './auth.deps.ts'
import { countLogin } from './count-login.ts'
import { joinAccounts } from './join-accounts.ts'
import { matchPassword } from './match-password.ts'
import { beginPasswordTry } from './password-try.ts'
import {
  findAccountsOf,
  findUser,
  lockUsers,
  lockUserWithPassword,
  renewPasswordHash,
  type User,
} from './users.store.ts'

/**
 * Signs in to the account of the address that the password opens. An unknown address gets the same response as a wrong
 * password, after the same work. Returns the account and the browser's new cookies.
 * @throws 400 when address and password do not match or the account is blocked, 429 after too many wrong passwords or
 * logins
 */
export async function logIn(
  deps: AuthDeps,
  visit: Visit,
  { username, password }: BodyOf<typeof login>,
): Promise<{ userId: string; cookies: BrowserIdentity }> {
  const accounts = await findAccountsOf(deps.db, username)
  const typed = await beginPasswordTry(deps, visit, { email: username, accounts, candidates: accounts })
  const { comparable, knownTo } = typed
  const { hash, matches } = await typed.uncountIfItThrows(() =>
    matchPassword(deps.passwords, { email: username, accounts: comparable }, password),
  )
  const user = chosenOf(matches, knownTo)
  // A browser that failed too often gets a new device cookie, so the old one does not make it a known browser again.
  const browser = knownTo ? visit : { ...visit, device: null }
  if (user && !user.blocked_at) await countLogin(deps.db, user, () => typed.settle(matches))
  const cookies = user && !user.blocked_at ? await enter(deps, browser, user, hash) : null
  const isBlocked = user && !cookies && (await findUser(deps.db, user.id))?.blocked_at
  if (isBlocked) await typed.settle(matches)
  if (!user || !cookies) {
    // With several accounts, the intended account is unknown; the event is recorded for the first.
    await audit(deps.db, deps.clock, {
      event: 'login_failed',
      userId: accounts[0]?.id ?? null,
      sessionId: visit.session.id,
      details: isBlocked ? { blocked: true } : {},
    })
    throw isBlocked ? accountIsBlocked(deps) : invalidForm(loginMessages.wrong)
  }
  await typed.settle(matches)
  if (user.email_verified_at)
    await joinOthers(deps, { into: user, from: matches.filter(({ id }) => id !== user.id), hash }, cookies.session.id)
  return { userId: user.id, cookies }
}

function chosenOf(matches: User[], knownTo: User | undefined): User | undefined {
  const [first] = matches
  return first?.email_verified_at ? first : (matches.find((account) => account === knownTo) ?? first)
}

/** `null` when the password was changed or the account was blocked during the check; both end every session. */
async function enter(deps: AuthDeps, visit: Visit, user: User, hash: string): Promise<BrowserIdentity | null> {
  const cookies = await transact(deps.db, async (trx) => {
    const locked = await lockUserWithPassword(trx, user.id, [user.password_hash, hash])
    if (!locked) return null
    const entered = await signIn(trx, deps, visit, { id: user.id, passwordEpoch: locked.password_epoch })
    await audit(trx, deps.clock, { event: 'login', userId: user.id, sessionId: entered.session.id })
    return entered
  })
  // The stored hash has the salt of the account's former address. With the new hash, the next login costs one hash
  // again.
  if (cookies && user.password_hash !== hash)
    await renewPasswordHash(deps.db, user.id, { from: user.password_hash, to: hash })
  return cookies
}

/**
 * Merges unverified accounts of the same address with the same password, because entering the password proves ownership
 * of them too.
 */
async function joinOthers(
  deps: AuthDeps,
  { into, from: others, hash }: { into: User; from: User[]; hash: string },
  sessionId: string | null,
): Promise<void> {
  for (const other of others) {
    await transact(deps.db, async (trx) => {
      const locked = await lockUsers(trx, [into.id, other.id])
      const [from, owner] = [other.id, into.id].map((id) => locked.find((account) => account.id === id))
      const isStillSo =
        from &&
        owner &&
        !from.email_verified_at &&
        [from, owner].every(({ password_hash, blocked_at }) => password_hash === hash && !blocked_at)
      if (isStillSo) await joinAccounts(trx, deps, { from, into: owner }, sessionId)
    })
  }
}

export const logOut = (deps: AuthDeps, visit: Visit): Promise<BrowserIdentity> =>
  transact(deps.db, async (trx) => {
    const { user, session } = visit
    if (user) await audit(trx, deps.clock, { event: 'logout', userId: user.id, sessionId: session.id })
    return signOut(trx, deps, visit)
  })
