import type { RequestContext } from '#kit/server/request-context.ts'
import type { AuthDeps } from './auth.deps.ts'
import { beginPasswordAttempt } from './password-attempt.ts'
import { listAccountsWithEmail, type User } from './users.store.ts'

/**
 * For this many hours after an order, the browser that placed it counts as the customer's, so that the new password
 * need not be entered again.
 */
const orderSessionHours = 24

/**
 * Tells whether this browser is signed in to the account, or created the account with an order less than a day ago. A
 * logout ends both.
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
 * Checks a password against the account's password. A wrong password counts as a login attempt.
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
    deps.passwords.verify(password, account.password_hash),
  )
  await passwordAttempt.settle(isCorrectPassword ? [account] : [])
  return isCorrectPassword
}
