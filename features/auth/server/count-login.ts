import type { Db } from '#kit/server/db.ts'
import { countFirstAvailable, limitKeyInEpoch, type Limit } from '#kit/server/limits.ts'
import { loginMessages } from '../login.contract.ts'
import type { User } from './users.store.ts'

export const maxLoginsPerHour = 60

type LimitedAccount = Pick<User, 'id' | 'password_hash' | 'limits_epoch'>

/**
 * The limit on successful logins to an account. The key contains the password's hash, so an owner who resets the
 * password is not locked out by an intruder's logins.
 */
export const successfulLoginLimit = ({ id, password_hash: hash, limits_epoch: epoch }: LimitedAccount): Limit => ({
  key: limitKeyInEpoch(`login:succeeded:${id}:${hash}`, epoch),
  times: maxLoginsPerHour,
  seconds: 3_600,
})

/**
 * Counts a login with a correct password. When the account has reached its limit of successful logins, `settleAttempt`
 * reverses the attempt's count, because no wrong password was entered.
 * @throws 429 with Retry-After after too many successful logins
 */
export async function countLogin(db: Db, account: LimitedAccount, settleAttempt: () => Promise<void>): Promise<void> {
  try {
    await countFirstAvailable(db, [[successfulLoginLimit(account)]], [loginMessages.locked])
  } catch (refusal) {
    await settleAttempt()
    throw refusal
  }
}
