import type { Db } from '#kit/server/db.ts'
import { countFirstAvailableLimits, addEpochToLimitKey, type Limit } from '#kit/server/limits.ts'
import { loginMessages } from '../login.contract.ts'
import type { User } from './users.store.ts'

export const maxLoginsPerHour = 60

type LimitedAccount = Pick<User, 'id' | 'password_hash' | 'limits_epoch'>

/**
 * Limits successful logins to an account. The password's hash is part of the key, so resetting the password also lifts
 * a limit that an intruder has used up.
 */
export const successfulLoginLimit = ({ id, password_hash: hash, limits_epoch: epoch }: LimitedAccount): Limit => ({
  key: addEpochToLimitKey(`login:succeeded:${id}:${hash}`, epoch),
  times: maxLoginsPerHour,
  seconds: 3_600,
})

/**
 * Counts a login with the correct password. If the account has reached its limit for successful logins, `settleAttempt` removes the
 * password attempt from the count, because the password was not wrong.
 * @throws 429 with Retry-After after too many successful logins
 */
export async function countSuccessfulLogin(
  db: Db,
  account: LimitedAccount,
  settleAttempt: () => Promise<void>,
): Promise<void> {
  try {
    await countFirstAvailableLimits(db, [[successfulLoginLimit(account)]], [loginMessages.locked])
  } catch (refusal) {
    await settleAttempt()
    throw refusal
  }
}
