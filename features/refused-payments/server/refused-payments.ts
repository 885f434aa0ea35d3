import { ipHash } from '#kit/server/ip-hash.ts'
import { audit } from '#kit/server/audit.ts'
import { type Clock, realNow, toDate } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'
import { knownDevice } from '#kit/server/known-device.ts'
import { lockCounts } from '#kit/server/limits.ts'
import type { Log } from '#kit/server/log.ts'
import { tooMany } from '#kit/server/refusal.ts'
import type { Secrets } from '#kit/server/secrets.ts'
import type { Visit } from '#kit/server/visit.ts'
import {
  countRefused,
  deleteCounted,
  findCounted,
  insertCounted,
  markRefused,
  mostRefused,
  type Payer,
  type PaymentKind,
  refusedByHour,
  type RefusedHour,
  type RefusedWith,
} from './refused-payments.store.ts'
import { longestMemory, waitOf } from './waits.ts'

export const payerOf = (secrets: Secrets, visit: Visit): Payer => ({
  ipHash: ipHash(secrets, visit.clientIp),
  sessionId: visit.session.id,
  userId: visit.user?.id ?? null,
  isKnown: visit.user !== null && knownDevice(secrets, visit, visit.user) !== null,
})

/**
 * Counts a payment attempt by card before it is sent to the gateway, in the transaction that commits it. Counts are
 * locked, so concurrent attempts cannot exceed a limit.
 * An attempt counts until `uncountCardAttempt`. Every caller that sends a customer's card to the gateway must call this
 * function.
 * @throws 429 after too many refusals, with a growing waiting time
 */
export async function countCardAttempt(
  trx: Trx,
  payment: { reference: string; kind: PaymentKind; iccid: string | null; payer: Payer },
): Promise<void> {
  const { payer, iccid } = payment
  const shared = [payer.ipHash, payer.sessionId, payer.userId, iccid].filter((key) => key !== null)
  await lockCounts(
    trx,
    shared.map((key) => `refused-payments:${key}`),
  )
  const now = realNow()
  const counted = await findCounted(trx, payer, iccid, now.subtract({ seconds: longestMemory }))
  const wait = waitOf(counted, payer, iccid, toDate(now))
  if (wait > 0) throw tooMany(wait)
  await insertCounted(trx, payment)
}

export const uncountCardAttempt = (trx: Trx, reference: string): Promise<void> => deleteCounted(trx, reference)

/**
 * Records a refusal in the caller's transaction. Idempotent, however late and through whichever call it is reported.
 * Never stores which card was used.
 */
export async function recordRefusedPayment(
  trx: Trx,
  deps: { clock: Clock; log: Log },
  {
    reference,
    kind,
    userId,
    sessionId,
  }: { reference: string; kind: PaymentKind; userId: string | null; sessionId: string | null },
): Promise<void> {
  await audit(trx, deps.clock, { event: 'payment_refused', userId, sessionId, details: { reference, kind } })
  if (!(await markRefused(trx, reference))) return
  const { lastHour, threshold } = await lookForWave(trx)
  if (lastHour === threshold)
    deps.log.warn({ lastHour, threshold }, 'many payments are being refused: stolen cards may be being tried')
}

/**
 * The minimum hourly refusals that count as a wave. For larger providers, a multiple of the usual hour applies instead.
 */
const leastWave = 20
const timesTheUsual = 3

/** The threshold is based on the week that ended a day ago. */
async function lookForWave(db: Db | Trx): Promise<{ lastHour: number; threshold: number }> {
  const now = realNow()
  const dayAgo = now.subtract({ hours: 24 })
  const week = await countRefused(db, { from: dayAgo.subtract({ hours: 7 * 24 }), to: dayAgo })
  const threshold = Math.max(leastWave, Math.ceil((timesTheUsual * week) / (7 * 24)))
  return { lastHour: await countRefused(db, { from: now.subtract({ hours: 1 }), to: now }), threshold }
}

export type RefusedPayments = {
  lastHour: number
  threshold: number
  isWave: boolean
  hours: RefusedHour[]
  addresses: RefusedWith[]
  sims: RefusedWith[]
  accounts: RefusedWith[]
}

export async function viewRefusedPayments(db: Db): Promise<RefusedPayments> {
  const since = realNow().subtract({ hours: 24 })
  const { lastHour, threshold } = await lookForWave(db)
  const hours = await refusedByHour(db, since)
  return {
    lastHour,
    threshold,
    isWave: lastHour >= threshold || hours.some(({ refused }) => refused >= threshold),
    hours,
    addresses: await mostRefused(db, 'address_hash', since),
    sims: await mostRefused(db, 'iccid', since),
    accounts: await mostRefused(db, 'user_id', since),
  }
}
