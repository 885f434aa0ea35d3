import type { FieldErrors } from '#kit/contract/errors.ts'
import { transact } from '#kit/server/db.ts'
import { passwordFault } from '#kit/server/password-rule.ts'
import { invalid, unauthorised } from '#kit/server/refusal.ts'
import type { BrowserIdentity, SignedInVisit } from '#kit/server/visit.ts'
import { checkSessionPassword, replacePassword } from '#features/auth/server/auth.ts'
import type { AuthDeps } from '#features/auth/server/auth.deps.ts'
import { findUser, lockUser } from '#features/auth/server/users.store.ts'
import { changePasswordMessages } from '../change-password.contract.ts'

type Answers = { old_password: string; new_password: string }

/**
 * Changes the signed-in customer's password; every session but this one ends, and this one goes on under a new token, in
 * the cookies that are answered.
 * @throws 400 when the old password is wrong or the new one no good; 429 after too many wrong ones
 */
export async function changeOwnPassword(
  deps: AuthDeps,
  visit: SignedInVisit,
  { old_password, new_password }: Answers,
): Promise<BrowserIdentity> {
  const user = await findUser(deps.db, visit.user.id)
  if (!user) throw unauthorised()
  const isRight = await checkSessionPassword(deps, user, visit.session.id, old_password)
  const fault = passwordFault(new_password, { email: user.email, names: [user.first_name, user.last_name] })
  const errors: FieldErrors = {
    ...(!isRight && { old_password: [changePasswordMessages.wrong] }),
    ...(fault && { new_password: [fault] }),
  }
  if (Object.keys(errors).length > 0) throw invalid(errors)
  // Outside the transaction: argon2 takes its time on purpose.
  const hash = await deps.passwords.hash(new_password, user.email)
  const cookies = await transact(deps.db, async (trx) => {
    const owner = await lockUser(trx, user.id)
    if (!owner) return null
    const before = { ...owner, password_hash: user.password_hash }
    return replacePassword(trx, deps, visit, { owner: before, hash, event: 'password_changed' })
  })
  // Changed elsewhere in this moment: what was typed is the current one no more.
  if (!cookies) throw invalid({ old_password: [changePasswordMessages.wrong] })
  return cookies
}
