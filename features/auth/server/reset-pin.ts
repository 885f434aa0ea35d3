import { randomInt } from 'node:crypto'
import { transact } from '#kit/server/db.ts'
import { countLimitUse, undoLimitUse, addEpochToLimitKey, type Limit } from '#kit/server/limits.ts'
import { badRequest, formError } from '#kit/server/http-error.ts'
import { hashToken, isEqualConstantTime } from '#kit/server/secrets.ts'
import { resetMessages, resetPinLength } from '../password-reset.contract.ts'
import type { AuthDeps } from './auth.deps.ts'
import { queueResetPinSms } from './password.mail.ts'
import { findResetPin, saveResetPin } from './reset-pins.store.ts'
import type { User } from './users.store.ts'

const pinLifetimeMinutes = 10
const daySeconds = 86_400

type LimitedAccount = Pick<User, 'id' | 'limits_epoch'>

export const wrongResetPinLimit = ({ id, limits_epoch: epoch }: LimitedAccount): Limit => ({
  key: addEpochToLimitKey(`reset-pin:wrong:${id}`, epoch),
  times: 5,
  seconds: daySeconds,
})

export const resetPinSmsLimit = ({ id, limits_epoch: epoch }: LimitedAccount): Limit => ({
  key: addEpochToLimitKey(`reset-pin:texts:account:${id}`, epoch),
  times: 10,
  seconds: daySeconds,
})

/**
 * Checks the PIN that was sent to the account's number, or sends one if the form contains none. Callers require the PIN
 * as well as the link while the account's address is unverified.
 * @throws 400 unless the PIN is correct, 429 after five wrong PINs per account per day or too many texts
 */
export async function requirePin(deps: AuthDeps, account: User, token: string, enteredPin: string): Promise<void> {
  if (enteredPin === '') return sendPin(deps, account, token)
  const limits = [wrongResetPinLimit(account)]
  // Count the attempt before comparing the PIN, so that concurrent requests cannot exceed five attempts.
  await countLimitUse(deps.db, limits)
  const storedHash = await transact(deps.db, (trx) => findResetPin(trx, token, deps.clock.now()))
  if (!storedHash || !isCorrectPin(deps, { token, typed: enteredPin, kept: storedHash }))
    throw badRequest({ pin: [resetMessages.pinWrong] })
  await undoLimitUse(deps.db, limits)
}

async function sendPin(deps: AuthDeps, account: User, token: string): Promise<never> {
  const phone = await deps.accountParts.phone(account.id)
  if (!phone) throw formError(resetMessages.noNumber)
  await countLimitUse(deps.db, [
    { key: `reset-pin:texts:link:${hashToken(token)}`, times: 3, seconds: daySeconds },
    resetPinSmsLimit(account),
  ])
  const pin = String(randomInt(10 ** resetPinLength)).padStart(resetPinLength, '0')
  const now = deps.clock.now()
  await transact(deps.db, async (trx) => {
    await saveResetPin(trx, token, hashPin(deps, token, pin), now.add({ minutes: pinLifetimeMinutes }))
    await queueResetPinSms(trx, deps, { to: phone.phone, userId: account.id, pin, token, minutes: pinLifetimeMinutes })
  })
  throw badRequest({ pin: [resetMessages.pinSent(phone.phone_display.slice(-3))] })
}

const hashPin = ({ secrets }: AuthDeps, token: string, pin: string): string =>
  secrets.hash('reset-pin', buildHashInput(token, pin))

const isCorrectPin = (
  { secrets }: AuthDeps,
  { token, typed, kept }: Record<'token' | 'typed' | 'kept', string>,
): boolean => secrets.hashes('reset-pin', buildHashInput(token, typed)).some((hash) => isEqualConstantTime(kept, hash))

const buildHashInput = (token: string, pin: string): string => `${hashToken(token)}|${pin}`
