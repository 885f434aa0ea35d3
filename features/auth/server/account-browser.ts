import { verifyAnyForm } from '#kit/server/password.ts'
import type { RequestContext } from '#kit/server/request-context.ts'
import type { AuthDeps } from './auth.deps.ts'
import { beginPasswordAttempt } from './password-attempt.ts'
import { listAccountsWithEmail, type User } from './users.store.ts'

/**
 * For this many hours, the browser that placed an order is trusted as the customer's own, so they need not enter the
 * password they have just chosen.
 */
const orderSessionHours = 24

/**
 * Returns true if this browser is signed in to the account, or created the account with an order in the last 24 hours.
 * After a logout, neither applies any more.
 */
export function isAccountBrowser(
  { clock }: Pick<AuthDeps, 'clock'>,
  { user, session }: RequestContext,
  account: User,
): boolean {
  if (user?.id === account.id) return true
  const isOrderingSession = account.made_in_session !== null && account.made_in_session === session.id
  return (
    isOrderingSession && clock.now().epochMilliseconds - account.created_at.getTime() < orderSessionHours * 3_600_000
  )
}

/**
 * Checks whether the password is the account's. A wrong password counts towards the login limits.
 * @throws 429 after too many attempts
 */
export async function checkLoginPassword(
  deps: AuthDeps,
  visit: RequestContext,
  account: User,
  password: string,
): Promise<boolean> {
  const accounts = await listAccountsWithEmail(deps.db, account.email)
  const passwordAttempt = await beginPasswordAttempt(deps, visit, {
    email: account.email,
    accounts,
    candidates: [account],
  })
  const isCorrectPassword = await passwordAttempt.uncountOnError(() =>
    verifyAnyForm(deps.passwords, password, account.password_hash),
  )
  await passwordAttempt.settle(isCorrectPassword ? [account] : [])
  return isCorrectPassword
}
