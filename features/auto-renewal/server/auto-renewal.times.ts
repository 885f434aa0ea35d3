import { hourOnDayBefore } from '#kit/server/plan-period.ts'

/*
 * Auto-renewal happens at these times. `days` counts back from the plan's end, and day 1 is the plan's last day. `hour`
 * is local time in the market's zone.
 */

const noticeTime = { days: 3, hour: 9 }
const chargeTimes = [
  { days: 1, hour: 9 },
  { days: 1, hour: 15 },
  { days: 1, hour: 21 },
]
/**
 * The pause between a late notice and the charge, in which the customer can read the notice and cancel. The pause is
 * shorter near the plan's end.
 */
const firstChargeDelay = { minutes: 10 }
/**
 * The minimum time between a refused charge and the next planned attempt. Attempts that are planned earlier are
 * skipped.
 */
const minRetryInterval = { hours: 1 }
/**
 * How long a step is postponed while another renewal, which may still fail, is in progress. After the plan's end, the
 * step is postponed for longer, because nothing is urgent then.
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
 * Returns the charge step after a failed attempt: at the next planned time or, when no planned time is left, halfway to
 * the plan's end. Returns `null` after the last attempt.
 * @param attempts the number of attempts so far, including the failed attempt
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
