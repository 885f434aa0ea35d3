import { randomInt } from 'node:crypto'
import { transact } from '#kit/server/db.ts'
import { countUse, forgiveUse, inEpoch, type Limit } from '#kit/server/limits.ts'
import { invalid, invalidForm } from '#kit/server/refusal.ts'
import { hashToken, sameText } from '#kit/server/secrets.ts'
import { resetMessages, resetPinLength } from '../password-reset.contract.ts'
import type { AuthDeps } from './auth.deps.ts'
import { sendResetPin } from './password.mail.ts'
import { findResetPin, saveResetPin } from './reset-pins.store.ts'
import type { User } from './users.store.ts'

const pinMinutes = 10
const day = 86_400

type Counted = Pick<User, 'id' | 'limits_epoch'>

export const wrongResetPins = ({ id, limits_epoch: epoch }: Counted): Limit => ({
  key: inEpoch(`reset-pin:wrong:${id}`, epoch),
  times: 5,
  seconds: day,
})

export const resetPinTexts = ({ id, limits_epoch: epoch }: Counted): Limit => ({
  key: inEpoch(`reset-pin:texts:account:${id}`, epoch),
  times: 10,
  seconds: day,
})

/**
 * Requires a PIN from the account's number, in addition to the link, when the account's address is not verified. If the
 * form has no PIN, a PIN is sent.
 * @throws 400 unless the PIN is correct, 429 after five wrong PINs per account and day or too many texts
 */
export async function demandPin(deps: AuthDeps, account: User, token: string, typed: string): Promise<void> {
  if (typed === '') return sendPin(deps, account, token)
  const limits = [wrongResetPins(account)]
  // Counted before the comparison, so that concurrent requests share the five attempts.
  await countUse(deps.db, limits)
  const kept = await transact(deps.db, (trx) => findResetPin(trx, token, deps.clock.now()))
  if (!kept || !isPin(deps, { token, typed, kept })) throw invalid({ pin: [resetMessages.pinWrong] })
  await forgiveUse(deps.db, limits)
}

async function sendPin(deps: AuthDeps, account: User, token: string): Promise<never> {
  const phone = await deps.accountParts.phone(account.id)
  if (!phone) throw invalidForm(resetMessages.noNumber)
  await countUse(deps.db, [
    { key: `reset-pin:texts:link:${hashToken(token)}`, times: 3, seconds: day },
    resetPinTexts(account),
  ])
  const pin = String(randomInt(10 ** resetPinLength)).padStart(resetPinLength, '0')
  const now = deps.clock.now()
  await transact(deps.db, async (trx) => {
    await saveResetPin(trx, token, hashPin(deps, token, pin), now.add({ minutes: pinMinutes }))
    await sendResetPin(trx, deps, { to: phone.phone, userId: account.id, pin, token, minutes: pinMinutes })
  })
  throw invalid({ pin: [resetMessages.pinSent(phone.phone_display.slice(-3))] })
}

const hashPin = ({ secrets }: AuthDeps, token: string, pin: string): string =>
  secrets.hash('reset-pin', pinOfLink(token, pin))

const isPin = ({ secrets }: AuthDeps, { token, typed, kept }: Record<'token' | 'typed' | 'kept', string>): boolean =>
  secrets.hashes('reset-pin', pinOfLink(token, typed)).some((hash) => sameText(kept, hash))

const pinOfLink = (token: string, pin: string): string => `${hashToken(token)}|${pin}`
