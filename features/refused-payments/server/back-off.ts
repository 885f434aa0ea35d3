import type { CountedAttempt, Payer } from './refused-payments.store.ts'

const secondsPerHour = 3_600
const secondsPerDay = 24 * secondsPerHour

/**
 * Rules for each kind of identifier: the number of refusals that starts a waiting time, and for how many seconds a
 * refusal counts.
 */
const backOffRules = {
  session: { free: 6, memory: secondsPerDay },
  account: { free: 6, memory: secondsPerDay },
  sim: { free: 6, memory: secondsPerDay },
  // Many people may share an IP address, so its refusals expire sooner.
  ip: { free: 9, memory: secondsPerHour },
} as const
/**
 * A payer with fewer refusals than this on their own IP address and session does not have to wait because of other
 * people's refusals for the same SIM. Likewise, a payer with fewer refusals for their own SIM or account does not have
 * to wait because of other people's refusals from the same IP address.
 */
const refusalsBeforeSharedLimit = 3
/**
 * After this many refusals within a day, from any IP address, a SIM is blocked until the earliest of them is a day old.
 */
const maxRefusalsPerSim = 30
/** The first waiting time in seconds. Each further refusal doubles the waiting time, up to an hour. */
const firstWaitSeconds = 300

/** The longest time in seconds for which any refusal counts. */
export const maxRefusalAgeSeconds = secondsPerDay

/**
 * Returns the seconds that a payer must still wait; 0 means that they may pay. `counted` contains the last day's
 * attempts that share an identifier with the payer. For a customer logged in from a known browser, only their account
 * counts, because other people cannot use up its limit.
 */
export function computePaymentWaitSeconds(
  counted: CountedAttempt[],
  { ipHash, sessionId, userId, isKnown }: Payer,
  iccid: string | null,
  now: Date,
): number {
  const filterRecentAttempts = (seconds: number) =>
    counted.filter((one) => now.getTime() - one.asked_at.getTime() < seconds * 1_000)
  const sessionAttempts = sessionId
    ? filterRecentAttempts(backOffRules.session.memory).filter((one) => one.session_id === sessionId)
    : []
  const accountAttempts = userId
    ? filterRecentAttempts(backOffRules.account.memory).filter((one) => one.user_id === userId)
    : []
  const simAttempts = iccid ? filterRecentAttempts(backOffRules.sim.memory).filter((one) => one.iccid === iccid) : []
  const ipAttempts = filterRecentAttempts(backOffRules.ip.memory).filter((one) => one.address_hash === ipHash)
  const computeBackOffSeconds = (of: CountedAttempt[], free: number) =>
    of.length < free ? 0 : computeSecondsUntil(findLatestSecond(of) + computeWaitSeconds(of.length - free), now)

  if (userId && isKnown) return computeBackOffSeconds(accountAttempts, backOffRules.account.free)
  const hasFewSimOrAccountRefusals =
    (iccid !== null && simAttempts.length < refusalsBeforeSharedLimit) ||
    (userId !== null && accountAttempts.length < refusalsBeforeSharedLimit)
  const hasFewIpAndSessionRefusals =
    ipAttempts.length < refusalsBeforeSharedLimit && sessionAttempts.length < refusalsBeforeSharedLimit
  return Math.max(
    computeBackOffSeconds(sessionAttempts, backOffRules.session.free),
    computeBackOffSeconds(accountAttempts, backOffRules.account.free),
    hasFewIpAndSessionRefusals ? 0 : computeBackOffSeconds(simAttempts, backOffRules.sim.free),
    hasFewSimOrAccountRefusals ? 0 : computeBackOffSeconds(ipAttempts, backOffRules.ip.free),
    simAttempts.length < maxRefusalsPerSim
      ? 0
      : computeSecondsUntil(findEarliestSecond(simAttempts) + secondsPerDay, now),
  )
}

// Returns the waiting time in seconds, which doubles with each earlier refusal that caused a wait, up to an hour.
const computeWaitSeconds = (refusalsBefore: number): number =>
  Math.min(firstWaitSeconds * 2 ** refusalsBefore, secondsPerHour)
const findLatestSecond = (of: CountedAttempt[]): number => Math.max(...of.map((one) => one.asked_at.getTime() / 1_000))
const findEarliestSecond = (of: CountedAttempt[]): number =>
  Math.min(...of.map((one) => one.asked_at.getTime() / 1_000))
const computeSecondsUntil = (seconds: number, now: Date): number =>
  Math.max(0, Math.ceil(seconds - now.getTime() / 1_000))
