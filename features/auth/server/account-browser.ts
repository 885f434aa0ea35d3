import type { RequestContext } from '#kit/server/request-context.ts'
import type { AuthDeps } from './auth.deps.ts'
import { beginPasswordAttempt } from './password-attempt.ts'
import { listAccountsWithEmail, type User } from './users.store.ts'

/**
 * Hours after an order in which the same browser counts as the customer's, so the newly chosen password is not asked
 * for again.
 */
const orderSessionHours = 24

/**
 * Whether this browser is signed in to the account, or created it by an order less than a day ago. A logout ends both.
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
 * Whether a password is the account's. A wrong password counts as a login attempt.
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
