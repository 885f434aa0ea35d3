import type { Db } from '#kit/server/db.ts'
import { countUseOfOne, inEpoch, type Limit } from '#kit/server/limits.ts'
import { loginMessages } from '../login.contract.ts'
import type { User } from './users.store.ts'

export const maxLoginsPerHour = 60

type Account = Pick<User, 'id' | 'password_hash' | 'limits_epoch'>

/**
 * Only someone who knows the password can use this limit up, and a new password starts a new count. An owner who resets
 * the password is therefore never locked out by an intruder's logins.
 */
export const successfulLogins = ({ id, password_hash: hash, limits_epoch: epoch }: Account): Limit => ({
  key: inEpoch(`login:succeeded:${id}:${hash}`, epoch),
  times: maxLoginsPerHour,
  seconds: 3_600,
})

/**
 * Counts a login whose password was correct. If the account has used up its successful logins, `settle` uncounts the
 * attempt, because no wrong password was tried.
 * @throws 429 with Retry-After after too many successful logins
 */
export async function countLogin(db: Db, account: Account, settle: () => Promise<void>): Promise<void> {
  try {
    await countUseOfOne(db, [[successfulLogins(account)]], [loginMessages.locked])
  } catch (refusal) {
    await settle()
    throw refusal
  }
}
