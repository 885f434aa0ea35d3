import type { BodyOf } from '#kit/contract/endpoint.ts'
import { audit } from '#kit/server/audit.ts'
import { transact } from '#kit/server/db.ts'
import { forgiveUse } from '#kit/server/limits.ts'
import { nobodysHash, verifyPassword } from '#kit/server/password.ts'
import { invalidForm } from '#kit/server/refusal.ts'
import { signIn, signOut } from '#kit/server/sign-in.ts'
import type { Visit } from '#kit/server/visit.ts'
import type { Account } from '../auth.contract.ts'
import { type login, loginMessages } from '../login.contract.ts'
import { presentAccount } from './account.present.ts'
import type { AuthDeps } from './auth.deps.ts'
import { loginLimits } from './login-limits.ts'
import { findUserByEmail, lockUserWithPassword } from './users.store.ts'

/**
 * Signs in by address and password. An address that has no account is answered like a wrong password, after the same work.
 * @throws 400 when they do not belong together
 */
export async function logIn(deps: AuthDeps, visit: Visit, { username, password }: BodyOf<typeof login>): Promise<Account> {
  const user = await findUserByEmail(deps.db, username)
  const limits = loginLimits(deps.secrets, visit, username, user?.id ?? null)
  // An account made without a password has none that would be right.
  const right = await verifyPassword(password, user?.password_hash || nobodysHash)
  if (!user || !right || !(await enter(deps, visit, user))) {
    await audit(deps.db, deps.clock, { event: 'login_failed', userId: user?.id ?? null, sessionId: visit.session.id })
    throw invalidForm(loginMessages.wrong)
  }
  await forgiveUse(deps.db, limits)
  return presentAccount(deps, user.id)
}

/** False when the password was changed while this one was being checked: that ends every session, this one too. */
async function enter(deps: AuthDeps, visit: Visit, user: { id: string; password_hash: string }): Promise<boolean> {
  return transact(deps.db, async (trx) => {
    if (!(await lockUserWithPassword(trx, user.id, user.password_hash))) return false
    await signIn(trx, deps.secrets, visit, user.id)
    await audit(trx, deps.clock, { event: 'login', userId: user.id, sessionId: visit.session.id })
    return true
  })
}

/** Ends the session. Whoever was not signed in gets a new one, too. */
export async function logOut(deps: AuthDeps, visit: Visit): Promise<Account> {
  const { user, session } = visit
  await transact(deps.db, async (trx) => {
    await signOut(trx, deps.secrets, visit)
    if (user) await audit(trx, deps.clock, { event: 'logout', userId: user.id, sessionId: session.id })
  })
  return presentAccount(deps, null)
}
