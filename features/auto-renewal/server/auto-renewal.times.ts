import { hourOnDayBefore } from '#kit/server/plan-period.ts'

// All times of auto-renewal. Days are counted back from the plan's end: 1 is the last on which it works. Hours are the market's.

const noticeTime = { days: 3, hour: 9 }
/** As many times as there are, as often a charge is tried. */
const chargeTimes = [
  { days: 1, hour: 9 },
  { days: 1, hour: 15 },
  { days: 1, hour: 21 },
]
/** Between the press of a button and the charge: time to read the notice, and to think better of it. */
const thinkingTime = { minutes: 10 }
/** A bank that has just said no is not asked again at once. */
const pause = { hours: 1 }
/** How long a step waits for a renewal that is under way: it may still come to nothing. Once the plan has ended it can wait longer. */
const waitForRenewal = { minutes: 30 }
const waitAfterEnd = { hours: 24 }

/** What auto-renewal does next, and when. */
export type DueStep = {
  step: 'notice' | 'charge'
  /** Charges that have been tried before. */
  attempts: number
  dueAt: Temporal.Instant
}

/** The notice: at its time, or at once when that has passed. */
export function noticeStep(now: Temporal.Instant, expiresAt: Temporal.Instant, zone: string): DueStep {
  const planned = hourOnDayBefore(expiresAt, noticeTime, zone)
  return { step: 'notice', attempts: 0, dueAt: isBefore(planned, now) ? now : planned }
}

/** The first charge, seen from the notice: at its time, or within minutes when that has passed, but before the plan ends. */
export function firstCharge(now: Temporal.Instant, expiresAt: Temporal.Instant, zone: string): DueStep {
  const soon = now.add(thinkingTime)
  const [planned = soon] = chargesOf(expiresAt, zone)
  return {
    step: 'charge',
    attempts: 0,
    dueAt: isBefore(soon, planned) ? planned : earlier(soon, halfway(now, expiresAt)),
  }
}

/**
 * What follows a charge that fails: the next of the planned times, or, when none is left, later on that day. Null after the last.
 * @param attempts that have been made, this one included
 */
export function nextCharge(
  attempts: number,
  now: Temporal.Instant,
  expiresAt: Temporal.Instant,
  zone: string,
): DueStep | null {
  if (attempts >= chargeTimes.length) return null
  const earliest = now.add(pause)
  const planned = chargesOf(expiresAt, zone).find((time) => !isBefore(time, earliest))
  return { step: 'charge', attempts, dueAt: planned ?? halfway(now, expiresAt) }
}

/** When a step looks again that has found a renewal under way. */
export const putOffUntil = (now: Temporal.Instant, hasEnded: boolean): Temporal.Instant =>
  now.add(hasEnded ? waitAfterEnd : waitForRenewal)

const chargesOf = (expiresAt: Temporal.Instant, zone: string): Temporal.Instant[] =>
  chargeTimes.map((time) => hourOnDayBefore(expiresAt, time, zone))

function halfway(from: Temporal.Instant, to: Temporal.Instant): Temporal.Instant {
  const milliseconds = Math.max(0, Math.floor((to.epochMilliseconds - from.epochMilliseconds) / 2))
  return from.add({ milliseconds })
}

const isBefore = (one: Temporal.Instant, other: Temporal.Instant): boolean => Temporal.Instant.compare(one, other) < 0

const earlier = (one: Temporal.Instant, other: Temporal.Instant): Temporal.Instant =>
  isBefore(one, other) ? one : other
