import type { FieldErrors } from '#kit/contract/errors.ts'
import { transact } from '#kit/server/db.ts'
import { findPasswordFault } from '#kit/server/password-rule.ts'
import { badRequest, throwIfInvalid, unauthorised } from '#kit/server/http-error.ts'
import type { BrowserIdentity, SignedInContext } from '#kit/server/request-context.ts'
import { checkSessionPassword, replacePassword } from '#features/auth/server/auth.ts'
import type { AuthDeps } from '#features/auth/server/auth.deps.ts'
import { findUser, lockUser, type User } from '#features/auth/server/users.store.ts'
import { changePasswordMessages } from '../change-password.contract.ts'

type SubmittedPasswords = { old_password: string; new_password: string }

/** @throws 429 after too many wrong passwords */
export const validatePasswordChange = async (
  deps: AuthDeps,
  visit: SignedInContext,
  answers: Partial<SubmittedPasswords>,
): Promise<FieldErrors> => findPasswordErrors(deps, visit, await requireUser(deps, visit), answers)

async function findPasswordErrors(
  deps: AuthDeps,
  visit: SignedInContext,
  user: User,
  { old_password, new_password }: Partial<SubmittedPasswords>,
): Promise<FieldErrors> {
  const isCorrectPassword =
    old_password === undefined || (await checkSessionPassword(deps, user, visit.session.id, old_password))
  const owner = { email: user.email, names: [user.first_name, user.last_name] }
  const fault = new_password === undefined ? null : findPasswordFault(new_password, owner)
  return {
    ...(!isCorrectPassword && { old_password: [changePasswordMessages.wrong] }),
    ...(fault && { new_password: [fault] }),
  }
}

async function requireUser({ db }: AuthDeps, visit: SignedInContext): Promise<User> {
  const user = await findUser(db, visit.user.id)
  if (!user) throw unauthorised()
  return user
}

/**
 * Changes the signed-in customer's password. All other sessions end, and the returned cookies hold a new token for this
 * session.
 * @throws 400 when the old password is wrong or the new one is invalid, 429 after too many wrong passwords
 */
export async function changeOwnPassword(
  deps: AuthDeps,
  visit: SignedInContext,
  { old_password, new_password }: SubmittedPasswords,
): Promise<BrowserIdentity> {
  const user = await requireUser(deps, visit)
  throwIfInvalid(await findPasswordErrors(deps, visit, user, { old_password, new_password }))
  // Argon2 is deliberately slow, so hash before the transaction starts.
  const hash = await deps.passwords.hash(new_password, user.email)
  const cookies = await transact(deps.db, async (trx) => {
    const owner = await lockUser(trx, user.id)
    if (!owner) return null
    const ownerWithOldHash = { ...owner, password_hash: user.password_hash }
    return replacePassword(trx, deps, visit, { owner: ownerWithOldHash, hash, event: 'password_changed' })
  })
  // A concurrent request changed the password first, so the old password entered here is no longer correct.
  if (!cookies) throw badRequest({ old_password: [changePasswordMessages.wrong] })
  return cookies
}
