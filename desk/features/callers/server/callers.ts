import { randomInt, randomUUID } from 'node:crypto'
import { audit } from '#kit/server/audit.ts'
import { fromDate, toDate } from '#kit/server/clock.ts'
import { transact } from '#kit/server/db.ts'
import { countUse, type Limit } from '#kit/server/limits.ts'
import { conflict, invalid, Refusal } from '#kit/server/refusal.ts'
import { sameText } from '#kit/server/secrets.ts'
import { lockUser, type User } from '#features/auth/server/users.store.ts'
import type { CustomersDeps } from '#features/customers/server/customers.deps.ts'
import type { MessageDeps } from '#features/messages/server/messages.ts'
import type { SignedInStaff } from '#desk/features/staff/server/sessions.store.ts'
import { actorOf } from '#desk/features/staff/server/staff.guard.ts'
import { callerMessages, callerPinLength, callerPinMinutes, verifiedMinutes } from '../callers.contract.ts'
import {
  type CallerCheck,
  countCallerTry,
  findCallerCheck,
  markCallerVerified,
  mostTries,
  type Pair,
  saveCallerPin,
} from './caller-checks.store.ts'
import { sendCallerPinMail, sendCallerPinText } from './caller-pin.mail.ts'
import { waysOf } from './caller-ways.ts'

export type CallersDeps = CustomersDeps & MessageDeps

type Clocked = Pick<CustomersDeps, 'db' | 'clock'>

export async function verifiedUntil({ db, clock }: Clocked, pair: Pair): Promise<Temporal.Instant | null> {
  return untilOf(await findCallerCheck(db, pair), clock.now())
}

/**
 * Guards the acts that an impostor on the phone would ask for too.
 * @throws 403 unless the caller has read a PIN out to this member of staff in the last half hour
 */
export async function requireVerifiedCaller(deps: Clocked, staff: SignedInStaff, userId: string): Promise<void> {
  if (!(await verifiedUntil(deps, { userId, staffId: staff.id })))
    throw new Refusal(403, { code: callerMessages.first, caller: true })
}

function untilOf(check: CallerCheck | undefined, now: Temporal.Instant): Temporal.Instant | null {
  if (!check?.verified_at) return null
  const until = fromDate(check.verified_at).add({ minutes: verifiedMinutes })
  return Temporal.Instant.compare(until, now) > 0 ? until : null
}

export async function callerOf({ db, clock }: Clocked, staff: SignedInStaff, user: User) {
  const now = clock.now()
  const check = await findCallerCheck(db, { userId: user.id, staffId: staff.id })
  const isWaited = check && check.pin_hash !== '' && check.expires_at > toDate(now) && check.tries < mostTries
  return { until: untilOf(check, now), asked: isWaited ? check : null, ways: await waysOf(db, user, now) }
}

const hour = 3_600

/**
 * Limits of PINs, whatever their destination. They protect customers from a flood of messages, and PINs from being
 * guessed.
 */
const pinLimits = (userId: string, staffId: string): Limit[] => [
  { key: `caller-pin:customer:${userId}`, times: 5, seconds: hour },
  { key: `caller-pin:customer:${userId}`, times: 10, seconds: 24 * hour },
  { key: `caller-pin:staff:${staffId}`, times: 60, seconds: hour },
]

/**
 * Sends a PIN for the caller to read out. An earlier PIN becomes void.
 * @throws 400 for a destination to which no PIN may go, 429 after too many PINs
 */
export const sendPin = (deps: CallersDeps, staff: SignedInStaff, userId: string, wayId: string): Promise<void> =>
  transact(deps.db, async (trx) => {
    // The lock on the user makes a concurrent change of the address finish before this check or start after it.
    const user = await lockUser(trx, userId)
    const now = deps.clock.now()
    const way = user && (await waysOf(trx, user, now)).find(({ id }) => id === wayId)
    if (!way) throw invalid({ way: [callerMessages.way] })
    if (way.whyNot) throw invalid({ way: [way.whyNot] })
    await countUse(trx, pinLimits(user.id, staff.id))
    const sent = { id: randomUUID(), pin: newPin(), userId: user.id }
    await saveCallerPin(
      trx,
      { userId: user.id, staffId: staff.id },
      {
        pin_id: sent.id,
        pin_hash: deps.secrets.hash('caller-pin', `${sent.id}|${sent.pin}`),
        sent_by: way.by,
        sent_to: way.shown,
        expires_at: toDate(now.add({ minutes: callerPinMinutes })),
      },
    )
    await (way.by === 'text' ? sendCallerPinText(trx, deps, way.to, sent) : sendCallerPinMail(trx, deps, user, sent))
    await audit(trx, deps.clock, {
      event: 'caller_pin_sent',
      userId: user.id,
      actor: actorOf(staff),
      details: { by: way.by, ...(way.by === 'text' && { service: way.id }) },
    })
  })

const newPin = (): string => String(randomInt(10 ** callerPinLength)).padStart(callerPinLength, '0')

/**
 * Compares the PIN that the caller reads out. A correct PIN verifies the caller for half an hour, for this member of
 * staff.
 * @throws 400 for a wrong PIN, 409 when no PIN is pending or the wrong PIN used up the last try
 */
export async function enterPin(
  deps: CallersDeps,
  staff: SignedInStaff,
  userId: string,
  typed: string,
): Promise<Temporal.Instant> {
  const pair = { userId, staffId: staff.id }
  // A wrong try must stay counted and audited, so the transaction commits before the PIN is rejected.
  const outcome = await transact(deps.db, async (trx) => {
    const now = deps.clock.now()
    const check = await countCallerTry(trx, pair, now)
    if (!check) return 'none'
    const isRight = isPinOf(deps, check, typed)
    if (isRight) await markCallerVerified(trx, pair, now)
    await audit(trx, deps.clock, {
      event: isRight ? 'caller_verified' : 'caller_pin_wrong',
      userId,
      actor: actorOf(staff),
      details: { by: check.sent_by, tries: check.tries },
    })
    return isRight ? now.add({ minutes: verifiedMinutes }) : mostTries - check.tries
  })
  if (outcome === 'none') throw conflict(callerMessages.none)
  if (outcome === 0) throw conflict(callerMessages.usedUp)
  if (typeof outcome === 'number') throw invalid({ pin: [callerMessages.wrong(outcome)] })
  return outcome
}

const isPinOf = ({ secrets }: CallersDeps, { pin_id, pin_hash }: CallerCheck, typed: string): boolean =>
  secrets.hashes('caller-pin', `${pin_id}|${typed}`).some((hash) => sameText(pin_hash, hash))
