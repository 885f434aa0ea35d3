import type { Visit } from '#kit/server/visit.ts'
import type { AuthDeps } from './auth.deps.ts'
import { beginPasswordTry } from './password-try.ts'
import { findAccountsOf, type User } from './users.store.ts'

/**
 * Hours after an order in which the same browser counts as the customer's, so the newly chosen password is not asked
 * for again.
 */
const orderingHours = 24

/**
 * Whether this browser is signed in to the account, or created it by an order less than a day ago. A logout ends both.
 */
export function isBrowserOfAccount(
  { clock }: Pick<AuthDeps, 'clock'>,
  { user, session }: Visit,
  account: User,
): boolean {
  if (user?.id === account.id) return true
  const orderedHere = account.made_in_session !== null && account.made_in_session === session.id
  return orderedHere && clock.now().epochMilliseconds - account.created_at.getTime() < orderingHours * 3_600_000
}

/**
 * Whether a password is the account's. A wrong password counts as a login attempt.
 * @throws 429 after too many attempts
 */
export async function checkLoginPassword(
  deps: AuthDeps,
  visit: Visit,
  account: User,
  password: string,
): Promise<boolean> {
  const accounts = await findAccountsOf(deps.db, account.email)
  const typed = await beginPasswordTry(deps, visit, { email: account.email, accounts, candidates: [account] })
  const isRight = await typed.uncountIfItThrows(() => deps.passwords.verify(password, account.password_hash))
  await typed.settle(isRight ? [account] : [])
  return isRight
}
