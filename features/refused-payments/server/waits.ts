import type { Counted, Payer } from './refused-payments.store.ts'

const hour = 3_600
const day = 24 * hour

/** The number of refusals without a waiting time, and how long each refusal counts, in seconds. */
const rules = {
  session: { free: 6, memory: day },
  account: { free: 6, memory: day },
  sim: { free: 6, memory: day },
  // Many people can share an address, so its refusals expire sooner.
  ip: { free: 9, memory: hour },
} as const
/**
 * A payer whose address and session have fewer refusals does not wait for the SIM. A payer whose SIM or account has
 * fewer does not wait for the address. The other refusals may be other people's.
 */
const few = 3
/** After this many refusals in a day, from any addresses, a SIM is blocked until the first refusal is a day old. */
const mostOfSim = 30
/** The first waiting time in seconds; each further refusal doubles it, up to an hour. */
const firstWait = 300

/** How long any refusal counts, in seconds. */
export const longestMemory = day

/**
 * Seconds that a payer must still wait; 0 means that they may pay. `counted` contains the attempts of the last day that
 * share an identifier with the payer.
 * For a customer logged in from a known browser, only their account counts, because other people cannot use up its
 * limit.
 */
export function waitOf(
  counted: Counted[],
  { ipHash, sessionId, userId, isKnown }: Payer,
  iccid: string | null,
  now: Date,
): number {
  const since = (seconds: number) => counted.filter((one) => now.getTime() - one.asked_at.getTime() < seconds * 1_000)
  const session = sessionId ? since(rules.session.memory).filter((one) => one.session_id === sessionId) : []
  const account = userId ? since(rules.account.memory).filter((one) => one.user_id === userId) : []
  const sim = iccid ? since(rules.sim.memory).filter((one) => one.iccid === iccid) : []
  const ip = since(rules.ip.memory).filter((one) => one.address_hash === ipHash)
  const wait = (of: Counted[], free: number) =>
    of.length < free ? 0 : secondsUntil(latest(of) + waitAfter(of.length - free), now)

  if (userId && isKnown) return wait(account, rules.account.free)
  const bringsSomethingFresh = (iccid !== null && sim.length < few) || (userId !== null && account.length < few)
  const comesFromSomewhereFresh = ip.length < few && session.length < few
  return Math.max(
    wait(session, rules.session.free),
    wait(account, rules.account.free),
    comesFromSomewhereFresh ? 0 : wait(sim, rules.sim.free),
    bringsSomethingFresh ? 0 : wait(ip, rules.ip.free),
    sim.length < mostOfSim ? 0 : secondsUntil(earliest(sim) + day, now),
  )
}

// Returns seconds.
const waitAfter = (refusalsBefore: number): number => Math.min(firstWait * 2 ** refusalsBefore, hour)
const latest = (of: Counted[]): number => Math.max(...of.map((one) => one.asked_at.getTime() / 1_000))
const earliest = (of: Counted[]): number => Math.min(...of.map((one) => one.asked_at.getTime() / 1_000))
const secondsUntil = (seconds: number, now: Date): number => Math.max(0, Math.ceil(seconds - now.getTime() / 1_000))
