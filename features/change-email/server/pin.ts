import { randomInt } from 'node:crypto'
import { toDate } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'
import { isEqualConstantTime, type Secrets } from '#kit/server/secrets.ts'
import { findContactPhone } from '#features/account/server/contact-phone.store.ts'
import { findUser } from '#features/auth/server/users.store.ts'
import { pinLength } from '../change-email.contract.ts'
import type { ChangeEmailDeps } from './change-email.deps.ts'
import { sendPinMail, sendPinSms } from './change-email.mail.ts'
import { maskRecipient } from './change-email.present.ts'
import { type EmailChange, computeLapseTime } from './change-email.store.ts'
import { hasUsedUpPinAttempts } from './pin-tries.store.ts'

const pinLifetimeMinutes = 10

type NewPin = {
  columns: Pick<EmailChange, 'pin_hash' | 'pin_expires_at' | 'sent_to'>
  send(change: EmailChange): Promise<void>
}

export async function createPin(
  trx: Trx,
  deps: ChangeEmailDeps,
  request: Pick<EmailChange, 'id' | 'user_id' | 'created_at'>,
  now: Temporal.Instant,
): Promise<NewPin> {
  const owner = await findUser(trx, request.user_id)
  if (!owner) throw new Error('a change of address without an account')
  const phone = await findContactPhone(trx, owner.id)
  const pin = String(randomInt(10 ** pinLength)).padStart(pinLength, '0')
  const expiresAt =
    [now.add({ minutes: pinLifetimeMinutes }), computeLapseTime(request)].sort(Temporal.Instant.compare)[0] ?? now
  return {
    columns: {
      pin_hash: hashPin(deps.secrets, request.id, pin),
      pin_expires_at: toDate(expiresAt),
      sent_to: maskRecipient(phone ?? owner.email),
    },
    send: (change) =>
      phone ? sendPinSms(trx, deps, change, { to: phone, pin }) : sendPinMail(trx, deps, change, { owner, pin }),
  }
}

export const isCorrectPin = (secrets: Secrets, change: EmailChange, enteredPin: string): boolean =>
  secrets
    .hashes('change-email-pin', `${change.id}|${enteredPin}`)
    .some((hash) => isEqualConstantTime(change.pin_hash, hash))

const hashPin = (secrets: Secrets, requestId: string, pin: string): string =>
  secrets.hash('change-email-pin', `${requestId}|${pin}`)

export const dayOf = (deps: ChangeEmailDeps, now: Temporal.Instant): string =>
  now.toZonedDateTimeISO(deps.market.zone).toPlainDate().toString()

/**
 * The next midnight in the market's time zone, when a customer who has used up the day's PIN attempts can try again;
 * `null` while the customer has attempts left.
 */
export async function findLockedUntil(
  db: Db | Trx,
  deps: ChangeEmailDeps,
  userId: string,
  now: Temporal.Instant,
): Promise<Temporal.Instant | null> {
  if (!(await hasUsedUpPinAttempts(db, userId, dayOf(deps, now)))) return null
  return now.toZonedDateTimeISO(deps.market.zone).add({ days: 1 }).startOfDay().toInstant()
}
