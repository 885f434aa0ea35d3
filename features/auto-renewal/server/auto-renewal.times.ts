import { getHourOnDayBefore } from '#kit/server/plan-period.ts'

/*
 * When auto-renewal notifies and charges a customer. `days` counts back from the plan's end: 1 is the plan's last day.
 * `hour` is local time in the market's time zone.
 */

const noticeTime = { days: 3, hour: 9 }
const chargeTimes = [
  { days: 1, hour: 9 },
  { days: 1, hour: 15 },
  { days: 1, hour: 21 },
]
/**
 * How long after a late notice the customer is charged, so that they have time to read it and cancel. Shortened if the
 * plan ends sooner.
 */
const firstChargeDelay = { minutes: 10 }
/** Minimum time between a refused charge and the next attempt. Planned attempts that come sooner are skipped. */
const minRetryInterval = { hours: 1 }
/**
 * How long to postpone a step while another renewal is in progress, because that renewal may still fail. Once the plan
 * has ended, nothing is urgent any more, so the wait is longer.
 */
const renewalRecheckDelay = { minutes: 30 }
const renewalWaitAfterEnd = { hours: 24 }

export type DueStep = {
  step: 'notice' | 'charge'
  attempts: number
  dueAt: Temporal.Instant
}

export function createNoticeStep(now: Temporal.Instant, expiresAt: Temporal.Instant, zone: string): DueStep {
  const plannedAt = getHourOnDayBefore(expiresAt, noticeTime, zone)
  return { step: 'notice', attempts: 0, dueAt: isBefore(plannedAt, now) ? now : plannedAt }
}

export function createFirstChargeStep(now: Temporal.Instant, expiresAt: Temporal.Instant, zone: string): DueStep {
  const earliestChargeTime = now.add(firstChargeDelay)
  const [plannedAt = earliestChargeTime] = getPlannedChargeTimes(expiresAt, zone)
  return {
    step: 'charge',
    attempts: 0,
    dueAt: isBefore(earliestChargeTime, plannedAt)
      ? plannedAt
      : minInstant(earliestChargeTime, computeMidpoint(now, expiresAt)),
  }
}

/**
 * Returns the charge step that follows a failed attempt. It is due at the next planned time or, if there is none left,
 * halfway to the plan's end. Returns `null` after the last attempt.
 * @param attempts how many attempts have been made, including the failed one
 */
export function createNextChargeStep(
  attempts: number,
  now: Temporal.Instant,
  expiresAt: Temporal.Instant,
  zone: string,
): DueStep | null {
  if (attempts >= chargeTimes.length) return null
  const earliestRetryTime = now.add(minRetryInterval)
  const plannedChargeTime = getPlannedChargeTimes(expiresAt, zone).find((time) => !isBefore(time, earliestRetryTime))
  return { step: 'charge', attempts, dueAt: plannedChargeTime ?? computeMidpoint(now, expiresAt) }
}

export const computePostponedTime = (now: Temporal.Instant, hasEnded: boolean): Temporal.Instant =>
  now.add(hasEnded ? renewalWaitAfterEnd : renewalRecheckDelay)

const getPlannedChargeTimes = (expiresAt: Temporal.Instant, zone: string): Temporal.Instant[] =>
  chargeTimes.map((time) => getHourOnDayBefore(expiresAt, time, zone))

function computeMidpoint(from: Temporal.Instant, to: Temporal.Instant): Temporal.Instant {
  const milliseconds = Math.max(0, Math.floor((to.epochMilliseconds - from.epochMilliseconds) / 2))
  return from.add({ milliseconds })
}

const isBefore = (one: Temporal.Instant, other: Temporal.Instant): boolean => Temporal.Instant.compare(one, other) < 0

const minInstant = (one: Temporal.Instant, other: Temporal.Instant): Temporal.Instant =>
  isBefore(one, other) ? one : other
