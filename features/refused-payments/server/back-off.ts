import type { CountedAttempt, Payer } from './refused-payments.store.ts'

const hourSeconds = 3_600
const daySeconds = 24 * hourSeconds

/**
 * Rules for each kind of identifier: the number of refusals that starts a waiting time, and for how many seconds a
 * refusal counts.
 */
const identifierRules = {
  session: { free: 6, memory: daySeconds },
  account: { free: 6, memory: daySeconds },
  sim: { free: 6, memory: daySeconds },
  // Many people may share an IP address, so its refusals expire sooner.
  ip: { free: 9, memory: hourSeconds },
} as const
/**
 * A payer with fewer refusals than this on their own IP address and session does not have to wait because of other
 * people's refusals for the same SIM. Likewise, a payer with fewer refusals for their own SIM or account does not have
 * to wait because of other people's refusals from the same IP address.
 */
const sharedLimitThreshold = 3
/**
 * After this many refusals within a day, from any IP address, a SIM is blocked until the earliest of them is a day old.
 */
const maxRefusalsPerSim = 30
/** The first waiting time in seconds. Each further refusal doubles the waiting time, up to an hour. */
const firstWaitSeconds = 300

/** The longest time in seconds for which any refusal counts. */
export const maxMemorySeconds = daySeconds

/**
 * Returns the seconds that a payer must still wait; 0 means that they may pay. `counted` contains the last day's
 * attempts that share an identifier with the payer. For a customer logged in from a known browser, only their account
 * counts, because other people cannot use up its limit.
 */
export function findBackOff(
  counted: CountedAttempt[],
  { ipHash, sessionId, userId, isKnown }: Payer,
  iccid: string | null,
  now: Date,
): number {
  const attemptsInWindow = (seconds: number) =>
    counted.filter((one) => now.getTime() - one.asked_at.getTime() < seconds * 1_000)
  const sessionAttempts = sessionId
    ? attemptsInWindow(identifierRules.session.memory).filter((one) => one.session_id === sessionId)
    : []
  const accountAttempts = userId
    ? attemptsInWindow(identifierRules.account.memory).filter((one) => one.user_id === userId)
    : []
  const simAttempts = iccid ? attemptsInWindow(identifierRules.sim.memory).filter((one) => one.iccid === iccid) : []
  const ipAttempts = attemptsInWindow(identifierRules.ip.memory).filter((one) => one.address_hash === ipHash)
  const secondsToWait = (of: CountedAttempt[], free: number) =>
    of.length < free ? 0 : secondsUntil(latestSecond(of) + computeWaitSeconds(of.length - free), now)

  if (userId && isKnown) return secondsToWait(accountAttempts, identifierRules.account.free)
  const hasFewSimOrAccountRefusals =
    (iccid !== null && simAttempts.length < sharedLimitThreshold) ||
    (userId !== null && accountAttempts.length < sharedLimitThreshold)
  const hasFewIpAndSessionRefusals =
    ipAttempts.length < sharedLimitThreshold && sessionAttempts.length < sharedLimitThreshold
  return Math.max(
    secondsToWait(sessionAttempts, identifierRules.session.free),
    secondsToWait(accountAttempts, identifierRules.account.free),
    hasFewIpAndSessionRefusals ? 0 : secondsToWait(simAttempts, identifierRules.sim.free),
    hasFewSimOrAccountRefusals ? 0 : secondsToWait(ipAttempts, identifierRules.ip.free),
    simAttempts.length < maxRefusalsPerSim ? 0 : secondsUntil(earliestSecond(simAttempts) + daySeconds, now),
  )
}

// Returns the waiting time in seconds, which doubles with each earlier refusal that caused a wait, up to an hour.
const computeWaitSeconds = (refusalsBefore: number): number =>
  Math.min(firstWaitSeconds * 2 ** refusalsBefore, hourSeconds)
const latestSecond = (of: CountedAttempt[]): number => Math.max(...of.map((one) => one.asked_at.getTime() / 1_000))
const earliestSecond = (of: CountedAttempt[]): number => Math.min(...of.map((one) => one.asked_at.getTime() / 1_000))
const secondsUntil = (seconds: number, now: Date): number => Math.max(0, Math.ceil(seconds - now.getTime() / 1_000))
