import { hashIp } from '#kit/server/ip-hash.ts'
import { audit } from '#kit/server/audit.ts'
import { type Clock, realNow, toDate } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'
import { findKnownDeviceId } from '#kit/server/known-device.ts'
import { lockKeysForCounting } from '#kit/server/limits.ts'
import type { Log } from '#kit/server/log.ts'
import { tooManyRequests } from '#kit/server/http-error.ts'
import type { Secrets } from '#kit/server/secrets.ts'
import type { RequestContext } from '#kit/server/request-context.ts'
import {
  countRefusedPayments,
  deleteCountedAttempt,
  listCountedAttempts,
  insertCountedAttempt,
  markRefused,
  listTopRefusalSources,
  type Payer,
  type PaymentKind,
  listRefusedPaymentsByHour,
  type HourlyRefusals,
  type RefusalSource,
} from './refused-payments.store.ts'
import { maxRefusalAgeSeconds, computePaymentWaitSeconds } from './back-off.ts'

export const toPayer = (secrets: Secrets, visit: RequestContext): Payer => ({
  ipHash: hashIp(secrets, visit.clientIp),
  sessionId: visit.session.id,
  userId: visit.user?.id ?? null,
  isKnown: visit.user !== null && findKnownDeviceId(secrets, visit, visit.user) !== null,
})

/**
 * Counts a card payment attempt before it is sent to the gateway, in the transaction that commits the attempt. Counts
 * are locked, so concurrent attempts cannot exceed a limit. An attempt counts until `undoCardAttemptCount` is called.
 * Every caller that sends a customer's card to the gateway must call this function first.
 * @throws 429 after too many refusals, with a growing waiting time
 */
export async function countCardAttempt(
  trx: Trx,
  payment: { reference: string; kind: PaymentKind; iccid: string | null; payer: Payer },
): Promise<void> {
  const { payer, iccid } = payment
  const keysToLock = [payer.ipHash, payer.sessionId, payer.userId, iccid].filter((key) => key !== null)
  await lockKeysForCounting(
    trx,
    keysToLock.map((key) => `refused-payments:${key}`),
  )
  const now = realNow()
  const countedAttempts = await listCountedAttempts(trx, payer, iccid, now.subtract({ seconds: maxRefusalAgeSeconds }))
  const waitSeconds = computePaymentWaitSeconds(countedAttempts, payer, iccid, toDate(now))
  if (waitSeconds > 0) throw tooManyRequests(waitSeconds)
  await insertCountedAttempt(trx, payment)
}

export const undoCardAttemptCount = (trx: Trx, reference: string): Promise<void> => deleteCountedAttempt(trx, reference)

/**
 * Records a refused card payment in the caller's transaction. Idempotent, even if the refusal is reported late or more
 * than once. Never stores the card that was used.
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
  const { lastHour, threshold } = await detectCardTesting(trx)
  if (lastHour === threshold)
    deps.log.warn({ lastHour, threshold }, 'many payments are being refused: someone may be testing stolen cards')
}

/**
 * The minimum number of refusals per hour that counts as a wave of card testing. Larger providers use a multiple of
 * their usual hourly refusals instead.
 */
const minCardTestingRefusals = 20
const cardTestingFactor = 3

/** Compares the last hour's refusals with a threshold, which is based on the week that ended a day ago. */
async function detectCardTesting(db: Db | Trx): Promise<{ lastHour: number; threshold: number }> {
  const now = realNow()
  const oneDayAgo = now.subtract({ hours: 24 })
  const weeklyCount = await countRefusedPayments(db, { from: oneDayAgo.subtract({ hours: 7 * 24 }), to: oneDayAgo })
  const threshold = Math.max(minCardTestingRefusals, Math.ceil((cardTestingFactor * weeklyCount) / (7 * 24)))
  return { lastHour: await countRefusedPayments(db, { from: now.subtract({ hours: 1 }), to: now }), threshold }
}

export type RefusedPaymentStats = {
  lastHour: number
  threshold: number
  isWave: boolean
  hours: HourlyRefusals[]
  addresses: RefusalSource[]
  sims: RefusalSource[]
  accounts: RefusalSource[]
}

export async function readRefusedPayments(db: Db): Promise<RefusedPaymentStats> {
  const since = realNow().subtract({ hours: 24 })
  const { lastHour, threshold } = await detectCardTesting(db)
  const hourlyRefusals = await listRefusedPaymentsByHour(db, since)
  return {
    lastHour,
    threshold,
    isWave: lastHour >= threshold || hourlyRefusals.some(({ refused }) => refused >= threshold),
    hours: hourlyRefusals,
    addresses: await listTopRefusalSources(db, 'address_hash', since),
    sims: await listTopRefusalSources(db, 'iccid', since),
    accounts: await listTopRefusalSources(db, 'user_id', since),
  }
}
