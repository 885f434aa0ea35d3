import type { Counted, Payer } from './refused-payments.store.ts'

const hour = 3_600
const day = 24 * hour

/** How many refusals are free, and for how many seconds each is remembered. */
const rules = {
  session: { free: 6, memory: day },
  account: { free: 6, memory: day },
  sim: { free: 6, memory: day },
  // Many people can share one: it forgets sooner.
  ip: { free: 9, memory: hour },
} as const
/**
 * An address and a session with fewer refusals than this do not wait for the SIM's, and a SIM or an account with fewer does not
 * wait for the address's: those may be other people's.
 */
const few = 3
/** After so many in a day a SIM waits until the first is a day old, from however many addresses they came. */
const mostOfSim = 30
/** The first wait in seconds; each refusal doubles it, up to an hour. */
const firstWait = 300

/** How far back anything is remembered, in seconds. */
export const longestMemory = day

/**
 * For how many seconds a payer still has to wait; 0: they may pay. `counted` are those of the last day that share anything
 * with them. A customer who is signed in in a browser of theirs answers for their account alone, which others cannot use up.
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

// In seconds.
const waitAfter = (refusalsBefore: number): number => Math.min(firstWait * 2 ** refusalsBefore, hour)
const latest = (of: Counted[]): number => Math.max(...of.map((one) => one.asked_at.getTime() / 1_000))
const earliest = (of: Counted[]): number => Math.min(...of.map((one) => one.asked_at.getTime() / 1_000))
const secondsUntil = (seconds: number, now: Date): number => Math.max(0, Math.ceil(seconds - now.getTime() / 1_000))
