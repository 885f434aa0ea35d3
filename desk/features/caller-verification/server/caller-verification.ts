import { randomInt, randomUUID } from 'node:crypto'
import { audit } from '#kit/server/audit.ts'
import { fromDate, toDate } from '#kit/server/clock.ts'
import { transact } from '#kit/server/db.ts'
import { countLimitUse, type Limit } from '#kit/server/limits.ts'
import { conflict, badRequest, HttpError } from '#kit/server/http-error.ts'
import { isEqualConstantTime } from '#kit/server/secrets.ts'
import { lockUser, type User } from '#features/auth/server/users.store.ts'
import type { CustomersDeps } from '#features/customers/server/customers.deps.ts'
import type { MessageDeps } from '#features/messages/server/messages.ts'
import type { SignedInStaff } from '#desk/features/staff/server/sessions.store.ts'
import { toStaffActor } from '#desk/features/staff/server/staff.guard.ts'
import {
  callerMessages,
  callerPinLength,
  callerPinLifetimeMinutes,
  verificationMinutes,
} from '../caller-verification.contract.ts'
import {
  type CallerCheck,
  countPinAttempt,
  findCallerCheck,
  markCallerVerified,
  maxPinTries,
  type CallerCheckKey,
  saveCallerPin,
} from './caller-checks.store.ts'
import { sendCallerPinMail, sendCallerPinText } from './caller-pin.mail.ts'
import { listPinDestinations } from './pin-destinations.ts'

export type CallersDeps = CustomersDeps & MessageDeps

type VerificationDeps = Pick<CustomersDeps, 'db' | 'clock'>

export async function readVerificationEnd(
  { db, clock }: VerificationDeps,
  pair: CallerCheckKey,
): Promise<Temporal.Instant | null> {
  return getVerificationEnd(await findCallerCheck(db, pair), clock.now())
}

/**
 * Rejects an action unless the caller is verified, because an impostor on the phone would ask for the same actions.
 * @throws 403 unless the caller has read a PIN out to this staff member in the last half hour
 */
export async function requireVerifiedCaller(
  deps: VerificationDeps,
  staff: SignedInStaff,
  userId: string,
): Promise<void> {
  if (!(await readVerificationEnd(deps, { userId, staffId: staff.id })))
    throw new HttpError(403, { code: callerMessages.first, caller: true })
}

function getVerificationEnd(check: CallerCheck | undefined, now: Temporal.Instant): Temporal.Instant | null {
  if (!check?.verified_at) return null
  const until = fromDate(check.verified_at).add({ minutes: verificationMinutes })
  return Temporal.Instant.compare(until, now) > 0 ? until : null
}

export async function readCallerState({ db, clock }: VerificationDeps, staff: SignedInStaff, user: User) {
  const now = clock.now()
  const check = await findCallerCheck(db, { userId: user.id, staffId: staff.id })
  const isPinPending = check && check.pin_hash !== '' && check.expires_at > toDate(now) && check.tries < maxPinTries
  return {
    until: getVerificationEnd(check, now),
    asked: isPinPending ? check : null,
    ways: await listPinDestinations(db, user, now),
  }
}

const hour = 3_600

/**
 * Rate limits for sending PINs, whatever their destination. They protect customers from a flood of messages, and PINs from being guessed.
 */
const pinLimits = (userId: string, staffId: string): Limit[] => [
  { key: `caller-pin:customer:${userId}`, times: 5, seconds: hour },
  { key: `caller-pin:customer:${userId}`, times: 10, seconds: 24 * hour },
  { key: `caller-pin:staff:${staffId}`, times: 60, seconds: hour },
]

/**
 * Sends the customer a PIN for the caller to read out. Any earlier PIN becomes invalid.
 * @throws 400 for a destination to which no PIN may be sent, 429 after too many PINs
 */
export const sendPin = (
  deps: CallersDeps,
  staff: SignedInStaff,
  userId: string,
  destinationId: string,
): Promise<void> =>
  transact(deps.db, async (trx) => {
    // With the user's row locked, a concurrent change of email address either finishes before this check or starts after it.
    const user = await lockUser(trx, userId)
    const now = deps.clock.now()
    const destination = user && (await listPinDestinations(trx, user, now)).find(({ id }) => id === destinationId)
    if (!destination) throw badRequest({ way: [callerMessages.way] })
    if (destination.whyNot) throw badRequest({ way: [destination.whyNot] })
    await countLimitUse(trx, pinLimits(user.id, staff.id))
    const sent = { id: randomUUID(), pin: newPin(), userId: user.id }
    await saveCallerPin(
      trx,
      { userId: user.id, staffId: staff.id },
      {
        pin_id: sent.id,
        pin_hash: deps.secrets.hash('caller-pin', `${sent.id}|${sent.pin}`),
        sent_by: destination.by,
        sent_to: destination.shown,
        expires_at: toDate(now.add({ minutes: callerPinLifetimeMinutes })),
      },
    )
    await (destination.by === 'text'
      ? sendCallerPinText(trx, deps, destination.to, sent)
      : sendCallerPinMail(trx, deps, user, sent))
    await audit(trx, deps.clock, {
      event: 'caller_pin_sent',
      userId: user.id,
      actor: toStaffActor(staff),
      details: { by: destination.by, ...(destination.by === 'text' && { service: destination.id }) },
    })
  })

const newPin = (): string => String(randomInt(10 ** callerPinLength)).padStart(callerPinLength, '0')

/**
 * Checks the PIN that the caller reads out. A correct PIN verifies the caller for this staff member, for half an hour.
 * @throws 400 for a wrong PIN, 409 if no PIN is pending or this was the last try
 */
export async function checkCallerPin(
  deps: CallersDeps,
  staff: SignedInStaff,
  userId: string,
  enteredPin: string,
): Promise<Temporal.Instant> {
  const pair = { userId, staffId: staff.id }
  // A wrong try must stay counted and audited, so the transaction commits before the PIN is rejected.
  const outcome = await transact(deps.db, async (trx) => {
    const now = deps.clock.now()
    const check = await countPinAttempt(trx, pair, now)
    if (!check) return 'none'
    const isCorrect = matchesPin(deps, check, enteredPin)
    if (isCorrect) await markCallerVerified(trx, pair, now)
    await audit(trx, deps.clock, {
      event: isCorrect ? 'caller_verified' : 'caller_pin_wrong',
      userId,
      actor: toStaffActor(staff),
      details: { by: check.sent_by, tries: check.tries },
    })
    return isCorrect ? now.add({ minutes: verificationMinutes }) : maxPinTries - check.tries
  })
  if (outcome === 'none') throw conflict(callerMessages.none)
  if (outcome === 0) throw conflict(callerMessages.usedUp)
  if (typeof outcome === 'number') throw badRequest({ pin: [callerMessages.wrong(outcome)] })
  return outcome
}

const matchesPin = ({ secrets }: CallersDeps, { pin_id, pin_hash }: CallerCheck, enteredPin: string): boolean =>
  secrets.hashes('caller-pin', `${pin_id}|${enteredPin}`).some((hash) => isEqualConstantTime(pin_hash, hash))
