import { hourOnDayBefore } from '#kit/server/plan-period.ts'

// All times of auto-renewal. Days are counted back from the plan's end, and day 1 is the last day of the plan. Hours
// are in the market's zone.

const noticeTime = { days: 3, hour: 9 }
const chargeTimes = [
  { days: 1, hour: 9 },
  { days: 1, hour: 15 },
  { days: 1, hour: 21 },
]
/**
 * The pause between a late notice and the charge, so that the customer can read the notice and cancel. It is shorter
 * near the plan's end.
 */
const firstChargeDelay = { minutes: 10 }
/** A planned attempt is skipped if it follows a refused charge within this time. */
const minRetryInterval = { hours: 1 }
/**
 * How long a step is postponed while another renewal is in progress, which may still fail. After the plan's end there
 * is no hurry.
 */
const renewalWait = { minutes: 30 }
const renewalWaitAfterEnd = { hours: 24 }

export type DueStep = {
  step: 'notice' | 'charge'
  attempts: number
  dueAt: Temporal.Instant
}

export function noticeStep(now: Temporal.Instant, expiresAt: Temporal.Instant, zone: string): DueStep {
  const plannedAt = hourOnDayBefore(expiresAt, noticeTime, zone)
  return { step: 'notice', attempts: 0, dueAt: isBefore(plannedAt, now) ? now : plannedAt }
}

export function firstChargeStep(now: Temporal.Instant, expiresAt: Temporal.Instant, zone: string): DueStep {
  const earliestCharge = now.add(firstChargeDelay)
  const [plannedAt = earliestCharge] = plannedChargesOf(expiresAt, zone)
  return {
    step: 'charge',
    attempts: 0,
    dueAt: isBefore(earliestCharge, plannedAt) ? plannedAt : earlierOf(earliestCharge, midpointOf(now, expiresAt)),
  }
}

/**
 * The next planned time, or later on the same day. `null` after the last attempt.
 * @param attempts number of attempts so far, including the failed one
 */
export function nextChargeStep(
  attempts: number,
  now: Temporal.Instant,
  expiresAt: Temporal.Instant,
  zone: string,
): DueStep | null {
  if (attempts >= chargeTimes.length) return null
  const earliest = now.add(minRetryInterval)
  const planned = plannedChargesOf(expiresAt, zone).find((time) => !isBefore(time, earliest))
  return { step: 'charge', attempts, dueAt: planned ?? midpointOf(now, expiresAt) }
}

export const postponedUntil = (now: Temporal.Instant, hasEnded: boolean): Temporal.Instant =>
  now.add(hasEnded ? renewalWaitAfterEnd : renewalWait)

const plannedChargesOf = (expiresAt: Temporal.Instant, zone: string): Temporal.Instant[] =>
  chargeTimes.map((time) => hourOnDayBefore(expiresAt, time, zone))

function midpointOf(from: Temporal.Instant, to: Temporal.Instant): Temporal.Instant {
  const milliseconds = Math.max(0, Math.floor((to.epochMilliseconds - from.epochMilliseconds) / 2))
  return from.add({ milliseconds })
}

const isBefore = (one: Temporal.Instant, other: Temporal.Instant): boolean => Temporal.Instant.compare(one, other) < 0

const earlierOf = (one: Temporal.Instant, other: Temporal.Instant): Temporal.Instant =>
  isBefore(one, other) ? one : other
